/** The importers there are, and the agents that are named but not supported yet. */
import { CairnError } from '../errors.ts'
import { claudeCodeImporter } from './claude-code.ts'
import { clineImporter, kiloImporter, rooImporter } from './cline.ts'
import { codexImporter } from './codex.ts'
import { genericImporter } from './generic.ts'
import type { ImportAgent, Importer } from './importer.ts'
import { piImporter } from './pi.ts'

/** In the order in which a file's first lines are shown to them. */
export const IMPORTERS: readonly Importer[] = [
  claudeCodeImporter,
  codexImporter,
  clineImporter,
  rooImporter,
  kiloImporter,
  piImporter,
  genericImporter,
]

const PLANNED: readonly string[] = ['opencode', 'gemini', 'continue', 'aider', 'clio', 'copilot', 'cursor', 'vscode']

/** The names of the agents whose transcripts can be imported. */
export const importAgents = (): readonly ImportAgent[] => IMPORTERS.map(({ agent }) => agent)

/** The importer of an agent. @throws CairnError for an agent that is not supported. */
export const findImporter = (agent: string): Importer => {
  const found = IMPORTERS.find((importer) => importer.agent === agent)
  if (found !== undefined) return found
  const supported = importAgents().join(', ')
  if (PLANNED.includes(agent))
    throw new CairnError('unsupported', `Transcripts of ${agent} can't be imported yet; supported are ${supported}.`)
  throw new CairnError('usage', `There is no agent "${agent}"; supported are ${supported}.`)
}
