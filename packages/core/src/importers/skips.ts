/** Collects what was left out, so that one damaged file does not hide the others: five rows a file at most. */
import { CairnError, messageOf } from '../errors.ts'
import type { ImportSkip } from '../events.ts'

const ROWS_PER_FILE = 5
/** For the last row, where there are more reasons than rows. */
const OTHER = 'other reasons'

/** Collects the skips of one file. */
export interface SkipCollector {
  /** Counts something that was left out, and why. `line` is 1-based; `count` is 1 unless given. */
  add(reason: string, line?: number, count?: number): void
  /** The rows so far, five at most; their counts add up to all that was added. */
  rows(): readonly ImportSkip[]
}

/**
 * Starts a file without skips. Five are listed one by one; more are grouped by reason, with the line of the first, and
 * what has no row left is counted in the last one, whose reason then is `OTHER`. Rows are in the order of their first.
 */
export const createSkipCollector = (file: string): SkipCollector => {
  let rows: readonly ImportSkip[] = []
  let isGrouped = false
  return {
    add: (reason, line, count = 1) => {
      const row: ImportSkip = { file, ...(line === undefined ? {} : { line }), reason, count }
      if (!isGrouped && rows.length < ROWS_PER_FILE) rows = [...rows, row]
      else {
        rows = [...rows, row].reduce(addRow, [])
        isGrouped = true
      }
    },
    rows: () => rows,
  }
}

/** Adds a row to the one with its reason, or to the last one when the rows are full. The given rows are not changed. */
const addRow = (rows: readonly ImportSkip[], row: ImportSkip): readonly ImportSkip[] => {
  const same = rows.findIndex(({ reason }) => reason === row.reason)
  if (same < 0 && rows.length < ROWS_PER_FILE) return [...rows, row]
  const position = same < 0 ? rows.length - 1 : same
  return rows.map((known, index) =>
    index === position ? { ...known, reason: same < 0 ? OTHER : known.reason, count: known.count + row.count } : known,
  )
}

/**
 * An error's message without the path, which the skip's row names already. For an error that is none of Cairn's own it
 * says that the file could not be read.
 */
export const skipReason = (path: string, error: unknown): string => {
  const text = messageOf(error)
  const reason = text.startsWith(`${path}: `) ? text.slice(path.length + 2) : text
  return CairnError.is(error) ? reason : `could not be read: ${reason}`
}
