/** `get_message`: one message that a search found, whole or in parts, with its neighbours. */
import { CairnError } from '@cairn/core'
import type { Engine, MessageEntry } from '@cairn/core'
import { z } from 'zod'
import { MOST_QUOTED, moreOf, named, partOf, safeText, shortened } from '../quoted.ts'
import { defineTool } from '../tool.ts'
import { messageHead, messageText } from './message-text.ts'

const MOST_NEIGHBOURS = 5
/** Entries that are read on each side per wanted neighbour, because not every entry is a message. */
const ENTRIES_PER_NEIGHBOUR = 4
const NEIGHBOUR_SHOWN = 600

const DESCRIPTION = `Read one message of an earlier session, by the id that recall, get_session or files gave. Long ones come in parts: go on with the offset that the answer names. "around" adds the messages before and after it, shortened.`

const input = z.strictObject({
  id: z.string().min(1).max(1000).describe('session#number, as recall shows it.'),
  around: z.int().min(0).max(MOST_NEIGHBOURS).default(0).describe('So many messages before and after.'),
  offset: z.int().min(0).default(0).describe('Where to begin, in characters.'),
  max_chars: z.int().min(200).max(20_000).default(6000),
})

/** A message with its neighbours. */
interface Found {
  readonly message: MessageEntry
  readonly before: readonly MessageEntry[]
  readonly after: readonly MessageEntry[]
}

/** The tool `get_message`: one message of a session, in parts if it is long. */
export const getMessage = defineTool({
  name: 'get_message',
  title: 'Read a message',
  description: DESCRIPTION,
  hints: { readOnlyHint: true },
  input,
  /**
   * The tool `get_message`: a message with shortened neighbours, or a further part of a long one. Rejects with
   * `not-found`.
   */
  run: async ({ id, around, offset, max_chars }, { engine }) => {
    const [sessionPart, messagePart] = splitId(id)
    const session = await engine.sessions.find(sessionPart)
    const { message, before, after } = await read(session.id, messagePart, around, engine)
    const neighbour = (each: MessageEntry): string =>
      `[${messageHead(session.id, each)}]\n${shortened(safeText(messageText(each)), NEIGHBOUR_SHOWN)}`
    const [ahead, behind] = [before.map(neighbour), after.map(neighbour)]
    const head = `[${messageHead(session.id, message)}]`
    const others = [...ahead, head, ...behind].reduce((sum, each) => sum + each.length + 2, 0)
    const part = partOf(messageText(message), offset, Math.min(max_chars, MOST_QUOTED - others))
    return { body: [...ahead, `${head}\n${part.text}`, ...behind].join('\n\n'), tail: moreOf(part) }
  },
})

/**
 * The session and message of an id, split at the last `#`, because a session's id may contain one.
 * @throws CairnError `invalid-input` if a part is missing
 */
const splitId = (id: string): readonly [string, string] => {
  const at = id.lastIndexOf('#')
  if (at <= 0 || at === id.length - 1)
    throw new CairnError('invalid-input', `"${named(id)}" is no message's id: give session#number, as recall shows it.`)
  return [id.slice(0, at), id.slice(at + 1)]
}

/**
 * Reads a message, by its number in the log (digits alone) or the agent's id of it, with up to `around` messages before
 * it and after it, in order; fewer if many other entries are between them. Rejects with `not-found` if there is none.
 */
const read = async (sessionId: string, messagePart: string, around: number, engine: Engine): Promise<Found> => {
  const wanted = Number(messagePart)
  // Memory entries name messages by the message's own id.
  const seq = /^\d{1,9}$/.test(messagePart) ? wanted : await seqOfMessage(sessionId, messagePart, engine)
  const reach = around * ENTRIES_PER_NEIGHBOUR
  const fromSeq = Math.max(0, seq - reach)
  const entries = await engine.store.sessions.read(sessionId, {
    fromSeq,
    limit: seq - fromSeq + 1 + reach,
    kinds: ['message'],
  })
  const messages = entries.filter((entry) => entry.kind === 'message')
  const index = messages.findIndex((message) => message.seq === seq)
  const message = messages[index]
  if (message === undefined)
    throw new CairnError('not-found', `There is no message ${named(messagePart)} in the session ${named(sessionId)}.`)
  return {
    message,
    before: messages.slice(Math.max(0, index - around), index),
    after: messages.slice(index + 1, index + 1 + around),
  }
}

/** Returns the number of a message in the log, given by its id. Rejects with `not-found` if there is none. */
const seqOfMessage = async (sessionId: string, messageId: string, engine: Engine): Promise<number> => {
  const entries = await engine.store.sessions.read(sessionId, { kinds: ['message'] })
  const found = entries.find((entry) => entry.kind === 'message' && entry.id === messageId)
  if (found === undefined)
    throw new CairnError('not-found', `There is no message "${named(messageId)}" in the session ${named(sessionId)}.`)
  return found.seq
}
