/** What the list of sessions, and the page of one, must show. */
import { formatUsd } from '@cairn/core'
import { FORMS, allTokens, count, short, sumOf, totalText, usd } from './figures-expected.ts'
import type { PrintedReport, PrintedRow, PrintedSum } from './figures-expected.ts'
import { expectedLeaks } from './figures-insights.ts'
import type { PrintedInsights } from './figures-insights.ts'
import { remarkFigures, reportOf, tileFigures } from './figures-overview.ts'
import type { Ask } from './figures-overview.ts'
import { figureOf } from './figures-page.ts'
import type { ShownPage } from './figures-page.ts'
import { daysOf, filterWords, timeWords } from './figures-selection.ts'
import type { Wanted } from './figures-selection.ts'

type Figures = Map<string, string>

interface PrintedSession {
  readonly id: string
  readonly messages: number
  readonly requests: number
  readonly unpricedRequests: number
  readonly costUsd: number
}

export interface PrintedSessions {
  readonly sessions: readonly PrintedSession[]
  readonly total: number
}

const textWords = (text: string): readonly string[] => (text === '' ? [] : [`--text=${text}`])

export const SESSION_SORTS = ['updated', 'started', 'cost', 'messages'] as const
export type SessionSort = (typeof SESSION_SORTS)[number]
export const SESSION_ROWS = 50

/** All sessions that the page lists, on all of its pages, in its order. */
export const sessionsOf = async (
  ask: Ask,
  wanted: Wanted,
  now: number,
  sort: SessionSort,
  text = '',
): Promise<PrintedSessions> =>
  (await ask(
    ...['session', 'list', '--limit', '100000', '--sort', sort, ...textWords(text)],
    ...[...timeWords(daysOf(wanted, now)), ...filterWords(wanted.filter)],
  )) as PrintedSessions

/** A cut of the same list, as it is asked for by itself. */
export const sessionsCut = async (
  ask: Ask,
  wanted: Wanted,
  now: number,
  sort: SessionSort,
  text: string,
  page: number,
): Promise<readonly string[]> => {
  const { sessions } = (await ask(
    ...['session', 'list', '--limit', String(SESSION_ROWS), '--offset', String((page - 1) * SESSION_ROWS)],
    ...['--sort', sort, ...textWords(text), ...timeWords(daysOf(wanted, now)), ...filterWords(wanted.filter)],
  )) as PrintedSessions
  return sessions.map(({ id }) => id)
}

const isWhole = ({ period, from, to, filter }: Wanted): boolean =>
  period === 'all' && from === undefined && to === undefined && Object.keys(filter).length === 0

const wholeCost = ({ requests, unpricedRequests, costUsd }: PrintedSession): string => {
  if (requests === 0) return '–'
  return unpricedRequests >= requests ? 'unpriced' : usd(costUsd)
}

/** The ids of all pages in the order of what their sessions used of what is selected, where they are sorted by cost. */
export const orderOf = (
  { sessions }: PrintedSessions,
  shares: readonly PrintedRow[],
  wanted: Wanted,
  sort: SessionSort,
): readonly string[] => {
  const ids = sessions.map(({ id }) => id)
  if (sort !== 'cost' || isWhole(wanted)) return ids
  const listed = new Set(ids)
  const used = shares.map(({ key }) => key).filter((id) => listed.has(id))
  return [...used, ...ids.filter((id) => !used.includes(id))]
}

/** What a row shows as its cost, USD, as a list of one; empty where that is no amount. */
export const shownCost = (
  id: string,
  { sessions }: PrintedSessions,
  shares: readonly PrintedRow[],
  wanted: Wanted,
): readonly number[] => {
  const used = isWhole(wanted) ? sessions.find((each) => each.id === id) : shares.find(({ key }) => key === id)
  return used === undefined || used.requests === used.unpricedRequests ? [] : [used.costUsd]
}

/** A row of a report by session. */
type SessionShare = PrintedRow & {
  readonly costPerRequestUsd?: number | null
  readonly subagents?: {
    readonly count: number
    readonly requests: number
    readonly unpricedRequests: number
    readonly costUsd: number
  }
}

const perRequestText = (share: SessionShare | undefined): string => {
  if (share === undefined) return '–'
  const { costPerRequestUsd: mean } = share
  if (mean === undefined) throw new Error('the command does not print the cost per request')
  return mean === null ? '–' : usd(mean)
}

