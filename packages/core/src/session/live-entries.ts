/**
 * Determines which entries of a log are in force. A rewind restores the session to the state in which `toSeq` was its
 * last entry, including the rewinds of that time. Rewinding to the entry before a rewind therefore undoes that rewind.
 * Only ranges are kept, so the cost depends on the number of rewinds, not on the length of the log.
 */
import type { LogEntry } from '../session-log.ts'

/** A range of entries, both ends included. */
export interface SeqRange {
  readonly fromSeq: number
  readonly toSeq: number
}

export interface LiveEntries {
  /** Takes the log's next entry; entries other than rewinds may be skipped. */
  step(entry: Pick<LogEntry, 'kind' | 'seq'>): void
  /** Whether the entry with this number is in force after the entries taken so far. */
  has(seq: number): boolean
  /** The ranges taken back by rewinds, in order; the rewinds themselves are excluded. */
  takenBack(): readonly SeqRange[]
}

interface State {
  /** The rewind after which these ranges applied; -1 for the beginning. */
  readonly since: number
  /** The ranges in force up to that point. */
  readonly ranges: readonly SeqRange[]
}

/**
 * Creates an empty state, in which all entries are in force. Feed it the log, or only its rewinds, from the beginning.
 * A rewind brings back what was in force at the entry it goes to, earlier rewinds included.
 */
export const createLiveEntries = (): LiveEntries => {
  const states: State[] = [{ since: -1, ranges: [] }]
  const rewinds = new Set<number>()

  const latest = (): State => states.at(-1) ?? { since: -1, ranges: [] }

  return {
    step: (entry) => {
      if (entry.kind !== 'rewind' || !('toSeq' in entry) || typeof entry.toSeq !== 'number') return
      const toSeq = Math.min(entry.toSeq, entry.seq - 1)
      const then = states.findLast(({ since }) => since <= toSeq) ?? { since: -1, ranges: [] }
      const more = toSeq > then.since ? [{ fromSeq: then.since + 1, toSeq }] : []
      rewinds.add(entry.seq)
      states.push({ since: entry.seq, ranges: [...then.ranges, ...more] })
    },
    has: (seq) => {
      const { since, ranges } = latest()
      return seq > since || ranges.some(({ fromSeq, toSeq }) => fromSeq <= seq && seq <= toSeq)
    },
    takenBack: () => {
      const { since, ranges } = latest()
      const gaps: SeqRange[] = []
      let next = 0
      for (const { fromSeq, toSeq } of [...ranges, { fromSeq: since + 1, toSeq: since + 1 }]) {
        if (fromSeq > next) gaps.push({ fromSeq: next, toSeq: fromSeq - 1 })
        next = toSeq + 1
      }
      return gaps.flatMap((gap) => withoutRewinds(gap, rewinds))
    },
  }
}

/** Splits a range at the rewinds in it and excludes them. */
const withoutRewinds = ({ fromSeq, toSeq }: SeqRange, rewinds: ReadonlySet<number>): readonly SeqRange[] => {
  const parts: SeqRange[] = []
  let from = fromSeq
  for (const seq of [...rewinds].filter((rewind) => fromSeq <= rewind && rewind <= toSeq)) {
    if (seq > from) parts.push({ fromSeq: from, toSeq: seq - 1 })
    from = seq + 1
  }
  if (from <= toSeq) parts.push({ fromSeq: from, toSeq })
  return parts
}

/** The entries of a log that are in force, in order, without rewinds. */
export const liveEntries = (log: readonly LogEntry[]): readonly LogEntry[] => {
  const live = createLiveEntries()
  for (const entry of log) live.step(entry)
  return log.filter((entry) => entry.kind !== 'rewind' && live.has(entry.seq))
}
