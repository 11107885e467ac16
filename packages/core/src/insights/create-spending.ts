/** Reads from the store what forecasts, budgets, unusual days and blocks are made of. */
import { assertName, assertObject, assertTextOrAbsent, invalidInput } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import type { StoredRequest, UsageQuery, UsageStorage } from '../ports/usage-storage.ts'
import { DAY_MS, assertTimeZone, dayKey, localDayOf, offsetAt, startOfLocalDay } from '../usage/calendar.ts'
import { allInputTokens } from '../usage/totals.ts'
import { BLOCK_MS, blocksOf } from './blocks.ts'
import { FORECAST_DAYS, budgetOf, forecastOf, medianOf, unusualDays, type DayCost } from './forecast.ts'
import { isMeant, usageFilter } from './project-filter.ts'
import type {
  BudgetsQuery,
  MonthlyBudget,
  SpendingQuery,
  SpendingReport,
  UnusualSession,
  UsageBlock,
} from './spending.ts'

export interface SpendingDeps {
  readonly sessions: Pick<SessionStorage, 'list'>
  readonly usage: Pick<UsageStorage, 'report' | 'requests'>
  readonly clock: Clock
}

/** Days that are looked at for what stands out. */
const RECENT_DAYS = 31
/** Sessions that are looked at, and that each is compared with. */
const RECENT_SESSIONS = 50
const SESSION_FACTOR = 5n
/** Fewer tell nothing of what is usual. */
const LEAST_SESSIONS = 10

/**
 * How the spending of all projects, or of one, goes on: the month's forecast, the budget if one is given, unusual days
 * and sessions, and the blocks of the last day.
 * @throws CairnError `invalid-input` for a query that can't be used, `usage` for an unknown zone
 */
export const spendingOf = async (deps: SpendingDeps, query: SpendingQuery): Promise<SpendingReport> => {
  assertSpendingQuery(query)
  const { timeZone = 'UTC', monthlyBudgetUsd } = query
  const now = deps.clock.now()
  const today = localDayOf(now, offsetAt(timeZone, now))
  const days = await dayCosts(deps, query, timeZone, today)
  const forecast = forecastOf(days, today, monthOf(today))
  return {
    forecast,
    ...(monthlyBudgetUsd === undefined ? {} : { budget: budgetOf(forecast, monthlyBudgetUsd) }),
    unusualDays: unusualDays(days, today - RECENT_DAYS, dayKey),
    unusualSessions: await unusualSessions(deps, query, startOfLocalDay(timeZone, today - RECENT_DAYS)),
    blocks: await recentBlocks(deps, query, now),
  }
}

/**
 * How this month's spending stands to each limit, in the order of `limits`; `project` null means all projects. Reads
 * the store once for each.
 * @throws CairnError `invalid-input` for a limit that can't be used, `usage` for an unknown zone
 */
export const budgetsOf = async (
  deps: Pick<SpendingDeps, 'usage' | 'clock'>,
  query: BudgetsQuery,
): Promise<readonly MonthlyBudget[]> => {
  assertObject(query, 'What budgets are asked by')
  const { limits, timeZone = 'UTC' } = query
  const now = deps.clock.now()
  const budgets: MonthlyBudget[] = []
  for (const { project, limitUsd } of limits) {
    const ofProject = project === null ? {} : { workspace: project }
    assertSpendingQuery({ ...ofProject, timeZone, monthlyBudgetUsd: limitUsd })
    const today = localDayOf(now, offsetAt(timeZone, now))
    const forecast = forecastOf(await dayCosts(deps, ofProject, timeZone, today), today, monthOf(today))
    budgets.push({ project, forecast, ...budgetOf(forecast, limitUsd) })
  }
  return budgets
}

/**
 * @throws CairnError `invalid-input` naming what is wrong (a budget must be above 0 USD); `usage` for an unknown zone
 */
