/** Statements that a connection's session keeps parsed and planned, by name: half of what a small write costs the server. */
import { createHash } from 'node:crypto'
import { errorCode } from '../sql/error-code.ts'

/** Each takes memory in every session; text that is different each time would fill it. */
const MOST_NAMES = 200

/** Unknown in this session, known already though never sent to it, or planned for a table that was changed since. */
const NAME_CODES = ['26000', '42P05', '0A000']

/** The names of a database's statements, as long as its connections can keep them. */
export class StatementNames {
  readonly #names = new Map<string, string>()
  #areKept = true

  /** These, for one transaction; undefined where its statements have no names. */
  get inUse(): this | undefined {
    return this.#areKept ? this : undefined
  }

  /**
   * The name of a statement, the same for every process; undefined: it is sent without one, as all beyond the first
   * `MOST_NAMES` texts are.
   */
  of(sql: string): string | undefined {
    if (!this.#areKept) return undefined
    const known = this.#names.get(sql)
    if (known !== undefined || this.#names.size >= MOST_NAMES) return known
    const name = `cairn_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`
    this.#names.set(sql, name)
    return name
  }

  /**
   * Hears what a named statement failed with. Where it failed for its name, and not for itself, none has a name from then on
   * ({@link inUse} is undefined), and what ran with names is to be repeated: a pooler in transaction mode gives each
   * transaction another session of the server.
   */
  hear(error: unknown): void {
    if (NAME_CODES.includes(errorCode(error))) this.#areKept = false
  }
}
