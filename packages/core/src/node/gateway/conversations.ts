/**
 * Sessions of clients that name none: a request belongs to the session that said what it repeats. A conversation that
 * starts again with the same words is a session of its own; a request that failed and is made again is not.
 */
import type { SessionStorage } from '../../ports/session-storage.ts'
import { GATEWAY_AGENT } from './client-session.ts'
import { GATEWAY_MESSAGE, type IdentifiedMessage } from './message-ids.ts'

/** How many replies and beginnings are remembered with their sessions; the rest is found in the store, by the first message. */
const MOST_REMEMBERED = 10_000

export interface Conversations {
  /** The external id of the session that a request belongs to. */
  sessionOf(messages: readonly IdentifiedMessage[], previousResponse: string | undefined): Promise<string>
  /** To be told of each reply, by its message's id and the provider's. */
  replied(externalId: string, messageId: string, responseId: string | undefined): void
}

/**
 * Finds the session of requests whose client names none: the one that gave the previous response, else the one whose reply
 * the request repeats, else the newest with the same first message. A request without any reply in it that begins like an
 * answered session, or like one that only the store knows, begins a new session. Replies are remembered in memory (the last
 * 10,000); after a restart the store is asked by the first message.
 * @param newId makes an id that no other session has
 */
export const createConversations = (sessions: Pick<SessionStorage, 'resolve'>, newId: () => string): Conversations => {
  const byReply = new Map<string, string>()
  /** The newest session of each first message. */
  const begun = new Map<string, string>()
  /** Those of them that have a reply. */
  const answered = new Set<string>()

  const stored = async (first: string): Promise<string | undefined> => {
    const found = await sessions.resolve(`${GATEWAY_AGENT}:${first}`, 50)
    return found.toSorted((a, b) => (b.updatedAt ?? 0) - (a.updatedAt ?? 0))[0]?.externalId
  }
  const begin = (first: string, externalId: string): string => {
    begun.set(first, externalId)
    forgetOldest(begun)
    return externalId
  }

  return {
    /** The session of a request's messages, by the rules above; a new one is named by its first message's id. */
    sessionOf: async (messages, previousResponse) => {
      const known = previousResponse === undefined ? undefined : byReply.get(previousResponse)
      if (known !== undefined) return known
      for (const { id, role } of messages.toReversed()) {
        const owner = role === 'assistant' ? byReply.get(id) : undefined
        if (owner !== undefined) return owner
      }
      const first = messages[0]?.id.slice(GATEWAY_MESSAGE.length) ?? newId()
      const before = begun.get(first)
      const isBeginning = !messages.some(({ role }) => role === 'assistant')
      if (before !== undefined)
        return isBeginning && answered.has(before) ? begin(first, `${first}-${newId()}`) : before
      const earlier = await stored(first)
      if (earlier === undefined) return begin(first, first)
      return begin(first, isBeginning ? `${first}-${newId()}` : earlier)
    },
    replied: (externalId, messageId, responseId) => {
      for (const id of [messageId, responseId]) if (id !== undefined) byReply.set(id, externalId)
      answered.add(externalId)
      forgetOldest(byReply)
      forgetOldest(answered)
    },
  }
}

/** Removes the keys set first until `MOST_REMEMBERED` are left. */
const forgetOldest = (remembered: Map<string, unknown> | Set<string>): void => {
  for (const key of remembered.keys()) {
    if (remembered.size <= MOST_REMEMBERED) break
    remembered.delete(key)
  }
}