const assertSpendingQuery = (query: SpendingQuery): void => {
  assertObject(query, 'What spending is asked by')
  const { workspace, timeZone, monthlyBudgetUsd } = query
  assertTextOrAbsent(workspace, 'The project that spending is of')
  if (timeZone !== undefined) {
    assertName(timeZone, 'The time zone')
    assertTimeZone(timeZone)
  }
  if (monthlyBudgetUsd !== undefined && !(Number.isFinite(monthlyBudgetUsd) && monthlyBudgetUsd > 0))
    throw invalidInput('A budget', 'an amount in USD above 0', monthlyBudgetUsd)
}

const filterOf = (query: SpendingQuery): Pick<UsageQuery, 'filter'> => ({ filter: usageFilter(query) })

/** What each day with requests cost, from 90 days before today to today, rising. */
const dayCosts = async (
  { usage }: Pick<SpendingDeps, 'usage'>,
  query: SpendingQuery,
  timeZone: string,
  today: number,
): Promise<readonly DayCost[]> => {
  const since = startOfLocalDay(timeZone, today - FORECAST_DAYS)
  const until = startOfLocalDay(timeZone, today + 1)
  const { rows } = await usage.report({ by: 'day', since, until, timeZone, ...filterOf(query) })
  return rows.map(({ key, costNano }) => ({ day: Date.parse(`${key}T00:00:00Z`) / DAY_MS, costNano }))
}

/** The month that a day is in: `2026-01`, its first day and the next month's, as day numbers. */
const monthOf = (day: number): { readonly name: string; readonly first: number; readonly next: number } => {
  const date = new Date(day * DAY_MS)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return {
    name: dayKey(day).slice(0, 7),
    first: Date.UTC(year, month, 1) / DAY_MS,
    next: Date.UTC(year, month + 1, 1) / DAY_MS,
  }
}

/**
 * Of the newest sessions with requests, at most 50, those active at `since` (ms) or later that cost more than
 * `SESSION_FACTOR` times the median of up to 50 before them, newest first. A session with fewer than `LEAST_SESSIONS`
 * before it is never unusual. Looks at 100 sessions in all.
 */
const unusualSessions = async (
  { sessions }: SpendingDeps,
  query: SpendingQuery,
  since: number,
): Promise<readonly UnusualSession[]> => {
  const page = await sessions.list({ limit: 2 * RECENT_SESSIONS, ...usageFilter(query) })
  const paid = page.sessions.filter(({ requests }) => requests > 0)
  return paid.slice(0, RECENT_SESSIONS).flatMap(({ id, title, updatedAt, costNano }, index) => {
    const before = paid.slice(index + 1, index + 1 + RECENT_SESSIONS).map((session) => session.costNano)
    const medianNano = medianOf(before)
    const isRecent = updatedAt !== null && updatedAt >= since
    return isRecent && before.length >= LEAST_SESSIONS && costNano > SESSION_FACTOR * medianNano
      ? [{ sessionId: id, title, at: updatedAt, costNano, medianNano }]
      : []
  })
}

/**
 * Blocks with a request in the last day, newest first. A block may have begun before it. Requests without a price cost
 * 0, those without a time are left out.
 */
const recentBlocks = async (
  { usage }: SpendingDeps,
  query: SpendingQuery,
  now: number,
): Promise<readonly UsageBlock[]> => {
  // A block of the last day may have begun before it, and what came before decides when it began.
  const since = now - 3 * DAY_MS
  const { rows } = await usage.report({ by: 'session', since, until: now + 1, ...filterOf(query) })
  const requests: StoredRequest[] = []
  for (const { key } of rows) requests.push(...(await usage.requests(key)))
  const timed = requests.flatMap((request) => {
    const { at, workspace, costNano, outputTokens } = request
    if (at === null || at < since || at > now || !isMeant(workspace, query)) return []
    return [{ at, tokens: allInputTokens(request) + outputTokens, costNano: costNano ?? 0n }]
  })
  return blocksOf(timed, now)
    .filter(({ start, lastAt }) => lastAt > now - DAY_MS && start + BLOCK_MS > now - DAY_MS)
    .toReversed()
}
