/** Notes: named texts of a workspace, with the session that wrote them. Any key is safe. */
export interface Note {
  readonly workspace: string
  readonly key: string
  readonly text: string
  readonly sessionId: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface NoteStorage {
  set(note: { readonly workspace: string; readonly key: string; readonly text: string; readonly sessionId?: string; readonly at: number }): Promise<void>
  get(workspace: string, key: string): Promise<Note | undefined>
  /** Sorted by key. */
  list(workspace: string): Promise<readonly Note[]>
  /** Notes whose key or text holds the words, case-insensitive, newest first. */
  search(workspace: string, text: string): Promise<readonly Note[]>
  /** True if it was there. */
  delete(workspace: string, key: string): Promise<boolean>
}
