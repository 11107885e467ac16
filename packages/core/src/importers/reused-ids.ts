/**
 * Messages whose id the session had already for something else. The storage keeps the first message of an id and passes
 * over the others, which is right for a repetition and a loss for anything else: that is named.
 */
import { isJsonObject, objectOf } from '../json.ts'
import { textOfBlock, type ContentBlock, type Message } from '../messages.ts'
import type { ImportStorage } from '../ports/import-storage.ts'
import type { BatchOutcome } from './parse-batch.ts'

/** One reason for a reader of the report; `id` as the file has it. */
export const reusedId = (id: string): string =>
  `the id ${JSON.stringify(id.length > 60 ? `${id.slice(0, 60)}…` : id)} was used before for another message of the session`

/** Of a message without one of its own: made of what the line holds, so that it can't stand for anything else. */
const MADE_ID = /^h:[0-9a-f]{16}\.\d+$/

/** The lines of a batch whose message the store will pass over although it is another than the one stored. */
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
      if (entry.kind === 'message' && known !== undefined && line !== undefined && !saysTheSame(known, entry))
        found.push({ line, reason: reusedId(externalId) })
    }
  }
  return found.sort((left, right) => left.line - right.line)
}

const saysTheSame = (stored: Message, given: Message): boolean => {
  const words = wordsOf(stored)
  // What was stored before a tool's input was kept has none.
  return words === wordsOf(given) || words === wordsOf({ ...given, content: given.content.map(withoutInput) })
}

const wordsOf = ({ role, content }: Message): string => JSON.stringify([role, ...content.map(textOfBlock)])

const withoutInput = (block: ContentBlock): ContentBlock => {
  if (block.type !== 'other' || !isJsonObject(block.value)) return block
  const { input: _input, ...tool } = objectOf(block.value.tool)
  return { type: 'other', value: { ...block.value, tool } }
}
