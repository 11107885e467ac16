/** Whether, and by how many threads, large imports are read ahead. */
import { availableParallelism } from 'node:os'

export interface ImportThreads {
  /** The file that a reading thread runs: `import-threads/reading-thread.ts`, or what a build has made of it. */
  readonly program: URL
  readonly count: number
  /** Bytes of new files from which threads pay. */
  readonly leastBytes: number
}

/** Each takes about 70 MB. */
const MOST_THREADS = 4
/** Below this a thread has hardly warmed up when the import is done. */
const LEAST_BYTES = 8 << 20

/** Threads that run a program, one less than there are processors; undefined where there is only one, or no program. */
export const importThreads = (
  program: URL | undefined,
  processors = availableParallelism(),
): ImportThreads | undefined =>
  program === undefined || processors < 2
    ? undefined
    : { program, count: Math.min(MOST_THREADS, processors - 1), leastBytes: LEAST_BYTES }
