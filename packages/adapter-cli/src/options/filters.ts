/** Checks names given as filters: an unknown agent is refused, and names that nothing in the store has are reported. */
import { CairnError } from '@cairn/core'
import type { Engine, UsageDimension } from '@cairn/core'
import { didYouMean } from './close-matches.ts'
import type { Context } from '../command.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { shortenMiddle } from '../terminal/text-width.ts'

/** Agents that Cairn knows, including those it does not read yet. */
const AGENTS: readonly string[] = [
  'claude-code',
  'codex',
  'cline',
  'roo',
  'kilo',
  'opencode',
  'gemini',
  'continue',
  'aider',
  'clio',
  'copilot',
  'cursor',
  'vscode',
  'pi',
  'generic',
  'cairn',
]

/** Characters of a name that a sentence repeats. */
const NAME_SHOWN = 60

const NOUNS: Readonly<Record<UsageDimension, string>> = {
  session: 'session',
  model: 'model',
  mode: 'mode',
  workspace: 'project',
  project: 'project',
  branch: 'branch',
  agent: 'agent',
  person: 'person',
  machine: 'machine',
}

/** Checks `--agent`. Rejects with `usage`, and similar names, if neither Cairn nor the store knows the agent. */
export const checkAgent = async (agent: string | undefined, engine: Engine): Promise<void> => {
  if (agent === undefined || AGENTS.includes(agent)) return
  const { rows } = await engine.usage.report({ by: 'agent' })
  const known = [...new Set([...AGENTS, ...rows.map(({ key }) => key)])]
  if (!known.includes(agent))
    throw new CairnError(
      'usage',
      `There is no agent '${shown(agent)}'; known are ${known.map(neutraliseLine).join(', ')}.${didYouMean(agent, known)}`,
    )
}

/** A name for a sentence: neutralised and shortened. */
const shown = (name: string): string => shortenMiddle(neutraliseLine(name), NAME_SHOWN)

/** Filters by name. */
export type NameFilter = Readonly<Partial<Record<UsageDimension, string>>>

/**
 * Reports on standard error which filters, each by itself, match nothing in the store, at any time; prints nothing if all
 * match. `what` starts the sentence.
 */
export const sayUnmatched = async (
  filter: NameFilter,
  engine: Engine,
  { terminal }: Pick<Context, 'terminal'>,
  what: 'No requests' | 'No sessions' | 'Nothing' = 'No requests',
): Promise<void> => {
  for (const [dimension, name] of Object.entries(filter) as [UsageDimension, string][]) {
    const { total } = await engine.usage.report({ by: 'agent', filter: { [dimension]: name } })
    if (total.requests > 0) continue
    // Sessions of some agents hold messages, but no requests.
    const { total: sessions } =
      dimension === 'workspace' || dimension === 'project' || dimension === 'branch'
        ? await engine.store.sessions.list({ [dimension]: name, limit: 1 })
        : { total: 0 }
    if (sessions === 0)
      terminal.note(
        `${what} of the ${NOUNS[dimension]} '${shown(name)}' ${what === 'Nothing' ? 'is' : 'are'} in the store.`,
      )
  }
}
