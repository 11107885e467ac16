/** `cairn insights`: where money is wasted, what to do about it, and the forecast of spending. */
import type { Engine } from '@cairn/core'
import { spanBefore } from '@cairn/core/insights'
import type {
  ActiveDays,
  CostChange,
  LeakQuery,
  MonthlyBudget,
  ProjectFilter,
  SpendingReport,
  TimeSpan,
} from '@cairn/core/insights'
import type { CommonOptions, Context, Define } from '../command.ts'
import { definedValues } from '../options/defined-values.ts'
import { sayUnmatched } from '../options/filters.ts'
import type { NameFilter } from '../options/filters.ts'
import { amountInUsd, someText, timeRange } from '../options/option-values.ts'
import { projectFilterOf } from '../options/project-option.ts'
import { paidFor } from '../options/set-plans.ts'
import { isAll, setBudgets } from '../options/set-budgets.ts'
import { activeDaysJson, activeDaysSentence, changeJson, changeSentences } from '../output/cost-change.ts'
import { leakReportJson, showLeaks } from '../output/leak-table.ts'
import { paidJson, showPaid } from '../output/paid-table.ts'
import { shownIds } from '../output/session-ids.ts'
import {
  budgetSentences,
  budgetsJson,
  monthlyBudgetSentence,
  spendingJson,
  spendingLines,
} from '../output/spending-report.ts'
import { wrapLine } from '../terminal/wrap.ts'

interface InsightsOptions extends CommonOptions {
  readonly since?: string
  readonly until?: string
  readonly timezone?: string
  readonly session?: string
  readonly project?: string
  readonly budget?: number
}

const HELP = `
Times: a date (2026-01-31), an instant (2026-01-31T08:00:00Z), 7d, 24h, today,
yesterday.
The leaks in the upper table are separate and add up; those in the lower table
view the same money from another side and are not part of any sum.
The setting budget.month is checked too: yours for all projects, or a project's
with --project or --workspace. Only --budget changes the exit code.
Costs are API-equivalent: what requests cost at API prices. With subscriptions
or discounts set (cairn config --help), what is paid stands in a table below.

Examples:
  cairn insights
  cairn insights --since 30d --workspace .
  cairn insights --project shop
  cairn insights --session 0ccf1a04
  cairn insights --budget 200                  exit code 3 above $200 this month
  cairn insights --since 2026-01-01 --until 2026-01-31 --json`

/** Declares `cairn insights`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Show where money is wasted: long pauses, broken caches, unused results, …')
    .option('--since <time>', 'from this time on')
    .option('--until <time>', 'up to this time; a date includes its day')
    .option('--timezone <name>', "time zone of the days, e.g. Europe/Berlin (default: the system's)")
    .option('--session <id>', 'only this session', someText('--session', "a session's id, or the beginning of it"))
    .option(
      '--project <name>',
      'only this project, with all its folders',
      someText('--project', "a project's name or folder"),
    )
    .option('--budget <usd>', 'exit with 3 if this month has cost more', amountInUsd('--budget'))
    .addHelpText('after', HELP)
    .action((options: InsightsOptions) => runInsights(options, context))
}

/**
 * Prints the leaks as a table with advice, and how spending develops: `{total, leakedUsd, leaks, forecast, budget,
 * unusualDays, unusualSessions, blocks, budgets, activeDays, change, paid}` as JSON, costs in USD. With `--session`
 * without what changed, and without forecast and budgets unless `--budget` is given. Exit code 3 if `--budget` is
 * exceeded.
 */
const runInsights = async (options: InsightsOptions, context: Context): Promise<void> => {
  const settings = await context.settings(options)
  const timeZone = options.timezone ?? settings.timezone.value
  const workspace = await context.workspace(options)
  const range = timeRange(options, timeZone, context.now())
  const engine = await context.readEngine(options)
  const session = options.session === undefined ? undefined : await engine.sessions.find(options.session)
  const ofProject = await projectFilterOf(workspace, options.project, engine, context)
  const query: LeakQuery = { ...range, ...ofProject, ...(session === undefined ? {} : { sessionId: session.id }) }
  const leaks = await engine.insights.leaks(query)
  const spent = await spendingFor(options, ofProject, timeZone, engine, context)
  const trend = await trendOf(query, timeZone, engine, context)
  const filter = { ...namesOf(ofProject), ...(session === undefined ? {} : { session: session.id }) }
  const paid = await paidFor({ ...range, timeZone, filter }, engine, context)
  if (options.json === true)
    await context.json({
      ...leakReportJson(leaks),
      activeDays: activeDaysJson(trend.activeDays),
      ...(trend.change === undefined ? {} : { change: changeJson(trend.change, trend.before) }),
      ...(paid === undefined ? {} : { paid: paidJson(paid) }),
      ...(spent === undefined ? {} : { ...spendingJson(spent.spending), budgets: budgetsJson(spent.budgets) }),
    })
  else {
    await showLeaks(leaks, engine, context)
    if (paid !== undefined && paid.rows.length > 0) await showPaid(paid, context.terminal)
    await showTrend(trend, engine, context)
    if (spent !== undefined) await showSpending(spent, engine, context)
  }
  if (leaks.total.requests === 0) await sayUnmatched(namesOf(ofProject), engine, context)
  if (spent?.spending.budget !== undefined) await sayBudget(spent.spending, options, context)
}

