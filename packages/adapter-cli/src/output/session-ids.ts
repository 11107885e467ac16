/** Ids of sessions as tables show them: short, and still what `session show` understands. */
import type { SessionStorage } from '@cairn/core'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { shortenEnd } from '../terminal/text-width.ts'

/** Least characters of a short id. */
const SHORTEST = 8
/** Rows whose ids are compared with the whole store; those of further rows are unique only within the table. */
const ROWS_RESOLVED = 200
/** Columns of an id in tables: a UUID with its agent's name fits. `--json` has longer ids in full. */
const WIDEST = 48
/** Sessions with the same beginning that are examined to find a longer one. */
const RIVALS = 50

/** The two ids of a session: the store's, and the agent's own. */
export interface NamedSession {
  readonly id: string
  readonly externalId: string
}

/** How many UTF-16 units two texts have in common at their beginning, ignoring case, as stores do; 0 if one is ''. */
const sharedLength = (left: string, right: string): number => {
  const [one, other] = [left.toLowerCase(), right.toLowerCase()]
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/**
 * For each text, how many of its first characters distinguish it from the others: one more than it has if another
 * begins with it. In sorted order only neighbours need to be compared.
 */
const distinctLengths = (texts: readonly string[]): ReadonlyMap<string, number> => {
  const ordered = [...new Set(texts)].sort((left, right) => (left.toLowerCase() < right.toLowerCase() ? -1 : 1))
  return new Map(
    ordered.map((text, index) => [
      text,
      1 + Math.max(sharedLength(text, ordered[index - 1] ?? ''), sharedLength(text, ordered[index + 1] ?? '')),
    ]),
  )
}

/**
 * The shortest beginning of the agent's own id, of at least `atLeast` characters, by which the store finds only this
 * session; if there is none, that id in full, or the store's id if two agents used the same one. Asks the store up to
 * three times; rejects as it does.
 */
const idToShow = async (
  session: NamedSession,
  atLeast: number,
  sessions: Pick<SessionStorage, 'resolve'>,
): Promise<string> => {
  const { id, externalId } = session
  const start = externalId.slice(0, atLeast)
  const rivals = (await sessions.resolve(start, RIVALS)).filter((found) => found.id !== id)
  if (rivals.length === 0) return start
  const length =
    1 +
    Math.max(
      ...rivals.flatMap((rival) => [sharedLength(externalId, rival.externalId), sharedLength(externalId, rival.id)]),
    )
  const longer = externalId.slice(0, Math.max(atLeast, length))
  const found = await sessions.resolve(longer, 2)
  if (found.length === 1 && found[0]?.id === id) return longer
  const whole = await sessions.resolve(externalId, 2)
  // Two agents may have used the same id.
  return whole.length === 1 && whole[0]?.id === id ? externalId : id
}

/**
 * Returns, by session id, the beginning of the agent's own id to show: of 8 characters or as many as make it unique
 * among the rows and, for the first 200, in the store; the store's id where two agents used the same one. Rejects as
 * the store does.
 */
export const shownIds = async (
  rows: readonly NamedSession[],
  sessions: Pick<SessionStorage, 'resolve'>,
): Promise<ReadonlyMap<string, string>> => {
  const lengths = distinctLengths(rows.map(({ externalId }) => externalId))
  const shown = new Map<string, string>()
  for (const [index, row] of rows.entries()) {
    const atLeast = Math.max(SHORTEST, lengths.get(row.externalId) ?? SHORTEST)
    const id = index < ROWS_RESOLVED ? await idToShow(row, atLeast, sessions) : row.externalId.slice(0, atLeast)
    shown.set(row.id, id)
  }
  return shown
}

/** Returns an id for a table's column: safe to print, and cut to 48 columns with `…` if it is longer. */
export const idInTable = (id: string): string => shortenEnd(neutraliseLine(id), WIDEST)
