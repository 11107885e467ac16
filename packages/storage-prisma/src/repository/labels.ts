/** Ids of workspaces and of the short texts that rows repeat; created when first seen, then cached. */
import type { DialectName, SqlTransaction } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { tables } from '../sql/schema.ts'

/** These numbers are stored: never reuse or change one. */
export const labelKind = { agent: 1, model: 2, provider: 3, mode: 4, branch: 5, subagent: 6 } as const
export type LabelKind = keyof typeof labelKind

/** Last part of a path, with either kind of slash. The path itself if it has none. */
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

/**
 * Any text in a form that every database can hold: itself, or escaped JSON where it could not be held; {@link
 * decodedText} restores it.
 */
export const encodedText = (text: string): string =>
  text.startsWith(ESCAPED) || storableText(text) !== text ? `${ESCAPED}${JSON.stringify(text)}` : text

/** The reverse of {@link encodedText}; a text that was not encoded comes back as it is. */
export const decodedText = (stored: string): string =>
  stored.startsWith(ESCAPED) ? (JSON.parse(stored.slice(ESCAPED.length)) as string) : stored

/** Ids from earlier transactions. Shared by all writes of a store. */
export class LabelCache {
  readonly #ids = new Map<string, number>()
  #removals = 0

  /** The ids, as long as no name was removed from the store since; `removals`: how often names were. */
  idsAt(removals: number): Map<string, number> {
    if (removals !== this.#removals) this.clear()
    this.#removals = removals
    return this.#ids
  }

  clear(): void {
    this.#ids.clear()
  }
}

/**
 * Counts a removal of names, which the caller is about to do. Waits for transactions that use names, and makes others wait
 * until this one has ended.
 * @param lockClause see `rowLockClause`
 */
export const countRemovedNames = async (transaction: SqlTransaction, lockClause: string): Promise<void> => {
  await transaction.all(`SELECT removed_names FROM clean_up WHERE id = 1${lockClause}`)
  await transaction.run('UPDATE clean_up SET removed_names = removed_names + 1 WHERE id = 1')
}

/** Ids within one transaction; new ones are cached only after its commit. Until then none of them can be removed. */
export class Labels {
  readonly #transaction: SqlTransaction
  readonly #cache: LabelCache
  readonly #dialect: DialectName
  readonly #made = new Map<string, number>()
  #removals: Promise<number> | undefined
  #counted: number | undefined

  constructor(transaction: SqlTransaction, cache: LabelCache, dialect: DialectName) {
    this.#transaction = transaction
    this.#cache = cache
    this.#dialect = dialect
  }

  /**
   * The id of a name (of a model, branch, agent, …) of this kind, which is inserted when it is new; 0 for undefined and
   * '': unknown. An id that was looked up before is not asked for again.
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

  /**
   * The id of a workspace by its path, which is inserted when it is new; 0 for undefined and '': unknown. A new one is
   * named by the last part of its path.
   */
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

  /**
   * Asks for what the first name needs; to be called early, where a round trip counts. @returns the number of removals
   * of names so far
   */
  ask(): Promise<number> {
    if (this.#removals === undefined) {
      this.#removals = this.#lockedRemovals()
      // Whoever needs a name hears of it.
      this.#removals.catch(() => undefined)
    }
    return this.#removals
  }

  /** Keeps the ids of this transaction for later ones. To be called only after its commit. */
  remember(): void {
    if (this.#counted === undefined) return
    const ids = this.#cache.idsAt(this.#counted)
    for (const [key, id] of this.#made) ids.set(key, id)
  }

  /** How often names were removed; locked against a further removal where transactions run side by side. */
  async #lockedRemovals(): Promise<number> {
    const lockClause = this.#dialect === 'postgresql' ? ' FOR SHARE' : ''
    const [row] = await this.#transaction.all<{ removed_names: number }>(
      `SELECT removed_names FROM clean_up WHERE id = 1${lockClause}`,
    )
    this.#counted = required(row, 'the count of removed names').removed_names
    return this.#counted
  }

  /** The id of a name, made if it has none; kept for this transaction only until `remember`. */
  async #id(key: string, make: () => Promise<{ id: number }[]>): Promise<number> {
    const removals = await this.ask()
    const known = this.#cache.idsAt(removals).get(key) ?? this.#made.get(key)
    if (known !== undefined) return known
    const [row] = await make()
    const { id } = required(row, 'the id of a name')
    this.#made.set(key, id)
    return id
  }
}
