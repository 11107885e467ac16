/** What the overview and the pages of a dimension must show. */
import { cacheHitRatio, formatEstimate, formatUsd, isInputUnknown, nanoFromUsd } from '@cairn/core'
import { COST_PARTS, FORMS, allTokens, count, short, sumOf, totalText, usd } from './figures-expected.ts'
import type { Column, PrintedReport, PrintedRow, PrintedSum, PrintedUnpriced } from './figures-expected.ts'
import { figureOf } from './figures-page.ts'
import type { ShownPage } from './figures-page.ts'
import { dayAfter, dayIn, daysBetween, daysOf, filterWords, timeIn, timeWords } from './figures-selection.ts'
import type { Wanted } from './figures-selection.ts'

/** Asks the command line in the zone of what is wanted. */
export type Ask = (...words: readonly string[]) => Promise<unknown>

export const DIMENSIONS = ['model', 'project', 'branch', 'agent'] as const
const TOP = ['requests', 'tokens', 'cacheHit', 'output', 'cost'] as const satisfies readonly Column[]
const TOP_ROWS = 8
const MOVERS = { workspace: 'other project', model: 'other model', session: 'other session' } as const
const MOST_MOVERS = 5
const HOUR = 3_600_000

type Figures = Map<string, string>

export const reportOf = async (ask: Ask, by: string, wanted: Wanted, now: number): Promise<PrintedReport> =>
  (await ask(
    ...['usage', '--by', by, '--timezone', wanted.zone],
    ...[...timeWords(daysOf(wanted, now)), ...filterWords(wanted.filter)],
  )) as PrintedReport

/** The row of what is not among the first ones; undefined where there is nothing else. */
const restOf = (rows: readonly PrintedRow[]): PrintedSum | undefined => sumOf(rows.slice(TOP_ROWS))

const unpricedText = (sum: PrintedSum): string => {
  const some = sum.requests === 1 ? 'this request' : `these ${count(sum.requests)} requests`
  if (isInputUnknown(sum)) return `Unpriced: the input of ${some} was not recorded, and without it there is no cost.`
  return `Unpriced: no price is known for the model of ${some}${sum.requests === 1 ? '' : ', or their input was not recorded'}.`
}

const sourceText = (sum: PrintedSum): string => {
  const { requests, costUsd, recordedCostUsd, unpricedRequests } = sum
  if (requests === 0) return ''
  if (unpricedRequests === requests) return unpricedText(sum)
  if (recordedCostUsd === 0) return 'At API prices, by the price list.'
  if (recordedCostUsd === costUsd) return 'Recorded by the agents.'
  const computed = formatUsd(nanoFromUsd(costUsd) - nanoFromUsd(recordedCostUsd))
  return `${usd(recordedCostUsd)} recorded by the agents, ${computed} at API prices by the price list.`
}

/** The tiles of a sum. */
export const tileFigures = (figures: Figures, total: PrintedSum): void => {
  const tiles = { Cost: 'cost', 'Caching saved': 'saved', 'Cache hits': 'cacheHit', Tokens: 'tokens' } as const
  for (const [name, column] of Object.entries(tiles)) figures.set(`total / ${name}`, totalText(column, total))
  figures.set('below / Cost', sourceText(total))
  figures.set('below / Tokens', `${short(total.outputTokens)} of them output`)
}

