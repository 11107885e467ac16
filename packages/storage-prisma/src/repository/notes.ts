/** Notes by workspace and key. */
import { CairnError } from '@cairn/core'
import type { Note, NoteStorage } from '@cairn/core'
import type { LazyClient } from '../prisma/client.ts'
import { decodedText, encodedText } from './labels.ts'

interface Row {
  readonly workspace: string
  readonly key: string
  readonly text: string
  readonly sessionId: string | null
  readonly createdAt: bigint
  readonly updatedAt: bigint
}

const noteOf = (row: Row): Note => ({
  ...row,
  workspace: decodedText(row.workspace),
  key: decodedText(row.key),
  text: decodedText(row.text),
  createdAt: Number(row.createdAt),
  updatedAt: Number(row.updatedAt),
})

export class PrismaNoteStorage implements NoteStorage {
  readonly #client: LazyClient

  constructor(client: LazyClient) {
    this.#client = client
  }

  async set(note: { readonly workspace: string; readonly key: string; readonly text: string; readonly sessionId?: string; readonly at: number }): Promise<void> {
    if (note.key === '') throw new CairnError('invalid-input', 'A note needs a key: give it a short name.')
    const workspace = encodedText(note.workspace)
    const key = encodedText(note.key)
    const content = { text: encodedText(note.text), sessionId: note.sessionId ?? null, updatedAt: BigInt(note.at) }
    const client = await this.#client.get()
    await client.note.upsert({
      where: { workspace_key: { workspace, key } },
      create: { workspace, key, ...content, createdAt: BigInt(note.at) },
      update: content,
    })
  }

  async get(workspace: string, key: string): Promise<Note | undefined> {
    const client = await this.#client.get()
    const row = await client.note.findUnique({ where: { workspace_key: { workspace: encodedText(workspace), key: encodedText(key) } } })
    return row === null ? undefined : noteOf(row)
  }

  async list(workspace: string): Promise<readonly Note[]> {
    const client = await this.#client.get()
    const rows = await client.note.findMany({ where: { workspace: encodedText(workspace) } })
    // Databases differ in how they order text: by code unit, as JavaScript does.
    return rows.map(noteOf).sort((left, right) => (left.key < right.key ? -1 : 1))
  }

  async search(workspace: string, text: string): Promise<readonly Note[]> {
    const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '')
    const notes = await this.list(workspace)
    return notes
      .filter((note) => {
        const content = `${note.key}\n${note.text}`.toLowerCase()
        return words.every((word) => content.includes(word))
      })
      .sort((left, right) => right.updatedAt - left.updatedAt)
  }

  async delete(workspace: string, key: string): Promise<boolean> {
    const client = await this.#client.get()
    const { count } = await client.note.deleteMany({ where: { workspace: encodedText(workspace), key: encodedText(key) } })
    return count > 0
  }
}
