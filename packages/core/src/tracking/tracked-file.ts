/** What is known of a file that is, or was, in a session's context. */

/**
 * How a file came up: the agent read or edited it, the user attached or named it, or it was changed by somebody other
 * than this conversation's agent.
 */
export type FileSource = 'read' | 'edit' | 'mention' | 'external-edit'

/**
 * `active`: the model's view holds the file as it was last known to be. `stale`: the file was changed since by an edit
 * that is not in the view: by a person or program, by a subagent, or by the agent itself in messages that left it.
 * `removed`: nothing of its content is in the view any more.
 */
export type FileState = 'active' | 'stale' | 'removed'

/** One thing that happened to a file. */
export interface FileRecord {
  /** The log's entry that tells it. */
  readonly seq: number
  /** ms; null where the log has no time. */
  readonly at: number | null
  readonly source: FileSource
  /** Of an external edit, who made it, where that was found out; of a subagent's read or edit, `subagent`. */
  readonly by?: string
  /** SHA-256 of the file's content after it, hex, where the log has it. */
  readonly hash?: string
  /** The file's state for the newest record; older ones are `stale`, or `removed` when their content left the view. */
  readonly state: FileState
}

/** The newest times, ms, of each kind; null where there was none, or none with a time. Never taken back by a rewind. */
export interface FileDates {
  readonly readAt: number | null
  readonly editAt: number | null
  readonly mentionAt: number | null
  readonly externalEditAt: number | null
}

export interface TrackedFile extends FileDates {
  /** Relative to the workspace where it lies inside, else as the log names it. */
  readonly path: string
  readonly state: FileState
  /** Of the newest record. */
  readonly source: FileSource
  /** All kinds that there were, in the order in which they came first. */
  readonly sources: readonly FileSource[]
  /** The change that made it stale, where it is; the newest. */
  readonly changedBy: Pick<FileRecord, 'source' | 'at' | 'by'> | null
  /** The newest records, oldest first. */
  readonly history: readonly FileRecord[]
  /** Older records, which are in the log only. */
  readonly olderRecords: number
}
