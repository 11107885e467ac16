/** Notes: named texts of a workspace, with the session that wrote them. Any key is safe. Versions stay. */
export interface Note {
  readonly workspace: string
  readonly key: string
  readonly text: string
  readonly sessionId: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface NoteStorage {
  /** Sets a note; its earlier text can still be read as of then. On disk when it resolves. */
  set(note: {
    readonly workspace: string
    readonly key: string
    readonly text: string
    readonly sessionId?: string
    readonly at: number
  }): Promise<void>
  /** The note of this key, as of a time (ms) where given; undefined when there is none, or it had ended. */
  get(workspace: string, key: string, asOf?: number): Promise<Note | undefined>
  /** Sorted by key. */
  list(workspace: string, asOf?: number): Promise<readonly Note[]>
  /** Another text after each change of the workspace's notes, and the same until then. Reads no note. */
  revision(workspace: string): Promise<string>
  /** Ends the note from `at` on. True if it was there. */
  delete(workspace: string, key: string, at: number): Promise<boolean>
  /** Workspaces that have notes, sorted. */
  workspaces(): Promise<readonly string[]>
}
