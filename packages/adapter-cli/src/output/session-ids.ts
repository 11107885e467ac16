/** Ids of sessions as tables show them: short, and still what `session show` understands. */
import type { SessionStorage } from '@cairn/core'

/** Shorter beginnings say nothing to people who look for a session again. */
const SHORTEST = 8
/** Of longer tables, the ids of further rows are told from those of other rows only. */
const ROWS_RESOLVED = 200
/** Sessions that begin alike and are looked at for a longer beginning. */
const RIVALS = 50

export interface NamedSession {
  readonly id: string
  readonly externalId: string
}

/** How many characters two texts begin with alike; stores do not tell capital letters from small ones. */
const sharedLength = (left: string, right: string): number => {
  const [one, other] = [left.toLowerCase(), right.toLowerCase()]
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** The lengths that tell texts from each other: in order, the nearest neighbours are the most alike. */
const distinctLengths = (texts: readonly string[]): ReadonlyMap<string, number> => {
  const ordered = [...new Set(texts)].sort((left, right) => (left.toLowerCase() < right.toLowerCase() ? -1 : 1))
  return new Map(
    ordered.map((text, index) => [
      text,
      1 + Math.max(sharedLength(text, ordered[index - 1] ?? ''), sharedLength(text, ordered[index + 1] ?? '')),
    ]),
  )
}

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
  // Two agents may have given the same id.
  return whole.length === 1 && whole[0]?.id === id ? externalId : id
}

/** For each session, by its id, the beginning of the source's id to show. */
export const shownIds = async (
  rows: readonly NamedSession[],
  sessions: Pick<SessionStorage, 'resolve'>,
): Promise<ReadonlyMap<string, string>> => {
  const lengths = distinctLengths(rows.map(({ externalId }) => externalId))
  const shown = new Map<string, string>()
  for (const [index, row] of rows.entries()) {
    const atLeast = Math.max(SHORTEST, lengths.get(row.externalId) ?? SHORTEST)
    shown.set(row.id, index < ROWS_RESOLVED ? await idToShow(row, atLeast, sessions) : row.externalId.slice(0, atLeast))
  }
  return shown
}
