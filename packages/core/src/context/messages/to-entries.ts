/** Messages as callers have them, in any form that is known, as entries of a log. */
import { CairnError } from '../../errors.ts'
import { JSON_LEVELS, isNestedDeeper } from '../../json.ts'
import type { MessageEntry } from '../../session-log.ts'
import { createMessageReader } from './read-messages.ts'

/**
 * Entries of a conversation that has no log, numbered from 0; `at` is the time of all of them. Ids are
 * `message:<number>`.
 * @throws CairnError `invalid-input` for what is not an array of messages, and for a message that can't be read.
 */
export const entriesOf = (messages: readonly object[], at: number | null): readonly MessageEntry[] => {
  const given: unknown = messages
  if (!Array.isArray(given)) throw new CairnError('invalid-input', 'prepare needs an array of messages.')
  const reader = createMessageReader('prepare')
  return (given as readonly unknown[]).map((message, seq) => {
    if (isNestedDeeper(message))
      throw new CairnError(
        'invalid-input',
        `prepare was given something that it can't read: message ${seq} refers to itself, or is nested over ${JSON_LEVELS} levels deep.`,
      )
    return { kind: 'message', seq, at, id: `message:${seq}`, ...reader.read(message, seq) }
  })
}
