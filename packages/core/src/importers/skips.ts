/** Collects what was left out, so that one damaged file does not bury the others: five rows a file at most. */
import type { ImportSkip } from '../events.ts'

const ROWS_PER_FILE = 5

export interface SkipCollector {
  add(reason: string, line?: number, count?: number): void
  /** The rows so far. */
  rows(): readonly ImportSkip[]
}

/** The skips of one file: the first ones by themselves, all further ones counted in the last row. */
export const createSkipCollector = (file: string): SkipCollector => {
  const rows: ImportSkip[] = []
  return {
    add: (reason, line, count = 1) => {
      const last = rows.at(-1)
      if (rows.length < ROWS_PER_FILE || last === undefined) {
        rows.push({ file, ...(line === undefined ? {} : { line }), reason, count })
        return
      }
      rows[rows.length - 1] = { ...last, count: last.count + count }
    },
    rows: () => rows,
  }
}
