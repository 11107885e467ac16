/** The importers there are, and the agents that are named but not supported yet. */
import { CairnError } from '../errors.ts'
import { aiderImporter } from './aider.ts'
import { claudeCodeImporter } from './claude-code.ts'
import { clineImporter, kiloImporter, rooImporter } from './cline.ts'
import { clioImporter } from './clio.ts'
import { codexImporter } from './codex.ts'
import { continueImporter } from './continue.ts'
import { copilotImporter } from './copilot.ts'
import { cursorImporter } from './cursor-editor.ts'
import { geminiImporter } from './gemini.ts'
import { genericImporter } from './generic.ts'
import type { ImportAgent, Importer } from './importer.ts'
import { openCodeImporter } from './opencode.ts'
import { piImporter } from './pi.ts'

/** In the order in which a file's first lines are shown to them. */
export const IMPORTERS: readonly Importer[] = [
  claudeCodeImporter,
  codexImporter,
  clineImporter,
  rooImporter,
  kiloImporter,
  copilotImporter,
  openCodeImporter,
  clioImporter,
  cursorImporter,
  piImporter,
  geminiImporter,
  continueImporter,
  aiderImporter,
  genericImporter,
]

const PLANNED: readonly string[] = ['vscode']

/** The names of the agents whose transcripts can be imported, in the order in which their importers are asked. */
export const importAgents = (): readonly ImportAgent[] => IMPORTERS.map(({ agent }) => agent)

/**
 * The importer of an agent.
 * @throws CairnError `unsupported` for an agent that is planned, `usage` for one that is not known; both name those
 * that are supported
 */
export const findImporter = (agent: string): Importer => {
  const found = IMPORTERS.find((importer) => importer.agent === agent)
  if (found !== undefined) return found
  const supported = importAgents().join(', ')
  if (PLANNED.includes(agent))
    throw new CairnError('unsupported', `Transcripts of ${agent} can't be imported yet; supported are ${supported}.`)
  throw new CairnError('usage', `There is no agent "${agent}"; supported are ${supported}.`)
}

/**
 * The transcript that a file belongs to which changes with it, such as a database's log; else the path itself. By the
 * path's text alone. The first importer that knows it decides.
 */
export const transcriptOf = (path: string): string => {
  for (const importer of IMPORTERS) {
    const transcript = importer.transcriptOf?.(path)
    if (transcript !== undefined) return transcript
  }
  return path
}
