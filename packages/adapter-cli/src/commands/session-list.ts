/** `cairn session list`. */
import { basename } from 'node:path'
import type { Engine, SessionPage, SessionQuery, SessionSummary } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { definedValues } from '../options/defined-values.ts'
import { checkAgent, sayUnmatched } from '../options/filters.ts'
import { sessionJson } from '../output/json-output.ts'
import { timeRange } from '../options/option-values.ts'
import { severalProjects } from '../options/project-option.ts'
import { sessionCostsJson, subagentsOf } from '../output/session-costs.ts'
import { idInTable, shownIds } from '../output/session-ids.ts'
import { counted, formatCount, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import { textWidth } from '../terminal/text-width.ts'
import { costCell, totalCostCell } from '../output/usage-table.ts'

/** The options of `session list`. */
export interface ListOptions extends CommonOptions {
  readonly limit: number
  readonly offset: number
  readonly sort: NonNullable<SessionQuery['sort']>
  readonly reverse?: boolean
  readonly agent?: string
  readonly branch?: string
  readonly project?: string
  readonly model?: string
  readonly text?: string
  readonly favourites?: true
  readonly since?: string
  readonly until?: string
  readonly live?: true
}

/** Below this width (columns) a title comes before the cost. */
const NARROW = 60
/** From this width on (columns), the time of day is shown as well. */
const WIDE = 100
const DATE_LENGTH = 10
/** As long as the longest name of an agent that Cairn knows. */
const AGENT_MINIMUM = 11

/** Returns a session's row of the table; `ids` are what is shown for ids. On a narrow terminal only the day. */
const cells = (session: SessionSummary, ids: ReadonlyMap<string, string>, width: number): readonly string[] => {
  const { id, externalId, updatedAt, agent, workspace, messages, requests, title, favourite } = session
  return [
    idInTable(ids.get(id) ?? externalId),
    width < WIDE ? formatTime(updatedAt).slice(0, DATE_LENGTH) : formatTime(updatedAt),
    agent,
    workspace === null ? '-' : neutraliseLine(basename(workspace.replaceAll('\\', '/'))),
    formatCount(messages),
    formatCount(requests),
    costCell(session),
    `${favourite ? '★ ' : ''}${neutraliseLine(title ?? '')}`,
  ]
}

/**
 * The table's lines, within `width` columns; the last one starts with `Total`, and sums these sessions only. `ids`:
 * what is shown for a session's id.
 */
export const sessionLines = (
  { sessions }: Pick<SessionPage, 'sessions'>,
  ids: ReadonlyMap<string, string>,
  width: number,
): readonly string[] => {
  const sum = (pick: (session: SessionSummary) => number): number =>
    sessions.reduce((total, session) => total + pick(session), 0)
  const requests = sum((session) => session.requests)
  const costs = {
    requests,
    unpricedRequests: sum(({ unpricedRequests }) => unpricedRequests),
    costNano: sessions.reduce((all, { costNano }) => all + costNano, 0n),
    missingOutputCostNano: sessions.reduce((all, { missingOutputCostNano }) => all + missingOutputCostNano, 0n),
  }
  /** The table's lines with this text as its total cost. */
  const table = (totalCost: string) =>
    tableLines({
      columns: [
        { title: 'id' },
        { title: 'when' },
        { title: 'agent', shorten: 'end', minimum: AGENT_MINIMUM, dropRank: 4 },
        { title: 'project', shorten: 'middle', minimum: 7, dropRank: 3 },
        { title: 'msgs', align: 'right', dropRank: 6 },
        { title: 'reqs', align: 'right', dropRank: 5 },
        { title: 'cost', align: 'right', ...(width < NARROW ? { dropRank: 2 } : {}) },
        { title: 'title', shorten: 'end', minimum: 12, dropRank: 1 },
      ],
      rows: sessions.map((session) => cells(session, ids, width)),
      total: ['Total', '', '', '', formatCount(sum(({ messages }) => messages)), formatCount(requests), totalCost, ''],
      width,
    })
  const whole = table(totalCostCell(costs))
  // In a narrow terminal the estimate of output that was not recorded gives way to the sessions' own columns.
  const short = table(costCell(costs))
  const fits = [whole.head, whole.total ?? ''].every((line) => textWidth(line) <= width)
  const { head, rows, total = '' } = fits && whole.dropped.length === short.dropped.length ? whole : short
  return [head, ...rows, total]
}

/** Returns the sentence for an empty store, or for filters that no session matches. */
const nothing = async ({ store }: Engine): Promise<string> =>
  (await store.sessions.list({ limit: 1 })).total === 0
    ? 'No sessions; take in what your agents did: cairn import'
    : 'No sessions match.'

/**
 * Lists sessions: `{sessions, total}` as JSON, where `total` counts all that match, and `sessions` is the page asked
 * for. None is no failure; filters that nothing in the store matches are then named on standard error.
 */
export const runList = async (options: ListOptions, context: Context): Promise<void> => {
  const { timezone } = await context.settings(options)
  const range = timeRange(options, timezone.value, context.now())
  const workspace = await context.workspace(options)
  const engine = await context.readEngine(options)
  await checkAgent(options.agent, engine)
  const { agent, branch, model, project, text, favourites } = options
  const names = definedValues({ workspace, project, branch, model })
  const page = await engine.store.sessions.list({
    sort: options.sort,
    order: options.reverse === true ? 'ascending' : 'descending',
    limit: options.limit,
    offset: options.offset,
    ...range,
    ...names,
    ...definedValues({ agent, text, favourites }),
  })
  if (page.total === 0) await sayUnmatched(names, engine, context, 'No sessions')
  const several = workspace === undefined ? undefined : await severalProjects(workspace, engine)
  if (several !== undefined) context.terminal.note(`${several} Their sessions are listed together.`)
  if (options.json === true) return printJson(page, engine, context)
  await printPage(page, options.offset, engine, context)
}

/** Prints the page as JSON, with what the subagents of each session used in its whole life. */
const printJson = async ({ sessions, total }: SessionPage, engine: Engine, context: Context): Promise<void> => {
  const subagents = await subagentsOf(
    sessions.map(({ id }) => id),
    {},
    engine,
  )
  const rows = sessions.map((session) => ({
    ...sessionJson(session),
    ...sessionCostsJson(session, subagents.get(session.id)),
  }))
  return context.json({ sessions: rows, total })
}

/** Prints the table, and how to see the next page if there is one. An empty page says why it is empty. */
const printPage = async (page: SessionPage, offset: number, engine: Engine, { terminal }: Context): Promise<void> => {
  const [head = '', ...rest] = sessionLines(page, await shownIds(page.sessions, engine.store.sessions), terminal.width)
  await terminal.line(terminal.style('bold', head))
  for (const line of rest.slice(0, -1)) await terminal.line(line)
  await terminal.line(terminal.style('bold', rest.at(-1) ?? ''))
  const shown = offset + page.sessions.length
  if (page.total === 0) await terminal.line(await nothing(engine))
  else if (shown < page.total)
    await terminal.line(`${counted(page.total, 'session')} in all; the next ones: --offset ${shown}`)
}