const subagentsText = (share: SessionShare | undefined): string => {
  if (share === undefined) return '–'
  const { subagents } = share
  if (subagents === undefined) throw new Error('the command does not print what subagents used')
  if (subagents.count === 0) return '–'
  const isPriced = subagents.requests > subagents.unpricedRequests
  return `${count(subagents.count)}, ${isPriced ? usd(subagents.costUsd) : 'unpriced'}`
}

/** What a page of the list must show. */
export const expectedSessions = async (
  ask: Ask,
  wanted: Wanted,
  now: number,
  sort: SessionSort,
  text: string,
  shown: ShownPage,
): Promise<Figures> => {
  const figures: Figures = new Map()
  const { sessions } = await sessionsOf(ask, wanted, now, sort, text)
  if (sessions.length === 0) return figures
  const { rows, total: all } = await reportOf(ask, 'session', wanted, now)
  figures.set('total / Rows', `${count(sessions.length)} session${sessions.length === 1 ? '' : 's'}`)
  // Of all requests, or of the sessions that were found.
  const found = new Set(sessions.map(({ id }) => id))
  const total = text === '' ? all : sumOf(rows.filter(({ key }) => found.has(key)))
  for (const id of shown.rows.get('sessions') ?? []) {
    const session = sessions.find((each) => each.id === id)
    if (session === undefined) continue
    const share = rows.find(({ key }) => key === id)
    figures.set(figureOf('sessions', id, 'messages'), count(session.messages))
    figures.set(figureOf('sessions', id, 'requests'), share === undefined ? '–' : count(share.requests))
    figures.set(figureOf('sessions', id, 'cost'), share === undefined ? '–' : FORMS.cost(share))
    figures.set(figureOf('sessions', id, 'perRequest'), perRequestText(share))
    figures.set(figureOf('sessions', id, 'subagents'), subagentsText(share))
    if (!isWhole(wanted)) figures.set(figureOf('sessions', id, 'whole'), wholeCost(session))
  }
  figures.set(figureOf('sessions', 'Total', 'requests'), count(total?.requests ?? 0))
  figures.set(figureOf('sessions', 'Total', 'cost'), total === undefined ? '$0.00' : totalText('cost', total))
  return figures
}

interface PrintedPart extends PrintedSum {
  readonly cacheWriteTokens: number
  readonly toolCalls: number
  readonly errors: number
}

interface PrintedTurn extends PrintedPart {
  readonly number: number
  readonly subagents: readonly (PrintedPart & { readonly name: string })[]
}

interface PrintedOutline {
  readonly turns: readonly PrintedTurn[]
  readonly total: PrintedSum
}

const shareText = (share: number): string => (share > 0 && share < 0.0005 ? '< 0.1%' : percentOf(share))
const percentOf = (share: number): string =>
  share.toLocaleString('en-US', { style: 'percent', maximumFractionDigits: 1 })

/** The turns of which the page has drawn the rows. */
const outlineFigures = (figures: Figures, { turns, total }: PrintedOutline, shown: ShownPage): void => {
  const drawn = new Set(shown.rows.get('outline'))
  const row = (key: string, sum: PrintedPart): void => {
    if (!drawn.has(key)) return
    const tokens = sum.inputTokens + sum.cacheReadTokens + sum.cacheWriteTokens + sum.outputTokens
    figures.set(figureOf('outline', key, 'cost'), FORMS.cost(sum))
    // Beside calls there is no room for the word.
    figures.set(figureOf('outline', key, 'tokens'), `${short(tokens)}${sum.toolCalls > 0 ? '' : ' tokens'}`)
    if (sum.toolCalls > 0)
      figures.set(figureOf('outline', key, 'calls'), `${count(sum.toolCalls)} call${sum.toolCalls === 1 ? '' : 's'}`)
    if (sum.errors > 0) figures.set(figureOf('outline', key, 'failed'), `${count(sum.errors)} failed`)
    const share = total.costUsd === 0 ? '' : shareText(sum.costUsd / total.costUsd)
    figures.set(figureOf('outline', key, 'share'), share)
  }
  for (const turn of turns) {
    row(String(turn.number), turn)
    for (const part of turn.subagents) row(`${turn.number} ${part.name}`, part)
  }
}

/** A request as an export has it. */
interface ExportedRequest extends PrintedSum {
  readonly subagent: string | null
  readonly costUsd: number
  readonly costState: string
  readonly partial: boolean
}