/** The project as a filter of usage. */
const namesOf = ({ workspace, project }: ProjectFilter): NameFilter =>
  definedValues({ workspace, project: project?.key })

/** What a day costs and, with a start and without `--session`, what changed since the period before. */
type Trend =
  | { readonly activeDays: ActiveDays; readonly change?: undefined }
  | { readonly activeDays: ActiveDays; readonly change: CostChange; readonly before: TimeSpan }

/**
 * Returns what a day costs, and what changed against the period of the same length before; that only with a beginning
 * (`since`), and without a session.
 */
const trendOf = async (
  { since, until, sessionId, ...ofProject }: LeakQuery,
  timeZone: string,
  { insights }: Engine,
  context: Context,
): Promise<Trend> => {
  const end = until === undefined ? {} : { until }
  const filter = {
    ...namesOf(ofProject),
    ...(sessionId === undefined ? {} : { session: sessionId }),
  }
  const activeDays = await insights.activeDays({ ...(since === undefined ? {} : { since }), ...end, timeZone, filter })
  if (since === undefined || sessionId !== undefined) return { activeDays }
  const now = { since, ...end }
  const before = spanBefore(now, timeZone, context.now())
  return before === undefined
    ? { activeDays }
    : { activeDays, before, change: await insights.change({ now, before, filter }) }
}

/** Prints what a day costs, and what changed; nothing if neither is known. */
const showTrend = async (trend: Trend, engine: Engine, { terminal }: Context): Promise<void> => {
  const days = activeDaysSentence(trend.activeDays)
  const moved = trend.change?.by.session.movers.map(({ key }) => key) ?? []
  const ids = await shownIds(
    moved.map((id) => ({ id, externalId: id.slice(id.indexOf(':') + 1) })),
    engine.store.sessions,
  )
  const sentences = [
    ...(days === undefined ? [] : [days]),
    ...(trend.change === undefined ? [] : changeSentences(trend.change, trend.before, (id) => ids.get(id) ?? id)),
  ]
  if (sentences.length > 0) await terminal.line()
  for (const sentence of sentences) for (const line of wrapLine(sentence, terminal.width)) await terminal.line(line)
}

/** How spending develops, with budgets. */
interface Spent {
  readonly spending: SpendingReport
  readonly budgets: readonly MonthlyBudget[]
  /** About projects whose budgets are not what was asked for; sentences. */
  readonly warnings: readonly string[]
}

/**
 * Returns how spending develops, with budgets; `--budget` counts before one that is set. Undefined for `--session`
 * without `--budget`.
 */
const spendingFor = async (
  { session, budget }: InsightsOptions,
  ofProject: ProjectFilter,
  timeZone: string,
  engine: Engine,
  context: Context,
): Promise<Spent | undefined> => {
  if (session !== undefined && budget === undefined) return undefined
  const { budgets, limitUsd } = await setBudgets(ofProject, timeZone, engine, context)
  const monthlyBudgetUsd = budget ?? limitUsd
  const spending = await engine.insights.spending({
    timeZone,
    ...ofProject,
    ...(monthlyBudgetUsd === undefined ? {} : { monthlyBudgetUsd }),
  })
  return { spending, budgets, warnings: isAll(ofProject) ? budgetSentences(budgets) : [] }
}

/**
 * Prints how the month compares with its budget, if there is one: on standard error if it is exceeded or the forecast
 * exceeds it, with `--json` too, otherwise on standard output. Exit code 3 only if the budget of `--budget` is
 * exceeded.
 */
const sayBudget = async (
  { forecast, budget }: SpendingReport,
  { budget: given, json }: InsightsOptions,
  context: Context,
): Promise<void> => {
  if (budget === undefined) return
  const { terminal } = context
  const sentence = monthlyBudgetSentence(forecast, budget)
  if (budget.state === 'exceeded' && given !== undefined) context.setExitCode(3)
  if (budget.state !== 'ok') terminal.note(sentence)
  else if (json !== true) for (const line of wrapLine(sentence, terminal.width)) await terminal.line(line)
}

/** Prints forecast, blocks and what is unusual; warnings of budgets on standard error. */
const showSpending = async ({ spending, warnings }: Spent, engine: Engine, { terminal }: Context): Promise<void> => {
  const named = spending.unusualSessions.map(({ sessionId: id }) => ({ id, externalId: id.slice(id.indexOf(':') + 1) }))
  const ids = await shownIds(named, engine.store.sessions)
  const lines = spendingLines(spending, (id) => ids.get(id) ?? id)
  if (lines.length > 0) await terminal.line()
  for (const sentence of lines) for (const line of wrapLine(sentence, terminal.width)) await terminal.line(line)
  for (const sentence of warnings) terminal.note(sentence)
}
