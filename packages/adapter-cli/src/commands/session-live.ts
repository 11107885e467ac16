/** `cairn session list --live`: active sessions. */
import { CairnError } from '@cairn/core'
import { LIVE_MS } from '@cairn/core/insights'
import type { LiveSessions } from '@cairn/core/insights'
import { monthlyLimits } from '@cairn/core/node'
import type { Context } from '../command.ts'
import { definedValues } from '../options/defined-values.ts'
import { checkAgent, sayUnmatched } from '../options/filters.ts'
import { liveLines, liveSessionsJson } from '../output/live-table.ts'
import { shownIds } from '../output/session-ids.ts'
import { formatDuration } from '../terminal/format.ts'
import type { ListOptions } from './session-list.ts'

/**
 * Does nothing for options that live sessions can have.
 * @throws CairnError `usage` for the others: a time, an offset, an order
 */
const assertLiveOptions = ({ since, until, offset, reverse, sort }: ListOptions): void => {
  const meaningless = [
    ...(since === undefined ? [] : ['--since']),
    ...(until === undefined ? [] : ['--until']),
    ...(offset === 0 ? [] : ['--offset']),
    ...(reverse === true ? ['--reverse'] : []),
    ...(sort === 'updated' ? [] : ['--sort']),
  ]
  if (meaningless.length > 0)
    throw new CairnError(
      'usage',
      `--live lists the sessions of the last ${formatDuration(LIVE_MS)}, the latest first; leave ${meaningless.join(' and ')} out.`,
    )
}

/**
 * Lists live sessions: `{now, sessions, total}` as JSON. Finding none is not an error. At most `--limit`, the latest
 * first; `total` counts all. Rejects with `usage` for wrong options, and for an agent that is not known.
 */
export const runLive = async (options: ListOptions, context: Context): Promise<void> => {
  assertLiveOptions(options)
  const { timezone } = await context.settings(options)
  const workspace = await context.workspace(options)
  const engine = await context.readEngine(options)
  await checkAgent(options.agent, engine)
  const { agent, branch, model, project, text, favourites } = options
  const names = definedValues({ workspace, project, branch, model })
  const found = await engine.insights.live({
    ...names,
    ...definedValues({ agent, text, favourites }),
    limitsOf: (projects) => monthlyLimits(context.surroundings, projects),
    timeZone: timezone.value,
  })
  const live: LiveSessions = { ...found, sessions: found.sessions.slice(0, options.limit) }
  if (live.sessions.length === 0) await sayUnmatched(names, engine, context, 'No sessions')
  if (options.json === true) return context.json({ ...liveSessionsJson(live), total: found.sessions.length })
  const { terminal } = context
  if (live.sessions.length === 0) {
    await terminal.line(
      `No session was written to in the last ${formatDuration(LIVE_MS)}. "cairn watch" or the agents' hooks (cairn setup) take in what agents write.`,
    )
    await terminal.line('Total 0 sessions')
    return
  }
  const shown = live.sessions.map(({ session }) => session)
  const [head = '', ...rest] = liveLines(
    { ...live, inAll: found.sessions.length },
    await shownIds(shown, engine.store.sessions),
    terminal.width,
  )
  await terminal.line(terminal.style('bold', head))
  for (const line of rest.slice(0, -1)) await terminal.line(line)
  await terminal.line(terminal.style('bold', rest.at(-1) ?? ''))
}
