/** The archive: a session as threads of all its messages, with summaries as data. Derived from the log, kept nowhere else. */
import type { ThreadSummary } from '../summary/thread-summary.ts'

/** What took messages, or what they held, out of the model's view. */
export type TrimKind = 'truncation' | 'compaction' | 'rewrite' | 'rewind'

/** A stretch of a session between two trims, or the whole of it. */
export interface ArchiveThread {
  /** Places of its first and last message in the log. */
  readonly fromSeq: number
  readonly toSeq: number
  /** The earliest and latest time that its messages carry, ms. */
  readonly fromAt: number | null
  readonly toAt: number | null
  /** All of them, also subagents'. */
  readonly messages: number
  /** Messages of the main conversation that the model sees nothing of any more. */
  readonly outOfView: number
  /** Messages that a rewind took back. */
  readonly takenBack: number
  /** The trim that ended it; null for the thread that goes on. */
  readonly endedBy: TrimKind | null
  /** Of all its messages, also of those taken back. */
  readonly summary: ThreadSummary
}

export interface SessionArchive {
  readonly sessionId: string
  /** Oldest first; every message of the session is in exactly one. */
  readonly threads: readonly ArchiveThread[]
  /** Of all that was not taken back, and not dropped by the user: bounded, the newest and the edited first. */
  readonly merged: ThreadSummary
  /** `merged` as a prompt is given it. */
  readonly text: string
}
