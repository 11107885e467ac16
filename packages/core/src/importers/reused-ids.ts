/**
 * Messages whose id the session had already for something else. The storage keeps the first message of an id and passes
 * over the others, which is right for a repetition and a loss for anything else: that is named.
 */
import { isJsonObject, objectOf } from '../json.ts'
import { textOfBlock, type ContentBlock, type Message } from '../messages.ts'
import type { ImportStorage } from '../ports/import-storage.ts'
import type { BatchOutcome } from './parse-batch.ts'

/** The skip reason for a message id that the session used before for another message. */
export const reusedIdReason = (id: string): string =>
  `the id ${JSON.stringify(id.length > 60 ? `${id.slice(0, 60)}…` : id)} was used before for another message of the session`

/** An id for a message that has none, made of the line's content, so that no other message can have it. */
const MADE_ID = /^h:[0-9a-f]{16}\.\d+$/

/**
 * Skips for the messages of a batch that the storage will ignore because their id is taken by a message with other
 * content. In the order of the lines. Ids that the importer made itself are not looked at.
 */
export const reusedIds = async (
  { sessions, lines }: Pick<BatchOutcome, 'sessions' | 'lines'>,
  storage: Pick<ImportStorage, 'messagesWith'>,
): Promise<BatchOutcome['skips']> => {
  const found: { readonly line: number; readonly reason: string }[] = []
  for (const { session, writes } of sessions) {
    const ids = writes.flatMap(({ entry, externalId }) =>
      entry.kind === 'message' && externalId !== undefined && !MADE_ID.test(externalId) ? [externalId] : [],
    )
    if (ids.length === 0) continue
    const stored = await storage.messagesWith(session.id, [...new Set(ids)])
    if (stored.size === 0) continue
    for (const write of writes) {
      const { entry, externalId = '' } = write
      const known = stored.get(externalId)
      const line = lines.get(write)
      if (entry.kind === 'message' && known !== undefined && line !== undefined && !hasSameContent(known, entry))
        found.push({ line, reason: reusedIdReason(externalId) })
    }
  }
  return found.sort((left, right) => left.line - right.line)
}

/** Whether a message has the content that is stored under its id. */
const hasSameContent = (stored: Message, given: Message): boolean => {
  const words = contentKey(stored)
  // What was stored before a tool's input was kept has none.
  return words === contentKey(given) || words === contentKey({ ...given, content: given.content.map(withoutInput) })
}

const contentKey = ({ role, content }: Message): string => JSON.stringify([role, ...content.map(textOfBlock)])

/** A block of an unknown kind without the input of its tool, which may be written anew; others stay. */
const withoutInput = (block: ContentBlock): ContentBlock => {
  if (block.type !== 'other' || !isJsonObject(block.value)) return block
  const { input: _input, ...tool } = objectOf(block.value.tool)
  return { type: 'other', value: { ...block.value, tool } }
}
