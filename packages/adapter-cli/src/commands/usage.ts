/** `cairn usage`: tokens and cost, grouped, with a budget check. */
import { USAGE_GROUPINGS, assertTimeZone, unpricedModels } from '@cairn/core'
import type { BudgetCheck, Engine, UsageDimension, UsageGrouping, UsageQuery, UsageReport, UsageRow } from '@cairn/core'
import type { CommonOptions, Context, Define } from '../command.ts'
import { checkAgent, sayUnmatched } from '../options/filters.ts'
import { lookAtNewFolders, severalProjects, severalWholeProjects } from '../options/project-option.ts'
import { paidFor } from '../options/set-plans.ts'
import { reportJson } from '../output/json-output.ts'
import { subagentsOf } from '../output/session-costs.ts'
import { amountInUsd, oneOf, someText, timeRange } from '../options/option-values.ts'
import { paidJson, showPaid } from '../output/paid-table.ts'
import { failuresOf, showUsage } from '../output/usage-table.ts'
import { budgetJson, budgetSentence, unpricedSentence } from '../output/usage-budget.ts'

/** The options of `usage`. */
interface UsageOptions extends CommonOptions {
  readonly by: UsageGrouping | 'commit'
  readonly since?: string
  readonly until?: string
  readonly timezone?: string
  readonly maxCost?: number
  readonly model?: string
  readonly agent?: string
  readonly branch?: string
  readonly mode?: string
  readonly session?: string
  readonly project?: string
  readonly person?: string
  readonly machine?: string
}

/** Commits are git's, not the store's. */
const GROUPINGS = [...USAGE_GROUPINGS, 'commit'] as const

const HELP = `
Times: a date (2026-01-31), an instant (2026-01-31T08:00:00Z), 7d, 24h, today,
yesterday.
Every grouping sums the same requests, so all totals agree.
A project is a repository, in any number of folders (cairn project); a workspace
is one folder. Only a team's store knows people and machines.
A commit counts the requests since the previous commit on the branch (--branch,
or the one that is checked out) of this project; this needs git.
Costs are API-equivalent: what requests cost at API prices. With subscriptions
or discounts set (cairn config --help), what is paid stands in a table below.

Examples:
  cairn usage
  cairn usage --by session --since 7d
  cairn usage --by model --workspace . --json
  cairn usage --by project --since 30d
  cairn usage --by commit --branch main --workspace .
  cairn usage --since today --max-cost 20      exit code 3 above $20: for CI`

/** Declares `cairn usage`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Show the tokens and cost of all requests, grouped.')
    .option('--by <grouping>', GROUPINGS.join(', '), oneOf('--by', GROUPINGS), 'day')
    .option('--since <time>', 'from this time on')
    .option('--until <time>', 'up to this time; a date includes its day')
    .option('--timezone <name>', "time zone of the days, e.g. Europe/Berlin (default: the system's)")
    .option(
      '--max-cost <usd>',
      'exit with 3 if the total is above, not counting estimates of missing output',
      amountInUsd('--max-cost'),
    )
    .option('--model <name>', 'only this model', someText('--model', "a model's name"))
    .option('--agent <name>', 'only this agent')
    .option('--branch <name>', 'only this git branch', someText('--branch', "a branch's name"))
    .option('--mode <name>', 'only this mode, e.g. plan', someText('--mode', "a mode's name"))
    .option('--session <id>', 'only this session', someText('--session', "a session's id, or the beginning of it"))
    .option(
      '--project <name>',
      'only this project, with all its folders',
      someText('--project', "a project's name or folder"),
    )
    .option('--person <name>', "only this person, in a team's store", someText('--person', "a person's name"))
    .option('--machine <name>', "only this machine, in a team's store", someText('--machine', "a machine's name"))
    .addHelpText('after', HELP)
    .action((options: UsageOptions) => runUsage(options, context))
}

/**
 * Returns the query that the options ask for. Rejects with `usage` for an unknown time zone or an invalid time. Values
 * of filters are not checked.
 */
const queryOf = async (options: UsageOptions, context: Context): Promise<Omit<UsageQuery, 'by'>> => {
  const { timezone } = await context.settings(options)
  const timeZone = options.timezone ?? timezone.value
  assertTimeZone(timeZone)
  const given = {
    workspace: await context.workspace(options),
    model: options.model,
    agent: options.agent,
    branch: options.branch,
    mode: options.mode,
    session: options.session,
    project: options.project,
    person: options.person,
    machine: options.machine,
  }
  const filter: Partial<Record<UsageDimension, string>> = {}
  for (const [dimension, value] of Object.entries(given) as [UsageDimension, string | undefined][])
    if (value !== undefined) filter[dimension] = value
  return {
    timeZone,
    ...timeRange(options, timeZone, context.now()),
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
  }
}

