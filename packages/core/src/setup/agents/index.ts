/** The agents that setup supports; to add one, add a descriptor. */
import { CairnError } from '../../errors.ts'
import { claudeCode, codex, copilot, gemini, opencode, pi } from './command-line-agents.ts'
import type { AgentDescriptor, SetupAgent } from './descriptor.ts'
import { cline, cursor, roo, vscode } from './editor-agents.ts'

export const AGENTS: readonly AgentDescriptor[] = [
  claudeCode,
  codex,
  gemini,
  copilot,
  opencode,
  cline,
  roo,
  cursor,
  vscode,
  pi,
]

/** The agent names accepted by `cairn setup`, in display order. */
export const setupAgents = (): readonly SetupAgent[] => AGENTS.map(({ agent }) => agent)

/**
 * The descriptor of an agent by name.
 * @throws CairnError `usage` for an unknown name.
 */
export const findAgent = (name: string): AgentDescriptor => {
  const found = AGENTS.find(({ agent }) => agent === name)
  if (found === undefined)
    throw new CairnError('usage', `There is no agent '${name}' to set up; there are ${setupAgents().join(', ')}.`)
  return found
}
