/** What the page of leaks must show, and panels of other pages that have some of it. */
import { FORMS, count, percent, short, usd } from './figures-expected.ts'
import type { PrintedSum } from './figures-expected.ts'
import { figureOf } from './figures-page.ts'
import { daysOf, filterWords, timeWords } from './figures-selection.ts'
import type { Wanted } from './figures-selection.ts'
import type { Ask } from './figures-overview.ts'

type Figures = Map<string, string>

interface PrintedLeak {
  readonly kind: string
  readonly view: boolean
  readonly costUsd: number
  readonly share: number
  readonly requests: number
  readonly causes: readonly { readonly cause: string; readonly costUsd: number }[]
}

interface PrintedUnusual {
  readonly costUsd: number
  readonly medianUsd: number
}

type Outlook = 'perDayUsd' | 'totalUsd' | 'lowUsd' | 'highUsd'

export interface PrintedInsights {
  readonly total: PrintedSum
  readonly leakedUsd: number
  readonly leaks: readonly PrintedLeak[]
  readonly activeDays: { readonly days: number; readonly meanUsd: number; readonly medianUsd: number }
  readonly forecast: Readonly<Record<'spentUsd' | 'daysLeft' | 'activeDays', number>> & {
    readonly month: string
  } & (
      | ({ readonly isUncertain: true } & Readonly<Record<Outlook, null>>)
      | ({ readonly isUncertain: false } & Readonly<Record<Outlook, number>>)
    )
  readonly unusualDays: readonly (PrintedUnusual & { readonly day: string })[]
  readonly unusualSessions: readonly (PrintedUnusual & { readonly sessionId: string })[]
  readonly blocks: readonly {
    readonly isActive: boolean
    readonly costUsd: number
    readonly requests: number
    readonly tokens: number
    readonly burn: { readonly costUsdPerHour: number } | null
  }[]
  readonly budgets: readonly {
    readonly project: string | null
    readonly state: string
    readonly limitUsd: number
    readonly spentUsd: number
    readonly totalUsd: number | null
  }[]
}

/** The command's answer for the days and the project of what is wanted; pages tell leaks apart by nothing else. */
export const insightsOf = async (ask: Ask, wanted: Wanted, now: number): Promise<PrintedInsights> => {
  const { project } = wanted.filter
  return (await ask(
    ...['insights', '--timezone', wanted.zone, ...timeWords(daysOf(wanted, now))],
    ...filterWords(project === undefined ? {} : { project }),
  )) as PrintedInsights
}

const shareOfLeaks = ({ leakedUsd, total }: PrintedInsights): string =>
  percent(total.costUsd > 0 ? leakedUsd / total.costUsd : 0)

/**
 * A table of leaks: `all` with the other views of the same dollars, those that `add up` with their sum, or so many of
 * the most expensive.
 */
export const expectedLeaks = (figures: Figures, printed: PrintedInsights, which: 'all' | 'add up' | number): void => {
  const costly = printed.leaks.filter(({ costUsd }) => costUsd > 0)
  const parts = costly.filter(({ view }) => !view)
  const shown = which === 'all' ? costly : which === 'add up' ? parts : parts.slice(0, which)
  for (const { kind, costUsd, share, requests, causes } of shown) {
    figures.set(figureOf('leaks', kind, 'requests'), count(requests))
    figures.set(figureOf('leaks', kind, 'cost'), usd(costUsd))
    figures.set(figureOf('leaks', kind, 'share'), percent(share))
    for (const part of typeof which === 'number' ? causes.slice(0, which) : causes)
      figures.set(`causeCost / ${part.cause}`, usd(part.costUsd))
  }
  if (parts.length === 0) return
  if (typeof which === 'number') {
    figures.set('total / Leaks', `${usd(printed.leakedUsd)} together, ${shareOfLeaks(printed)} of the cost`)
    return
  }
  figures.set(figureOf('leaks', 'Total', 'cost'), usd(printed.leakedUsd))
  figures.set(figureOf('leaks', 'Total', 'share'), shareOfLeaks(printed))
}

const STATES: Readonly<Record<string, string>> = {
  ok: 'Within budget',
  warning: 'Budget at risk',
  exceeded: 'Over budget',
}

