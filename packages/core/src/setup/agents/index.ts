/** The agents that setup knows; a new one is a descriptor more. */
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

/** The names of agents that `cairn setup` takes, in the order in which they are listed. */
export const setupAgents = (): readonly SetupAgent[] => AGENTS.map(({ agent }) => agent)

/**
 * The descriptor of an agent by its name.
 * @throws CairnError `usage` for a name that is none of an agent's.
 */
export const findAgent = (name: string): AgentDescriptor => {
  const found = AGENTS.find(({ agent }) => agent === name)
  if (found === undefined)
    throw new CairnError('usage', `There is no agent '${name}' to set up; there are ${setupAgents().join(', ')}.`)
  return found
}
