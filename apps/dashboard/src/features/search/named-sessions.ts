/** Sessions that a text names: by their title, whole or from its beginning, or by their id. */
import type { SessionStorage, SessionSummary } from '@cairn/core'

/** Sessions that are looked at for a title, and that are shown. */
const MOST_LOOKED_AT = 200
const MOST_NAMED = 5

/** Characters of an id, without its agent, and of the beginning of a title; fewer are words to search for. */
const SHORTEST_ID = 6
const SHORTEST_BEGINNING = 8

/** Returns a title as it is compared: on one line, in small letters, without the sign that the rest is cut off. */
const plainTitle = (title: string): string => title.replace(/\s+/g, ' ').trim().replace(/…$/, '').trim().toLowerCase()

/**
 * Returns the sessions whose id begins with a text, with their agent or without; at most `MOST_NAMED`. None for a text
 * with spaces, or that without its agent is shorter than `SHORTEST_ID` or has no digit: ids have some, words rarely do.
 */
const byId = async (sessions: Pick<SessionStorage, 'resolve'>, text: string): Promise<readonly SessionSummary[]> => {
  const own = text.slice(text.indexOf(':') + 1)
  if (own.length < SHORTEST_ID || /\s/.test(text) || !/\d/.test(own)) return []
  const begins = (id: string): boolean => id.toLowerCase().startsWith(text.toLowerCase())
  return (await sessions.resolve(text, MOST_NAMED)).filter(({ id, externalId }) => begins(id) || begins(externalId))
}

/**
 * Returns the sessions with this title first, then those whose title begins with it; of either the latest first. A
 * text must have several words to find a title by its beginning. Case does not count; none for a text without words.
 * Only the `MOST_LOOKED_AT` latest whose title has the text's longest word are looked at.
 */
const byTitle = async (sessions: Pick<SessionStorage, 'list'>, text: string): Promise<readonly SessionSummary[]> => {
  const wanted = plainTitle(text)
  const words = wanted.split(' ')
  // A title may have its words on several lines: one of them finds it.
  const longest = words.reduce((most, word) => (word.length > most.length ? word : most), '')
  if (longest === '') return []
  const { sessions: found } = await sessions.list({ text: longest, limit: MOST_LOOKED_AT })
  const titled = found.map((session) => ({ session, title: plainTitle(session.title ?? '') }))
  const isBeginning = words.length > 1 && wanted.length >= SHORTEST_BEGINNING
  return [
    ...titled.filter(({ title }) => title === wanted),
    ...titled.filter(({ title }) => isBeginning && title !== wanted && title.startsWith(wanted)),
  ].map(({ session }) => session)
}

/** Returns at most five sessions that a text names, those by their id first. Rejects as the store does. */
export const namedSessions = async (
  sessions: Pick<SessionStorage, 'list' | 'resolve'>,
  text: string,
): Promise<readonly SessionSummary[]> => {
  const wanted = text.trim()
  const found = [...(await byId(sessions, wanted)), ...(await byTitle(sessions, wanted))]
  return [...new Map(found.map((session) => [session.id, session])).values()].slice(0, MOST_NAMED)
}
