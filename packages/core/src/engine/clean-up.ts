/** Clean-up of a store and of the files beside it: on demand, and a short one when a program starts. */
import type { Checkpoints } from '../checkpoints/checkpoints.ts'
import { checkpointSource } from '../cleanup/checkpoint-source.ts'
import { cleanUp } from '../cleanup/clean-up.ts'
import type { CleanUpReport, CleanUpSource } from '../cleanup/clean-up.ts'
import { parseReport } from '../cleanup/parse-report.ts'
import { storeSource } from '../cleanup/store-source.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'

const DAY_MS = 86_400_000
/** A starting program waits no longer than this; a step that is running then is awaited. */
const START_LIMIT_MS = 5

export interface EngineCleanUp {
  /** Finds leftovers and removes them; with `dryRun`, it only counts them. Failed sources are in the report. */
  run(options?: { readonly dryRun?: boolean }): Promise<CleanUpReport>
  /** The short clean-up, once a day for all programs. Undefined if it is not due, or if the store can't be written. */
  atStart(): Promise<CleanUpReport | undefined>
  /** The last report; undefined if there is none. */
  last(): Promise<CleanUpReport | undefined>
}

/** What lies beside the store, such as files in the data folder. */
export interface BesideTheStore {
  readonly sources: readonly CleanUpSource[]
  /** Whether an imported file is gone for good. Absent: unknown. */
  readonly isGone?: (path: string) => boolean
}

export interface CleanUpDeps {
  readonly store: Store
  readonly clock: Clock
  readonly beside: () => Promise<BesideTheStore>
  /** Absent if there are none. */
  readonly checkpoints: Checkpoints | undefined
}

/**
 * Creates the clean-up of a store, its checkpoints, and whatever the program names beside it. `run` does everything;
 * `atStart` does the quick part once a day among all processes and never rejects; `last` is the last report of either,
 * dry runs aside, and undefined if there is none that can be read.
 */
export const createCleanUp = ({ store, clock, beside, checkpoints }: CleanUpDeps): EngineCleanUp => {
  /** What is cleaned up: the store, what the program names now, and the checkpoints if there are any. */
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
    /** The quick clean-up if no program has made it for a day; undefined otherwise, and if anything fails. */
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
