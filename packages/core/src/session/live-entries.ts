/**
 * Which entries of a log are in force. A rewind makes the session what it was when `toSeq` was its last entry,
 * with all that was taken back by then and nothing else: to rewind to the entry before a rewind takes that
 * rewind back. Keeps ranges only, so it costs what rewinds cost, not what was said.
 */
import type { LogEntry } from '../session-log.ts'

/** From one entry to another, both included. */
export interface SeqRange {
  readonly fromSeq: number
  readonly toSeq: number
}

export interface LiveEntries {
  /** Takes the log's next entry; only rewinds matter, others may be left out. */
  step(entry: Pick<LogEntry, 'kind' | 'seq'>): void
  /** Whether the entry of that number is in force, as far as the log was given. */
  has(seq: number): boolean
  /** What rewinds took back, in order; without the rewinds themselves. */
  takenBack(): readonly SeqRange[]
}

interface State {
  /** The rewind after which it held; -1 for the beginning. */
  readonly since: number
  /** What was in force up to there. */
  readonly ranges: readonly SeqRange[]
}

/** Of a log without rewinds all entries are in force. Feed it the log, or its rewinds, from the beginning. */
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

/** The parts of a range between the rewinds in it. */
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

/** The entries of a log that are in force, in order; rewinds are in none. */
export const liveEntries = (log: readonly LogEntry[]): readonly LogEntry[] => {
  const live = createLiveEntries()
  for (const entry of log) live.step(entry)
  return log.filter((entry) => entry.kind !== 'rewind' && live.has(entry.seq))
}
