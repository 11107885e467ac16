/**
 * Finds the entries that a session had at a given time, by binary search over their times. The log's order may differ
 * from the order of time, because a subagent's transcript is read after its parent's.
 */
import type { LogEntry } from '../session-log.ts'

/** Made by {@link createTimeIndex}. */
export interface TimeIndex {
  /** In the log's order. */
  readonly entries: readonly LogEntry[]
  /** By the same indexes: an entry's own time, or else that of the previous entry; −∞ before the first known time. */
  readonly times: readonly number[]
  /** Positions in order of time; null while the log is in that order. */
  readonly order: readonly number[] | null
}

interface GrowingTimeIndex extends TimeIndex {
  readonly entries: LogEntry[]
  readonly times: number[]
  order: number[] | null
}

/** The number of entries, in order, whose time is at or before `time`. By binary search. */
const countUntil = (length: number, timeAt: (position: number) => number, time: number): number => {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timeAt(middle) <= time) low = middle + 1
    else high = middle
  }
  return low
}

/** The time at a position of the order; −Infinity beyond it. */
const timeIn = (index: TimeIndex, position: number): number =>
  index.times[index.order === null ? position : (index.order[position] ?? 0)] ?? Number.NEGATIVE_INFINITY

/**
 * Adds an entry; one without a time gets that of the previous entry. Changes the index; of equal times the log's order
 * holds.
 */
const grow = (index: GrowingTimeIndex, entry: LogEntry): void => {
  const position = index.entries.length
  const time = entry.at ?? index.times.at(-1) ?? Number.NEGATIVE_INFINITY
  const isLatest = position === 0 || time >= timeIn(index, position - 1)
  index.entries.push(entry)
  index.times.push(time)
  if (isLatest) index.order?.push(position)
  else {
    index.order ??= Array.from({ length: position }, (_, earlier) => earlier)
    // After everything of the same time: of equal times the log's order holds.
    const { times, order } = index
    order.splice(
      countUntil(position, (at) => times[order[at] ?? 0] ?? Number.NEGATIVE_INFINITY, time),
      0,
      position,
    )
  }
}

export interface TimeIndexBuilder {
  readonly index: TimeIndex
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
}

/**
 * Creates an index of a log by time, for {@link entriesAt}; add further entries with `step`. Entries without a time
 * have that of the one before.
 */
export const createTimeIndex = (log: readonly LogEntry[] = []): TimeIndexBuilder => {
  const index: GrowingTimeIndex = { entries: [], times: [], order: null }
  for (const entry of log) grow(index, entry)
  return { index, step: (entry) => grow(index, entry) }
}

/** The entries that existed at a time (ms, inclusive), in log order; empty before the first. */
export const entriesAt = (index: TimeIndex, time: number): readonly LogEntry[] => {
  const count = countUntil(index.entries.length, (position) => timeIn(index, position), time)
  if (index.order === null) return index.entries.slice(0, count)
  const positions = index.order.slice(0, count).sort((left, right) => left - right)
  return positions.flatMap((position) => index.entries[position] ?? [])
}