/** The budgets of what is selected. */
export const expectedBudgets = (figures: Figures, { budgets }: Pick<PrintedInsights, 'budgets'>): void => {
  for (const { project, state, limitUsd, spentUsd, totalUsd } of budgets) {
    const end =
      totalUsd === null ? 'too few days to tell the end of the month' : `~${usd(totalUsd)} by the end of the month`
    const text = `${usd(spentUsd)} of ${usd(limitUsd)}; ${end}`
    figures.set(figureOf('budgets', project ?? '', 'state'), STATES[state] ?? state)
    figures.set(figureOf('budgets', project ?? '', 'spent'), text)
  }
}

const plural = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`

const spendingFigures = (
  figures: Figures,
  { forecast, blocks, unusualDays, unusualSessions }: PrintedInsights,
): void => {
  const { month, spentUsd, daysLeft, activeDays } = forecast
  const fact = (name: string, text: string, below: string): void => {
    figures.set(`spending / ${name}`, text)
    figures.set(`spendingBelow / ${name}`, below)
  }
  if (activeDays > 0 && forecast.totalUsd !== 0) {
    const left = `${plural(daysLeft, 'day')} left`
    if (forecast.isUncertain) {
      fact(`Spent in ${month}`, usd(spentUsd), left)
      fact('By its end', '–', `too few days to tell: ${plural(activeDays, 'active day')}`)
    } else {
      const { perDayUsd, totalUsd, lowUsd, highUsd } = forecast
      fact(`Spent in ${month}`, usd(spentUsd), `${usd(perDayUsd)} a day lately`)
      const range = lowUsd === highUsd ? '' : `${usd(lowUsd)} to ${usd(highUsd)}; `
      fact('By its end', `~${usd(totalUsd)}`, `${range}${left}`)
    }
    const active = blocks.find(({ isActive }) => isActive)
    if (active !== undefined) {
      const rate = active.burn === null ? '–' : usd(active.burn.costUsdPerHour)
      const below = `${plural(active.requests, 'request')}, ${short(active.tokens)} tokens; ${rate} an hour`
      fact('These five hours', usd(active.costUsd), below)
    }
  }
  const unusual = (key: string, what: string, { costUsd, medianUsd }: PrintedUnusual): void => {
    figures.set(
      figureOf('unusual', key, 'cost'),
      `${usd(costUsd)}; half of the ${what} before cost less than ${usd(medianUsd)}`,
    )
  }
  for (const day of unusualDays.slice(0, 5)) unusual(day.day, 'days', day)
  for (const session of unusualSessions.slice(0, 5)) unusual(session.sessionId, 'sessions', session)
}

/** What stands below what is missing in the cost. */
const missingText = ({ requests, unpricedRequests }: PrintedSum, missing: PrintedLeak | undefined): string => {
  const has = unpricedRequests === 1 ? 'has' : 'have'
  const unpriced = `${count(unpricedRequests)} of ${plural(requests, 'request')} ${has} no cost`
  if (missing === undefined)
    return unpricedRequests === 0
      ? 'nothing is missing in the cost'
      : `${unpriced}, so that the true cost is higher; there is no estimate of it`
  const replies = plural(missing.requests, 'reply', 'replies')
  return `estimated, not in the cost: ${replies} with more text than recorded tokens${unpricedRequests === 0 ? '' : `; besides, ${unpriced}`}`
}

/** What the page must show. */
export const expectedInsights = async (ask: Ask, wanted: Wanted, now: number): Promise<Figures> => {
  const figures: Figures = new Map()
  const printed = await insightsOf(ask, wanted, now)
  expectedBudgets(figures, printed)
  spendingFigures(figures, printed)
  const { total, leaks, activeDays } = printed
  if (total.requests === 0) return figures
  const missing = leaks.find(({ kind, costUsd }) => kind === 'missing-output' && costUsd > 0)
  figures.set('total / Cost', FORMS.cost(total))
  figures.set('below / Cost', plural(total.requests, 'request'))
  figures.set('total / Leaks', usd(printed.leakedUsd))
  figures.set('below / Leaks', `${shareOfLeaks(printed)} of the cost`)
  figures.set('total / Estimated missing', missing === undefined ? '–' : `~${usd(missing.costUsd)}`)
  figures.set('below / Estimated missing', missingText(total, missing))
  const { days, meanUsd, medianUsd } = activeDays
  if (days > 0) {
    figures.set('total / An active day', usd(meanUsd))
    const median = days === 1 ? '' : `, median ${usd(medianUsd)}`
    figures.set('below / An active day', `${plural(days, 'day')} with requests${median}`)
  }
  expectedLeaks(figures, printed, 'all')
  return figures
}