/**
 * Prints the report as a table, or with `--json` as one document with the fields of `UsageReport`; notes go to standard
 * error. Exit code 3 when `--max-cost` is exceeded. Rejects with `usage` for an unknown agent, time zone or time, with
 * `not-found` or `ambiguous` for the session. A filter that matches nothing is told, not rejected.
 */
const runUsage = async (options: UsageOptions, context: Context): Promise<void> => {
  const asked = await queryOf(options, context)
  const engine = await context.readEngine(options)
  await checkAgent(options.agent, engine)
  const query =
    options.session === undefined
      ? asked
      : { ...asked, filter: { ...asked.filter, session: (await engine.sessions.find(options.session)).id } }
  if (options.by === 'commit') return runCommits(options, query, engine, context)
  if (options.by === 'project' || options.project !== undefined) await lookAtNewFolders(engine)
  await saySeveral(options, query.filter?.workspace, engine, context)
  const grouped = { ...query, by: options.by }
  const report = await engine.usage.report(grouped, options.maxCost)
  const { budget } = report
  await showReport(report, grouped, options.json === true, engine, context)
  if (report.total.requests === 0) await sayUnmatched(query.filter ?? {}, engine, context)
  else if (isNobodyKnown(options.by, report.rows))
    context.terminal.note(
      "No machine is known of these requests: people and machines are told apart in a team's store, which cairn sync sends to.",
    )
  if (budget !== undefined) await sayBudget(budget, options, context)
}

/**
 * Prints the report, with what is paid where a subscription or discount is set. `isJson`: as the one JSON document,
 * with failed requests, models without a price and the budget.
 */
const showReport = async (
  report: UsageReport & { readonly budget?: BudgetCheck },
  query: UsageQuery,
  isJson: boolean,
  engine: Engine,
  context: Context,
): Promise<void> => {
  const paid = await paidFor(query, engine, context)
  if (!isJson) {
    await showUsage(report, query, engine, context)
    if (paid !== undefined && paid.rows.length > 0) await showPaid(paid, context.terminal)
    return
  }
  const { budget, total } = report
  const subagents =
    query.by === 'session'
      ? await subagentsOf(
          report.rows.map(({ key }) => key),
          query,
          engine,
        )
      : undefined
  await context.json({
    ...reportJson(report, subagents),
    failures: await failuresOf(query, engine),
    ...(total.unpricedRequests === 0 ? {} : { unpriced: await unpricedModels(engine.usage, query, context.now()) }),
    ...(paid === undefined ? {} : { paid: paidJson(paid) }),
    ...(budget === undefined ? {} : { budget: budgetJson(budget) }),
  })
}

/**
 * Notes on standard error, with `--json` too, what is counted together if the name given as `--project` is that of
 * several projects, or the one given as `--workspace` that of several folders. Says nothing for any other name or path.
 */
const saySeveral = async (
  { project }: UsageOptions,
  workspace: string | undefined,
  engine: Engine,
  { terminal }: Context,
): Promise<void> => {
  const several = [
    project === undefined ? undefined : await severalWholeProjects(project, engine),
    workspace === undefined ? undefined : await severalProjects(workspace, engine),
  ]
  for (const sentence of several) if (sentence !== undefined) terminal.note(`${sentence} They are counted together.`)
}

/** Whether a report by people or machines knows none: all its rows are `unknown`, as in a user's own store. */
const isNobodyKnown = (by: UsageOptions['by'], rows: readonly UsageRow[]): boolean =>
  (by === 'person' || by === 'machine') && rows.every(({ key }) => key === 'unknown')

/**
 * Shows usage by the commits of the query's project, by default the working folder's, and how it stands to
 * `--max-cost`: the exit code is 3 above it.
 */
const runCommits = async (
  options: UsageOptions,
  query: Omit<UsageQuery, 'by'>,
  engine: Engine,
  context: Context,
): Promise<void> => {
  const { json = false, maxCost } = options
  const project = query.filter?.workspace ?? (await context.workspace({ ...options, workspace: '.' })) ?? '.'
  const { showCommits } = await import('./usage-commits.ts')
  const budget = await showCommits(
    query,
    { project, json, ...(maxCost === undefined ? {} : { maxCost }) },
    engine,
    context,
  )
  if (budget !== undefined) await sayBudget(budget, options, context)
}

/**
 * Says how the sum stands to `--max-cost`: on standard error and with exit code 3 when it is above, else on standard
 * output, but not with `--json`. Notes on standard error how many requests without a price are not in it.
 */
const sayBudget = async (budget: BudgetCheck, options: UsageOptions, context: Context): Promise<void> => {
  const sentence = budgetSentence(budget)
  if (budget.exceeded) {
    context.terminal.note(sentence)
    context.setExitCode(3)
  } else if (options.json !== true) await context.terminal.line(sentence)
  const unseen = unpricedSentence(budget)
  if (unseen !== undefined) context.terminal.note(unseen)
}
