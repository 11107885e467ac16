/** Ids of workspaces and of the short texts that rows repeat; created when first seen, then cached. */
import type { SqlTransaction } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { tables } from '../sql/schema.ts'

/** These numbers are stored: never reuse or change one. */
export const labelKind = { agent: 1, model: 2, provider: 3, mode: 4, branch: 5, subagent: 6 } as const
export type LabelKind = keyof typeof labelKind

/** Last part of a path, with either kind of slash. */
const workspaceName = (path: string): string =>
  path
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .at(-1) ?? path

/**
 * The text with NUL and lone surrogates replaced by U+FFFD, as PostgreSQL can't hold them. Not reversible: see {@link
 * encodedText}.
 */
export const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

const ESCAPED = '\u0001'

/** Any text in a form that every database can hold; {@link decodedText} restores it. */
export const encodedText = (text: string): string =>
  text.startsWith(ESCAPED) || storableText(text) !== text ? `${ESCAPED}${JSON.stringify(text)}` : text

/** The reverse of {@link encodedText}. */
export const decodedText = (stored: string): string =>
  stored.startsWith(ESCAPED) ? (JSON.parse(stored.slice(ESCAPED.length)) as string) : stored

/** Ids from earlier transactions. Shared by all writes of a store. */
export class LabelCache {
  readonly ids = new Map<string, number>()
}

/** Ids within one transaction; new ones are cached only after its commit. */
export class Labels {
  readonly #transaction: SqlTransaction
  readonly #cache: LabelCache
  readonly #made = new Map<string, number>()

  constructor(transaction: SqlTransaction, cache: LabelCache) {
    this.#transaction = transaction
    this.#cache = cache
  }

  /**
   * The id of a name (of a model, branch, agent, …) of this kind, which is inserted when it is new; 0 for undefined and
   * '': unknown.
   */
  async label(kind: LabelKind, value: string | undefined): Promise<number> {
    if (value === undefined || value === '') return 0
    const text = storableText(value)
    return this.#id(`${labelKind[kind]}:${text}`, async () => {
      await this.#transaction.insert(
        tables.label,
        ['kind', 'value'],
        [[labelKind[kind], text]],
        'ON CONFLICT (kind, value) DO NOTHING',
      )
      return this.#transaction.all<{ id: number }>('SELECT id FROM label WHERE kind = ? AND value = ?', [
        labelKind[kind],
        text,
      ])
    })
  }

  /** The id of a workspace by its path, which is inserted when it is new; 0 for undefined and '': unknown. */
  async workspace(path: string | undefined): Promise<number> {
    if (path === undefined || path === '') return 0
    const text = storableText(path)
    return this.#id(`w:${text}`, async () => {
      await this.#transaction.insert(
        tables.workspace,
        ['path', 'name'],
        [[text, workspaceName(text)]],
        'ON CONFLICT (path) DO NOTHING',
      )
      return this.#transaction.all<{ id: number }>('SELECT id FROM workspace WHERE path = ?', [text])
    })
  }

  /** To be called after the commit. */
  remember(): void {
    for (const [key, id] of this.#made) this.#cache.ids.set(key, id)
  }

  async #id(key: string, make: () => Promise<{ id: number }[]>): Promise<number> {
    const known = this.#cache.ids.get(key) ?? this.#made.get(key)
    if (known !== undefined) return known
    const [row] = await make()
    const { id } = required(row, 'the id of a name')
    this.#made.set(key, id)
    return id
  }
}
