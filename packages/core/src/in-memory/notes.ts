/** Notes of the in-memory store: a list of versions for each key, the oldest first. */
import { CairnError } from '../errors.ts'
import type { Note, NoteStorage } from '../ports/note-storage.ts'
import { compareText, revisionOf, type NoteVersion, type StoreData } from './data.ts'

const idOf = (workspace: string, key: string): string => JSON.stringify([workspace, key])

/** The note as of a time in ms, or now; undefined if it was deleted or not yet written. */
const noteAt = (versions: readonly NoteVersion[], asOf: number | undefined): Note | undefined => {
  if (asOf === undefined) return versions.at(-1)?.validTo === null ? versions.at(-1)?.note : undefined
  const begun = versions.findLast(({ note }) => note.updatedAt <= asOf)
  return begun === undefined || (begun.validTo !== null && begun.validTo <= asOf) ? undefined : begun.note
}

/**
 * Ends the current version in the list (which is changed), if there is one, and gives the time (ms) from which another
 * one may begin: `at`, or later where versions would overlap.
 */
const ended = (versions: NoteVersion[], at: number): number => {
  const last = versions.at(-1)
  if (last === undefined) return at
  if (last.validTo !== null) return Math.max(at, last.validTo)
  const end = Math.max(at, last.note.updatedAt)
  versions[versions.length - 1] = { ...last, validTo: end }
  return end
}

/**
 * Note storage over the in-memory store's data. A changed or deleted note keeps its earlier versions; one that is set
 * again keeps its `createdAt` unless it was deleted. An empty key rejects with `invalid-input`; `delete` gives false if
 * there is no note. Lists are in order of the keys.
 */
export const createInMemoryNotes = (data: StoreData): NoteStorage => {
  const versionsOf = (workspace: string, key: string): NoteVersion[] => [
    ...(data.notes.get(idOf(workspace, key)) ?? []),
  ]
  const keep = (workspace: string, key: string, versions: readonly NoteVersion[]): void => {
    data.notes.set(idOf(workspace, key), versions)
    data.changed()
  }
  return {
    set: async ({ workspace, key, text, sessionId, at }) => {
      if (key === '') throw new CairnError('invalid-input', 'A note needs a key: give it a short name.')
      const versions = versionsOf(workspace, key)
      const before = noteAt(versions, undefined)
      const updatedAt = ended(versions, at)
      const note = {
        workspace,
        key,
        text,
        sessionId: sessionId ?? null,
        createdAt: before?.createdAt ?? updatedAt,
        updatedAt,
      }
      keep(workspace, key, [...versions, { note, validTo: null }])
    },
    get: async (workspace, key, asOf) => noteAt(versionsOf(workspace, key), asOf),
    list: async (workspace, asOf) =>
      [...data.notes.values()]
        .flatMap((versions) => noteAt(versions, asOf) ?? [])
        .filter((note) => note.workspace === workspace)
        .sort((left, right) => compareText(left.key, right.key)),
    revision: async (workspace) => revisionOf(data.notes.values(), ({ note }) => note.workspace === workspace),
    delete: async (workspace, key, at) => {
      const versions = versionsOf(workspace, key)
      if (noteAt(versions, undefined) === undefined) return false
      ended(versions, at)
      keep(workspace, key, versions)
      return true
    },
    workspaces: async () =>
      [...new Set([...data.notes.values()].flatMap((versions) => noteAt(versions, undefined)?.workspace ?? []))].sort(
        compareText,
      ),
  }
}
