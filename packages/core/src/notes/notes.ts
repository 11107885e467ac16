/** Notes as their users see them. */
import type { Note } from '../ports/note-storage.ts'

/** A note that a search found; a higher score is better. */
export interface NoteMatch {
  readonly note: Note
  readonly score: number
}

/** Named texts of a workspace. Bad keys and texts are refused with `invalid-input`. */
export interface Notes {
  /** Returns the note as stored. Rejects with `invalid-input` for an empty key or text. Secrets are replaced first. */
  set(workspace: string, key: string, text: string, sessionId?: string): Promise<Note>
  /** Rejects with `not-found`, naming close keys. */
  get(workspace: string, key: string, asOf?: number): Promise<Note>
  /** The workspace's notes, sorted by key, as of a time (ms) where given; empty for one without any. */
  list(workspace: string, asOf?: number): Promise<readonly Note[]>
  /** Notes with words in common with the text, best first; empty when none has any. */
  search(workspace: string, text: string, limit?: number): Promise<readonly NoteMatch[]>
  /** Rejects with `not-found`, naming close keys. */
  delete(workspace: string, key: string): Promise<void>
}