interface Exported {
  readonly requests: readonly (Omit<ExportedRequest, 'costUsd'> & { readonly costUsd: number | null })[]
}

const REQUEST_ROWS = 100
const MOST_MODELS = 8
const MOST_BRANCHES = 12

const requestFigures = (figures: Figures, { requests }: Exported, page: number): void => {
  const last = Math.max(1, Math.ceil(requests.length / REQUEST_ROWS))
  const first = (Math.min(page, last) - 1) * REQUEST_ROWS
  for (const [index, request] of requests.slice(first, first + REQUEST_ROWS).entries()) {
    const key = String(first + index + 1)
    const cell = (column: string, text: string): void => void figures.set(figureOf('requests', key, column), text)
    const written = request.cacheWrite5mTokens + request.cacheWrite1hTokens
    cell('inputTokens', count(request.inputTokens))
    cell('cacheReadTokens', count(request.cacheReadTokens))
    cell('cacheWriteTokens', count(written))
    cell('context', count(request.inputTokens + request.cacheReadTokens + written))
    cell('outputTokens', `${count(request.outputTokens)}${request.partial ? ' partial' : ''}`)
    cell('cost', request.costUsd === null ? 'unpriced' : usd(request.costUsd))
  }
}

/** Requests of the main conversation (key '') and of each subagent, added up. */
const subagentFigures = (figures: Figures, { requests }: Exported): void => {
  if (requests.every(({ subagent }) => subagent === null)) return
  const sumsOf = (parts: Exported['requests']): PrintedSum | undefined =>
    sumOf(
      parts.map((request) => ({
        ...request,
        requests: 1,
        costUsd: request.costUsd ?? 0,
        unpricedRequests: request.costUsd === null ? 1 : 0,
        missingOutputCostUsd: 0,
      })),
    )
  const whole = sumsOf(requests)
  const all = whole?.costUsd ?? 0
  const part = (key: string, sum: PrintedSum | undefined): void => {
    figures.set(figureOf('subagents', key, 'requests'), count(sum?.requests ?? 0))
    figures.set(figureOf('subagents', key, 'tokens'), short(sum === undefined ? 0 : allTokens(sum)))
    figures.set(figureOf('subagents', key, 'cost'), sum === undefined ? formatUsd(0n) : FORMS.cost(sum))
    const share = all > 0 && sum !== undefined ? sum.costUsd / all : 0
    figures.set(figureOf('subagents', key, 'share'), percentOf(share))
  }
  for (const name of new Set(['', ...requests.map(({ subagent }) => subagent ?? '')]))
    part(name, sumsOf(requests.filter(({ subagent }) => (subagent ?? '') === name)))
  part('Total', whole)
}

/** What the page of a session must show, with its conversation (page undefined) or a page of its requests. */
export const expectedSession = async (
  ask: Ask,
  id: string,
  page: number | undefined,
  shown: ShownPage,
): Promise<Figures> => {
  const figures: Figures = new Map()
  const report = (await ask('usage', '--by', 'model', '--session', id)) as PrintedReport
  const { rows, total } = report
  const { sessions } = (await ask('session', 'list', '--limit', '100000')) as PrintedSessions
  const session = sessions.find((each) => each.id === id)
  if (session === undefined) throw new Error(`${id} is not listed`)
  tileFigures(figures, total)
  remarkFigures(figures, report)
  figures.set('total / Messages', count(session.messages))
  figures.set('below / Messages', `with ${count(session.requests)} request${session.requests === 1 ? '' : 's'}`)
  for (const row of rows.slice(0, MOST_MODELS)) figures.set(figureOf('models', row.key, 'cost'), FORMS.cost(row))
  const { rows: branches } = (await ask('usage', '--by', 'branch', '--session', id)) as PrintedReport
  // One branch alone stands beside the project.
  if (branches.length > 1)
    for (const row of branches.slice(0, MOST_BRANCHES))
      figures.set(figureOf('branches', row.key, 'cost'), FORMS.cost(row))
  const exported = (await ask('session', 'export', id, '--format', 'json', '--no-source')) as Exported
  if (page === undefined)
    outlineFigures(figures, (await ask('session', 'show', id, '--outline')) as PrintedOutline, shown)
  else requestFigures(figures, exported, page)
  subagentFigures(figures, exported)
  expectedLeaks(figures, (await ask('insights', '--session', id)) as PrintedInsights, 'add up')
  return figures
}
