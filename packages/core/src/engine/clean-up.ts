/** Clean-up of a store and of what lies beside it: on demand, and a short one when a program starts. */
import type { Checkpoints } from '../checkpoints/checkpoints.ts'
import { checkpointSource } from '../cleanup/checkpoint-source.ts'
import { cleanUp } from '../cleanup/clean-up.ts'
import type { CleanUpReport, CleanUpSource } from '../cleanup/clean-up.ts'
import { parseReport } from '../cleanup/parse-report.ts'
import { storeSource } from '../cleanup/store-source.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'

const DAY_MS = 86_400_000
/** A program that starts waits no longer; what runs then is waited for. */
const START_LIMIT_MS = 5

export interface EngineCleanUp {
  /** Finds what was left behind and removes it, or with `dryRun` only counts it. Sources that fail are in the report. */
  run(options?: { readonly dryRun?: boolean }): Promise<CleanUpReport>
  /** A short one, once a day for all programs: undefined when it is not due, and where the store can't be written. */
  atStart(): Promise<CleanUpReport | undefined>
  /** The report of the last one; undefined when there was none. */
  last(): Promise<CleanUpReport | undefined>
}

/** What lies beside the store, such as the data folder's files. */
export interface BesideTheStore {
  readonly sources: readonly CleanUpSource[]
  /** Whether an imported file is gone for good. Absent: nobody can say. */
  readonly isGone?: (path: string) => boolean
}

export interface CleanUpDeps {
  readonly store: Store
  readonly clock: Clock
  readonly beside: () => Promise<BesideTheStore>
  /** Absent: there are none. */
  readonly checkpoints: Checkpoints | undefined
}

/**
 * Clean-up over a store, its checkpoints, and what the program names beside it. `run` does all of it, `atStart` the
 * quick part once a day among all processes, and never rejects; `last` is undefined where there was none.
 */
export const createCleanUp = ({ store, clock, beside, checkpoints }: CleanUpDeps): EngineCleanUp => {
  const sourcesNow = async (): Promise<readonly CleanUpSource[]> => {
    const { sources, isGone } = await beside()
    return [
      storeSource(store.cleanUp, isGone),
      ...sources,
      ...(checkpoints === undefined ? [] : [checkpointSource(checkpoints)]),
    ]
  }
  const record = (report: CleanUpReport): Promise<void> =>
    store.cleanUp.record({ at: report.at, report: JSON.stringify(report) })
  return {
    run: async ({ dryRun = false } = {}) => {
      const report = await cleanUp(await sourcesNow(), { dryRun, quick: false }, clock)
      if (!dryRun) await record(report)
      return report
    },
    atStart: async () => {
      try {
        if (!(await store.cleanUp.claim(clock.now(), DAY_MS))) return undefined
        const report = await cleanUp(await sourcesNow(), { dryRun: false, quick: true }, clock, START_LIMIT_MS)
        await record(report)
        return report
      } catch {
        // A store that can't be written now is no reason not to start: whoever writes to it says what is wrong.
        return undefined
      }
    },
    last: async () => {
      const record = await store.cleanUp.last()
      return record === undefined ? undefined : parseReport(record.report)
    },
  }
}
