/**
 * Clean-up: what killed processes and deletions left behind is found, and removed. Whoever may leave something behind has a
 * source here; each names its kinds and says why they may go.
 */
import { messageOf } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'

export interface CleanUpRow {
  /** What was left over, such as `name` or `temporary-file`. */
  readonly kind: string
  readonly found: number
  readonly removed: number
  readonly bytes: number
  /** Why it may go, as the end of a sentence. */
  readonly reason: string
}

export interface CleanUpQuery {
  /** Counts, and removes nothing. */
  readonly dryRun: boolean
  /** Only what takes milliseconds. */
  readonly quick: boolean
}

/** Something that can leave things behind. */
export interface CleanUpSource {
  readonly name: string
  /** False: left out of quick clean-ups. */
  readonly isQuick: boolean
  /** Rejects with one sentence; what other sources found is reported all the same. `now`: ms. */
  run(query: CleanUpQuery, now: number): Promise<readonly CleanUpRow[]>
}

export interface CleanUpReport {
  /** When it began, ms. */
  readonly at: number
  readonly dryRun: boolean
  readonly ms: number
  /** Kinds of which something was found, in the order of the sources. */
  readonly rows: readonly (CleanUpRow & { readonly source: string })[]
  /** Sources that could not do it, and those for which a quick clean-up had no time left. */
  readonly problems: readonly { readonly source: string; readonly message: string }[]
}

/**
 * Runs the sources one after the other, with `quick` only quick ones; with `dryRun` they only count. When `limitMs`
 * have passed no further one is begun, and is named as a problem; one that runs is waited for. Rows without a finding
 * are left out. Never rejects: a source that fails is a problem of the report.
 */
export const cleanUp = async (
  sources: readonly CleanUpSource[],
  query: CleanUpQuery,
  clock: Clock,
  limitMs = Infinity,
): Promise<CleanUpReport> => {
  const at = clock.now()
  const rows: CleanUpReport['rows'][number][] = []
  const problems: CleanUpReport['problems'][number][] = []
  for (const each of sources) {
    const source = each.name
    if (query.quick && !each.isQuick) continue
    if (clock.now() - at >= limitMs) {
      problems.push({ source, message: 'There was no time left for it; cairn cleanup does it.' })
      continue
    }
    try {
      for (const row of await each.run(query, at)) if (row.found > 0) rows.push({ source, ...row })
    } catch (error) {
      problems.push({ source, message: messageOf(error) })
    }
  }
  return { at, dryRun: query.dryRun, ms: clock.now() - at, rows, problems }
}
