/** Usage of today, this week and all time, of this project and of all, from the sums in the store. */
import { DAY_MS, addTotals, emptyTotals, parseTime, periodKey, zoneOffsets } from '@cairn/core'
import type { UsageReport, UsageStorage, UsageTotals } from '@cairn/core'

/** The usage of one span of time. */
export interface SpanUsage {
  /** Undefined when no folder is open. */
  readonly project: UsageTotals | undefined
  readonly all: UsageTotals
}

/** The usage of the open project and of all projects. */
export interface ProjectUsage {
  /** The project's name; undefined when no folder is open. */
  readonly name: string | undefined
  readonly today: SpanUsage
  /** From Monday. */
  readonly week: SpanUsage
  readonly ever: SpanUsage
}

/** Whose usage is read, and when. */
export interface ProjectQuery {
  /** The open folders, or the repositories that they belong to; absolute. */
  readonly folders: readonly string[]
  /** IANA name. */
  readonly timeZone: string
  /** ms */
  readonly now: number
}

/** Returns a path in a form that can be compared, as Windows paths come in upper and lower case. */
const comparable = (path: string): string => {
  const whole = path.length > 1 ? path.replace(/[\\/]+$/, '') : path
  return /^[A-Za-z]:/.test(whole) ? whole.toLowerCase().replaceAll('\\', '/') : whole
}

/** Whether a workspace of the store is one of the folders or lies in one, judged by their paths. */
export const belongsTo = (workspace: string, folders: readonly string[]): boolean => {
  const path = comparable(workspace)
  return folders
    .map(comparable)
    .some((folder) => path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`))
}

/** Returns the name of the first open folder, with `and 2 more` if there are more; undefined if none is open. */
export const projectName = (folders: readonly string[]): string | undefined => {
  const [first] = folders
  if (first === undefined) return undefined
  const name =
    first
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .at(-1) ?? first
  return folders.length === 1 ? name : `${name} and ${folders.length - 1} more`
}

/** Returns the sums of a report, of the project (undefined if no folder is open) and of all. */
const spanOf = (report: UsageReport, folders: readonly string[]): SpanUsage => ({
  project:
    folders.length === 0
      ? undefined
      : report.rows.filter((row) => belongsTo(row.key, folders)).reduce<UsageTotals>(addTotals, emptyTotals),
  all: report.total,
})

/** Returns the times (ms) at which today and this week (from Monday) began in a time zone, as of `now` (ms). */
export const spanStarts = (timeZone: string, now: number): { readonly today: number; readonly week: number } => {
  const day = Math.floor((now + (zoneOffsets(timeZone, now, now)[0]?.offsetMs ?? 0)) / DAY_MS)
  const startOf = (dayNumber: number): number => parseTime(periodKey('day', dayNumber), timeZone, 'since', now)
  // 1970-01-01 was a Thursday.
  return { today: startOf(day), week: startOf(day - ((day + 3) % 7)) }
}

/**
 * Returns the usage of the project and of all projects: today, this week (from Monday), and in total. Rejects if the
 * store can't be read.
 */
export const readProjectUsage = async (
  usage: Pick<UsageStorage, 'report'>,
  { folders, timeZone, now }: ProjectQuery,
): Promise<ProjectUsage> => {
  const starts = spanStarts(timeZone, now)
  const [today, week, ever] = await Promise.all([
    usage.report({ by: 'workspace', since: starts.today }),
    usage.report({ by: 'workspace', since: starts.week }),
    usage.report({ by: 'workspace' }),
  ])
  return {
    name: projectName(folders),
    today: spanOf(today, folders),
    week: spanOf(week, folders),
    ever: spanOf(ever, folders),
  }
}