const plural = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`

/** The sentence on requests without a cost; with the words of its link. */
const unpricedRemark = ({ total, unpriced }: PrintedReport): string => {
  const { withoutPrice = [], withPrice = [] } = unpriced ?? {}
  const known = 'their input was not recorded'
  const models = [
    ...withoutPrice.map((model) => ({ ...model, why: 'no price is known' })),
    ...withPrice.map((model) => ({
      ...model,
      why: model.isInputUnknown === true ? known : `${known}, or they came in before the price was known`,
    })),
  ].sort((left, right) => right.requests - left.requests)
  const sum = (some: readonly PrintedUnpriced[]): number => some.reduce((all, { requests }) => all + requests, 0)
  const parts = models.slice(0, 5).map(({ model, requests, why }) => `${count(requests)} to ${model} (${why})`)
  const others = models.slice(5)
  if (others.length > 0) parts.push(`${count(sum(others))} to ${plural(others.length, 'other model')}`)
  const all = sum(models)
  if (all !== total.unpricedRequests)
    throw new Error(`${all} of ${total.unpricedRequests} requests without a cost are named`)
  return [
    `${count(all)} of ${plural(total.requests, 'request')} ${all === 1 ? 'has' : 'have'} no cost, so that the true cost is higher: ${parts.join(', ')}.`,
    ...(withoutPrice.length > 0 ? ['“cairn config set prices.<model>” sets a price.'] : []),
    ...(withPrice.some(({ isInputUnknown }) => isInputUnknown !== true)
      ? ['“cairn doctor --rebuild” takes prices that became known later.']
      : []),
    ...(withoutPrice.length > 0 ? ['Prices in force'] : []),
  ].join(' ')
}

/** Sentences on what is missing in a report's sum. */
export const remarkFigures = (figures: Figures, printed: PrintedReport): void => {
  const { unpricedRequests, partialRequests, missingOutputTokens, missingOutputCostUsd } = printed.total
  if (unpricedRequests > 0) figures.set(`remark / ${unpricedRemark(printed)}`, '')
  const estimate = formatEstimate(nanoFromUsd(missingOutputCostUsd))
  if (partialRequests > 0)
    figures.set(
      `remark / ${plural(partialRequests, 'reply was', 'replies were')} recorded only in part, about ${plural(missingOutputTokens, 'output token')} short; the true output, and its cost, is higher than shown${estimate === undefined ? '' : ` (${estimate}, an estimate that no total includes)`}.`,
      '',
    )
}

/** Sentences on requests without a time, and on those of the future. */
const timeRemarks = async (figures: Figures, ask: Ask, wanted: Wanted, now: number): Promise<void> => {
  const untimed = (await reportOf(ask, 'day', wanted, now)).rows.find(({ key }) => key === 'unknown')
  if (untimed !== undefined)
    figures.set(
      `remark / ${plural(untimed.requests, 'request')} (${FORMS.cost(untimed)}) ${untimed.requests === 1 ? 'has no time: it is' : 'have no time: they are'} in the totals and tables, but not in the charts.`,
      '',
    )
  const [first, last] = daysOf(wanted, now)
  const today = dayIn(wanted.zone, now)
  if (last !== today && (last !== undefined || (first ?? '') > today)) return
  const words = ['usage', '--by', 'agent', '--timezone', wanted.zone, '--since', dayAfter(today, 1)]
  const { total } = (await ask(...words, ...filterWords(wanted.filter))) as PrintedReport
  if (total.requests > 0)
    figures.set(
      `remark / ${plural(total.requests, 'request carries', 'requests carry')} a time in the future, from a clock that is wrong (${FORMS.cost(total)}); ${total.requests === 1 ? 'it is' : 'they are'} ${last === undefined ? 'in these numbers' : 'not in these numbers, which end today'}. Look at what is in the future`,
      '',
    )
}

/** The time before what is wanted, and how many days it has; undefined where there is none. */
const timeBefore = (
  wanted: Wanted,
  now: number,
): { readonly words: readonly string[]; readonly days: number } | undefined => {
  const [first, last] = daysOf(wanted, now)
  const today = dayIn(wanted.zone, now)
  if (first === undefined || first > today) return undefined
  const isCut = last === undefined || last >= today
  const days = daysBetween(first, isCut ? today : last)
  // One that goes on is compared up to the same time of day, whenever clocks were changed.
  const until = isCut ? timeIn(wanted.zone, now).replace(today, dayAfter(today, -days)) : dayAfter(first, -1)
  return { words: timeWords([dayAfter(first, -days), until]), days }
}

const changed = (now: number, before: number): string => {
  if (before === 0) return now === 0 ? '±0%' : 'new,'
  const change = (now - before) / Math.abs(before)
  if (change >= 10) return `×${count(Math.round(now / before))}`
  const percent = Math.round(Math.abs(change) * 100)
  return percent === 0 ? '±0%' : `${change > 0 ? '+' : '−'}${percent}%`
}

const signed = (nano: bigint): string => (nano < 0n ? `−${formatUsd(-nano)}` : `+${formatUsd(nano)}`)

/** How the sums changed, and what moved the cost. */
const changeFigures = async (figures: Figures, ask: Ask, wanted: Wanted, now: number): Promise<void> => {
  const before = timeBefore(wanted, now)
  if (before === undefined) return
  const reportBefore = async (by: string): Promise<PrintedReport> =>
    (await ask(
      ...['usage', '--by', by, '--timezone', wanted.zone, ...before.words, ...filterWords(wanted.filter)],
    )) as PrintedReport
  const [{ total }, { total: earlier }] = [await reportOf(ask, 'agent', wanted, now), await reportBefore('agent')]
  if (total.requests === 0) return
  const daysBefore = before.days === 1 ? 'the day before' : `the ${count(before.days)} days before`
  if (earlier.requests === 0) {
    figures.set('change / Cost', `nothing in ${daysBefore}`)
    figures.set(
      'changeSentence / ',
      `There was no request in ${daysBefore.replaceAll(',', '')}, so there is nothing to compare with.`,
    )
    return
  }
  const against = ` vs ${daysBefore}`
  figures.set('change / Cost', changed(total.costUsd, earlier.costUsd) + against)
  figures.set('change / Caching saved', changed(total.savedUsd, earlier.savedUsd) + against)
  figures.set('change / Tokens', changed(allTokens(total), allTokens(earlier)) + against)
  figures.set('change / Requests', changed(total.requests, earlier.requests) + against)
  const [hits = 0, hitsBefore = 0] = [cacheHitRatio(total), cacheHitRatio(earlier)]
  const points = Math.round((hits - hitsBefore) * 1_000) / 10
  const sign = points > 0 ? '+' : points < 0 ? '−' : '±'
  figures.set('change / Cache hits', `${sign}${Math.abs(points).toFixed(1)} points${against}`)
  let lists = 0
  for (const [by, other] of Object.entries(MOVERS)) {
    const [rows, rowsBefore] = [(await reportOf(ask, by, wanted, now)).rows, (await reportBefore(by)).rows]
    const costOf = (list: readonly PrintedRow[], key: string): bigint =>
      nanoFromUsd(list.find((row) => row.key === key)?.costUsd ?? 0)
    const moved = [...new Set([...rows, ...rowsBefore].map(({ key }) => key))]
      .map((key) => ({ key, from: costOf(rowsBefore, key), to: costOf(rows, key) }))
      .filter(({ from, to }) => from !== to)
      .toSorted((left, right) => Math.abs(Number(right.to - right.from)) - Math.abs(Number(left.to - left.from)))
    if (moved.length > 0) lists += 1
    for (const { key, from, to } of moved.slice(0, MOST_MOVERS)) {
      figures.set(figureOf(`movers-${by}`, key, 'change'), signed(to - from))
      figures.set(figureOf(`movers-${by}`, key, 'span'), `from ${formatUsd(from)} to ${formatUsd(to)}`)
    }
    const others = moved.slice(MOST_MOVERS)
    const rest = others.reduce((sum, { from, to }) => sum + to - from, 0n)
    if (others.length > 0)
      figures.set(
        figureOf(`movers-${by}`, '', 'others'),
        `${others.length} ${other}${others.length === 1 ? '' : 's'}: ${signed(rest)}`,
      )
  }
  const difference = nanoFromUsd(total.costUsd) - nanoFromUsd(earlier.costUsd)
  if (lists > 0)
    figures.set(
      'changeSentence / ',
      `${signed(difference)} against ${before.days === 1 ? 'the day before' : `the ${before.days} days before`}: ${usd(total.costUsd)} after ${usd(earlier.costUsd)}.`,
    )
}

const STEPS = [
  ['day', /^\d{4}-\d{2}-\d{2}$/],
  ['week', /^\d{4}-W\d{2}$/],
  ['month', /^\d{4}-\d{2}$/],
] as const

const EMPTY = { cost: '$0.00', requests: '0' }

/** The sums by hour, day, week or month, whichever of these the page has. */
const stepFigures = async (
  figures: Figures,
  ask: Ask,
  wanted: Wanted,
  now: number,
  shown: ShownPage,
): Promise<void> => {
  const keys = shown.rows.get('steps') ?? []
  const step = STEPS.find(([, form]) => keys.every((key) => form.test(key)))?.[0]
  const sums = new Map<string, PrintedSum>()
  if (step === undefined)
    for (const [index, key] of keys.entries()) {
      const at = Number(key)
      // The last hour of a day is shorter where its clocks are changed by half of one.
      const next = index === 0 ? at + HOUR : Number(keys[index - 1])
      const words = timeWords([new Date(at).toISOString(), new Date(next).toISOString()])
      const { total } = (await ask('usage', '--by', 'agent', ...words, ...filterWords(wanted.filter))) as PrintedReport
      if (total.requests > 0) sums.set(key, total)
    }
  else
    for (const row of (await reportOf(ask, step, wanted, now)).rows) if (row.key !== 'unknown') sums.set(row.key, row)
  const columns = [
    'inputTokens',
    'cacheReadTokens',
    'cacheWrite5mTokens',
    'cacheWrite1hTokens',
    'outputTokens',
  ] as const
  const used = columns.filter((column) => [...sums.values()].some((sum) => sum[column] > 0))
  for (const key of new Set([...keys, ...sums.keys()])) {
    const sum = sums.get(key)
    for (const column of ['cost', 'requests'] as const)
      figures.set(figureOf('steps', key, column), sum === undefined ? EMPTY[column] : FORMS[column](sum))
    for (const [part, form] of Object.entries(COST_PARTS))
      figures.set(figureOf('steps', key, part), sum === undefined ? '$0.00' : form(sum))
    for (const column of used) figures.set(figureOf('steps', key, column), count(sum?.[column] ?? 0))
  }
}

type PrintedCommits = { readonly rows: readonly PrintedRow[]; readonly total: PrintedSum }
const MOST_COMMITS = 20

/** What commits of the selected branch cost, in the folder of a project; nothing where git can't tell them. */
export const commitFigures = async (
  figures: Figures,
  ask: Ask,
  wanted: Wanted,
  now: number,
  folder: string,
): Promise<void> => {
  const { project: _project, ...filter } = wanted.filter
  const words = ['usage', '--by', 'commit', '--workspace', folder, '--timezone', wanted.zone]
  const { rows, total } = (await ask(...[...words, ...timeWords(daysOf(wanted, now)), ...filterWords(filter)]).catch(
    (error: unknown) => {
      if (String(error).includes('There are no commits to sum by')) return { rows: [] }
      throw error
    },
  )) as PrintedCommits
  if (rows.length === 0) return
  for (const column of ['requests', 'cost'] as const) {
    for (const row of rows.slice(0, MOST_COMMITS)) figures.set(figureOf('commits', row.key, column), FORMS[column](row))
    figures.set(figureOf('commits', 'Total', column), totalText(column, total))
  }
  const older = sumOf(rows.slice(MOST_COMMITS))
  const names = rows.length - MOST_COMMITS === 1 ? 'row' : 'rows'
  if (older !== undefined)
    figures.set(
      'total / Older commits',
      `${rows.length - MOST_COMMITS} older ${names}: ${count(older.requests)} requests, ${usd(older.costUsd)}`,
    )
}

/** Leaks that are on the page; what it shows of them is said by the command, too. */
export const expectedOverview = async (ask: Ask, wanted: Wanted, now: number, shown: ShownPage): Promise<Figures> => {
  const figures: Figures = new Map()
  const report = await reportOf(ask, 'agent', wanted, now)
  const { total } = report
  if (total.requests === 0) return figures
  tileFigures(figures, total)
  figures.set('total / Requests', count(total.requests))
  remarkFigures(figures, report)
  await timeRemarks(figures, ask, wanted, now)
  await changeFigures(figures, ask, wanted, now)
  await stepFigures(figures, ask, wanted, now, shown)
  for (const dimension of DIMENSIONS) {
    const { rows, total: all } = await reportOf(ask, dimension, wanted, now)
    for (const column of TOP) {
      for (const row of rows.slice(0, TOP_ROWS)) figures.set(figureOf(dimension, row.key, column), FORMS[column](row))
      const rest = restOf(rows)
      if (rest !== undefined) figures.set(figureOf(dimension, '', column), FORMS[column](rest))
      figures.set(figureOf(dimension, 'Total', column), totalText(column, all))
    }
  }
  return figures
}

const PAGE_ROWS = 50
/** Columns that are left out where nothing is in them. */
const RARE: Readonly<Partial<Record<Column, string>>> = {
  cacheWrite30m: '0',
  cacheWrite12h: '0',
  firstToken: '–',
  latency: '–',
}

/** What a page (from 1) of a dimension must show, the most expensive first. */
export const expectedDimension = async (
  ask: Ask,
  wanted: Wanted,
  now: number,
  dimension: string,
  page: number,
): Promise<Figures> => {
  const figures: Figures = new Map()
  const { rows, total } = await reportOf(ask, dimension, wanted, now)
  if (rows.length === 0) return figures
  figures.set('total / Rows', plural(rows.length, dimension, dimension === 'branch' ? 'branches' : `${dimension}s`))
  const columns = (Object.keys(FORMS) as Column[]).filter((column) => FORMS[column](total) !== RARE[column])
  const unpriced = (row: PrintedRow): boolean => row.requests === row.unpricedRequests
  // What has no price is neither the cheapest nor the dearest.
  const sorted = [...rows.filter((row) => !unpriced(row)), ...rows.filter(unpriced)]
  const last = Math.ceil(rows.length / PAGE_ROWS)
  const first = (Math.min(page, last) - 1) * PAGE_ROWS
  for (const column of columns) {
    for (const row of sorted.slice(first, first + PAGE_ROWS))
      figures.set(figureOf(dimension, row.key, column), FORMS[column](row))
    figures.set(figureOf(dimension, 'Total', column), totalText(column, total))
  }
  return figures
}
