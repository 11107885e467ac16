/** The archive: a session as threads of all its messages, with summaries as data. Derived from the log, kept nowhere else. */
import type { ThreadSummary } from '../summary/thread-summary.ts'

/** A stretch of a session between two trims, or the whole of it. */
export interface ArchiveThread {
  /** Places in the log, both included. */
  readonly fromSeq: number
  readonly toSeq: number
  readonly fromAt: number | null
  readonly toAt: number | null
  readonly messages: number
  /** Messages of it that the model does not see any more. */
  readonly outOfView: number
  readonly summary: ThreadSummary
}

export interface SessionArchive {
  readonly sessionId: string
  readonly threads: readonly ArchiveThread[]
  /** Of all threads: bounded, the newest and the edited first. */
  readonly merged: ThreadSummary
  /** As a prompt is given it. */
  readonly text: string
}
