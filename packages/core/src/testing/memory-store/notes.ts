/** Notes of the in-memory store. */
import { CairnError } from '../../errors.ts'
import type { NoteStorage } from '../../ports/note-storage.ts'
import { compareText, type StoreData } from './data.ts'

const idOf = (workspace: string, key: string): string => JSON.stringify([workspace, key])

export const createMemoryNotes = (data: StoreData): NoteStorage => ({
  set: async ({ workspace, key, text, sessionId, at }) => {
    if (key === '') throw new CairnError('invalid-input', 'A note needs a name: its key must not be empty.')
    const createdAt = data.notes.get(idOf(workspace, key))?.createdAt ?? at
    data.notes.set(idOf(workspace, key), {
      workspace,
      key,
      text,
      sessionId: sessionId ?? null,
      createdAt,
      updatedAt: at,
    })
    data.changed()
  },
  get: async (workspace, key) => data.notes.get(idOf(workspace, key)),
  list: async (workspace) =>
    [...data.notes.values()]
      .filter((note) => note.workspace === workspace)
      .sort((left, right) => compareText(left.key, right.key)),
  search: async (workspace, text) => {
    const words = text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    const isHit = (held: string): boolean => words.length > 0 && words.every((word) => held.includes(word))
    return [...data.notes.values()]
      .filter((note) => note.workspace === workspace && isHit(`${note.key}\n${note.text}`.toLowerCase()))
      .sort((left, right) => right.updatedAt - left.updatedAt || compareText(left.key, right.key))
  },
  delete: async (workspace, key) => {
    const wasThere = data.notes.delete(idOf(workspace, key))
    if (wasThere) data.changed()
    return wasThere
  },
})
