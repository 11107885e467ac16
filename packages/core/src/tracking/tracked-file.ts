/** A file that is, or was, in a session's context. */

/**
 * How a file came up: the agent read or edited it, the user attached or mentioned it, or someone other than this
 * conversation's agent changed it.
 */
export type FileSource = 'read' | 'edit' | 'mention' | 'external-edit'

/**
 * `active`: the model's view has the last known version of the file. `stale`: the file was changed since by an edit
 * that is not in the view: by a person or program, by a subagent, or by the agent itself in messages that left the
 * view. `removed`: none of its content is in the view any more.
 */
export type FileState = 'active' | 'stale' | 'removed'

/** One thing that happened to a file. */
export interface FileRecord {
  /** The number of the log entry that records it. */
  readonly seq: number
  /** ms; null if the log has no time. */
  readonly at: number | null
  readonly source: FileSource
  /** For an external edit, who made it, if known; for a subagent's read or edit, `subagent`. */
  readonly by?: string
  /** SHA-256 of the file's content after it, in hex, if the log has it. */
  readonly hash?: string
  /** The file's state for the newest record. Older records are `stale`, or `removed` if their content left the view. */
  readonly state: FileState
}

/** The newest times of each kind, ms; null if there was none, or none with a time. A rewind never changes them. */
export interface FileDates {
  readonly readAt: number | null
  readonly editAt: number | null
  readonly mentionAt: number | null
  readonly externalEditAt: number | null
}

export interface TrackedFile extends FileDates {
  /** Relative to the workspace if inside it, otherwise as named in the log. */
  readonly path: string
  readonly state: FileState
  /** The source of the newest record. */
  readonly source: FileSource
  /** All sources, in order of first occurrence. */
  readonly sources: readonly FileSource[]
  /** The newest change that made it stale, if it is. */
  readonly changedBy: Pick<FileRecord, 'source' | 'at' | 'by'> | null
  /** The newest records, oldest first. */
  readonly history: readonly FileRecord[]
  /** Number of older records, which are only in the log. */
  readonly olderRecords: number
}
