/** Threads that read ahead, for tests: however little there is to import. */
import type { ImportThreads } from '../import-threads/import-threads.ts'

/** So many threads, from the sources. */
export const readingThreads = (count: number): ImportThreads => ({
  program: new URL('../import-threads/reading-thread.ts', import.meta.url),
  count,
  leastBytes: 0,
})
