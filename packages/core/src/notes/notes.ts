/** The public interface of notes. */
import type { Note } from '../ports/note-storage.ts'

/** A note that a search found; a higher score is better. */
export interface NoteMatch {
  readonly note: Note
  readonly score: number
}

/** Named texts of a workspace. Invalid keys and texts are refused with `invalid-input`. */
export interface Notes {
  /**
   * Stores a note, with secrets replaced, in place of the key's earlier text (which stays readable as of then), and
   * returns it as stored. Rejects with `invalid-input` for an empty or too long key or text.
   */
  set(workspace: string, key: string, text: string, sessionId?: string): Promise<Note>
  /**
   * The note with this key, with secrets replaced in the key as when it was stored. Rejects with `not-found`, listing
   * similar keys. `asOf` is a time, ms; default now.
   */
  get(workspace: string, key: string, asOf?: number): Promise<Note>
  /** The workspace's notes, sorted by key, as of a time (ms) if given; empty if there are none. */
  list(workspace: string, asOf?: number): Promise<readonly Note[]>
  /** Current notes that share words with the text, best first, 10 unless told otherwise; empty if there are none. */
  search(workspace: string, text: string, limit?: number): Promise<readonly NoteMatch[]>
  /**
   * Ends a note: it is listed no more, and still readable as of earlier times. Rejects with `not-found`, listing
   * similar keys.
   */
  delete(workspace: string, key: string): Promise<void>
}
