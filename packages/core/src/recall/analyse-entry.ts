/** Analyses a message of the session log for the search index. */
import type { MessageEntry } from '../session-log.ts'
import { analyseMessage, type AnalysedMessage } from '../text-analysis/message-analysis.ts'
import { prepareForAnalysis } from '../text-analysis/message-text.ts'
import { fileOperationsOf } from '../file-activity/file-tools.ts'
import { isStoreRecord } from '../user-words/record-tags.ts'

/**
 * Analyses a message; the entry is not changed. Two kinds of texts are left out: those for which `isRepeated` is true,
 * as they are indexed where they first occur, and, unless the message is the assistant's, records out of the store that
 * a hook or a tool handed to the session, as such copies would crowd out what they were made of.
 */
export const analyseEntry = (
  entry: Omit<MessageEntry, 'seq'>,
  isRepeated: (text: string) => boolean,
): AnalysedMessage => {
  const message = prepareForAnalysis(entry, fileOperationsOf)
  const isCopy = (text: string): boolean => isRepeated(text) || (entry.role !== 'assistant' && isStoreRecord(text))
  return analyseMessage({ ...message, texts: message.texts.filter((text) => !isCopy(text)) })
}
