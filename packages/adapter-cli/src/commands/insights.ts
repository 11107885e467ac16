/** `cairn insights`: where the money goes that need not, and what to do about it. */
import type { LeakQuery } from '@cairn/core'
import type { CommonOptions, Context, Define } from '../command.ts'
import { sayUnmatched } from '../options/filters.ts'
import { someText, timeRange } from '../options/option-values.ts'
import { leakReportJson, showLeaks } from '../output/leak-report.ts'

interface InsightsOptions extends CommonOptions {
  readonly since?: string
  readonly until?: string
  readonly timezone?: string
  readonly session?: string
}

const HELP = `
Times: a date (2026-01-31), an instant (2026-01-31T08:00:00Z), 7d, 24h, today,
yesterday.
The upper leaks are of different dollars and add up; the lower ones show the
same dollars in another way, and are never added to anything.

Examples:
  cairn insights
  cairn insights --since 30d --workspace .
  cairn insights --session 0ccf1a04
  cairn insights --since 2026-01-01 --until 2026-01-31 --json`

/** Declares `cairn insights`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Where the money leaks: pauses, broken caches, results carried for nothing, …')
    .option('--since <time>', 'from this time on')
    .option('--until <time>', 'up to this time; a date includes its day')
    .option('--timezone <name>', "where days begin, e.g. Europe/Berlin (default: the system's)")
    .option('--session <id>', 'only this session', someText('--session', "a session's id, or the beginning of it"))
    .addHelpText('after', HELP)
    .action((options: InsightsOptions) => runInsights(options, context))
}

/** Prints the leaks as a table with advice: `{total, leaks, leakedUsd}` as JSON, costs in USD. */
const runInsights = async (options: InsightsOptions, context: Context): Promise<void> => {
  const { timezone } = await context.settings(options)
  const workspace = await context.workspace(options)
  const range = timeRange(options, options.timezone ?? timezone.value, context.now())
  const engine = await context.readEngine(options)
  const session = options.session === undefined ? undefined : await engine.sessions.find(options.session)
  const query: LeakQuery = {
    ...range,
    ...(workspace === undefined ? {} : { workspace }),
    ...(session === undefined ? {} : { sessionId: session.id }),
  }
  const report = await engine.insights.leaks(query)
  if (options.json === true) await context.json(leakReportJson(report))
  else await showLeaks(report, engine, context)
  if (report.total.requests === 0) await sayUnmatched(workspace === undefined ? {} : { workspace }, engine, context)
}
