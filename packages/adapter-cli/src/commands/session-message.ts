/** One message of a session with the messages around it. */
import { CairnError } from '@cairn/core'
import type { LogEntry, MessageEntry } from '@cairn/core'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { shortenEnd } from '../terminal/text-width.ts'

/** A message and its surroundings in the log. */
export interface MessagePart {
  readonly message: MessageEntry
  /** The message, those before and after it, and all entries in between. */
  readonly entries: readonly LogEntry[]
}

/** Characters of an unknown id that an error repeats. */
const ID_SHOWN = 60

/**
 * Finds the message of an id, of an id's beginning, or of a number in the log (`#12`), and takes the entries from
 * `around` messages before it to as many behind it, fewer at the log's ends.
 * @throws CairnError `not-found`, or `ambiguous` for the beginning of several ids.
 */
export const aroundMessage = (
  named: string,
  around: number,
  log: readonly LogEntry[],
  sessionId: string,
): MessagePart => {
  const messages = log.filter((entry) => entry.kind === 'message')
  const message = messageNamed(named.trim(), messages, sessionId)
  const index = messages.indexOf(message)
  const [first, last] = [
    messages[Math.max(0, index - around)] ?? message,
    messages[Math.min(messages.length - 1, index + around)] ?? message,
  ]
  return { message, entries: log.filter(({ seq }) => seq >= first.seq && seq <= last.seq) }
}

/**
 * Returns the message with an id, the beginning of one, or `#<seq>`. A whole id counts before the beginning of one.
 * @throws CairnError as `aroundMessage` does
 */
const messageNamed = (named: string, messages: readonly MessageEntry[], sessionId: string): MessageEntry => {
  const [, wantedSeq] = /^#(\d{1,9})$/.exec(named) ?? []
  const found =
    wantedSeq === undefined
      ? messages.find(({ id }) => id === named)
      : messages.find(({ seq }) => seq === Number(wantedSeq))
  if (found !== undefined) return found
  const begun = wantedSeq !== undefined || named === '' ? [] : messages.filter(({ id }) => id.startsWith(named))
  const [only] = begun
  if (only === undefined)
    throw new CairnError(
      'not-found',
      `${neutraliseLine(sessionId)} has no message ${shortenEnd(neutraliseLine(named), ID_SHOWN)}; give the id of a message, its beginning, or its number in the log (#12).`,
    )
  if (begun.length > 1)
    throw new CairnError(
      'ambiguous',
      `${begun.length} messages begin with ${shortenEnd(neutraliseLine(named), ID_SHOWN)}; give more of the id, or the number in the log (#${only.seq}).`,
    )
  return only
}
