/** The folders that the sessions of a file work in, as far as its lines have named them. */
import type { SessionFacts } from '../ports/session-storage.ts'

export interface SessionFolders {
  /**
   * Takes the session and the folder that a line names; `folder` is undefined for a line that names none. A session's
   * workspace counts as one of its folders.
   */
  add(session: SessionFacts, folder: string | undefined): void
  /** Whether no folder of the session is known yet. */
  isUnplaced(session: SessionFacts): boolean
  /**
   * Whether a session is hidden: because of any of its folders, or, where none is known, because of what holds without
   * a folder. Rejects when `isHiddenIn` does.
   */
  isHidden(session: SessionFacts): Promise<boolean>
}

/**
 * Gathers the folders that sessions work in; it starts with none. `isHiddenIn`: whether a session that works in a
 * folder, or in none that is known, is hidden. A session is unplaced while it has no folder, and hidden if one of its
 * folders hides it.
 */
export const createSessionFolders = (
  isHiddenIn: (session: SessionFacts, folder: string | undefined) => Promise<boolean>,
): SessionFolders => {
  const folders = new Map<string, Set<string>>()
  /** The folders known of a session, now with its own, if it has one. */
  const foldersOf = ({ id, workspace }: SessionFacts): Set<string> => {
    const known = folders.get(id) ?? new Set()
    folders.set(id, known)
    return workspace === undefined ? known : known.add(workspace)
  }
  return {
    add: (session, folder) => {
      const known = foldersOf(session)
      if (folder !== undefined) known.add(folder)
    },
    isUnplaced: (session) => foldersOf(session).size === 0,
    isHidden: async (session) => {
      const known = [...foldersOf(session)]
      for (const folder of known.length === 0 ? [undefined] : known) if (await isHiddenIn(session, folder)) return true
      return false
    },
  }
}
