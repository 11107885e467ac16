/**
 * Storage of notes: named texts of a workspace, with the session that wrote them. Any key is safe, and versions stay.
 */
export interface Note {
  readonly workspace: string
  readonly key: string
  readonly text: string
  readonly sessionId: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface NoteStorage {
  /** Sets a note; the earlier text stays readable as of then. On disk when the promise resolves. */
  set(note: {
    readonly workspace: string
    readonly key: string
    readonly text: string
    readonly sessionId?: string
    readonly at: number
  }): Promise<void>
  /** The note with this key, as of a time (ms) if given; undefined if there is none, or it had ended. */
  get(workspace: string, key: string, asOf?: number): Promise<Note | undefined>
  /** Sorted by key. */
  list(workspace: string, asOf?: number): Promise<readonly Note[]>
  /** A text that changes with each change of the workspace's notes, and only then. Reads no note. */
  revision(workspace: string): Promise<string>
  /** Ends the note at `at`; true if it existed. */
  delete(workspace: string, key: string, at: number): Promise<boolean>
  /** Workspaces with notes, sorted. */
  workspaces(): Promise<readonly string[]>
}
