/** Analyses a message of the session log for the search index. */
import type { MessageEntry } from '../session-log.ts'
import { analyseMessage, type AnalysedMessage } from '../text-analysis/message-analysis.ts'
import { prepareForAnalysis } from '../text-analysis/message-text.ts'
import { fileOperationsOf } from '../file-activity/file-tools.ts'
import { isStoreRecord } from '../user-words/record-tags.ts'

/**
 * Analyses a message. Texts for which `isRepeated` is true are left out: they are indexed where they first occur. So
 * are
 * records out of the store that a hook or a tool handed to the session: their copies would crowd out what they were
 * made of. It is not changed.
 */
export const analyseEntry = (
  entry: Omit<MessageEntry, 'seq'>,
  isRepeated: (text: string) => boolean,
): AnalysedMessage => {
  const message = prepareForAnalysis(entry, fileOperationsOf)
  const isCopy = (text: string): boolean => isRepeated(text) || (entry.role !== 'assistant' && isStoreRecord(text))
  return analyseMessage({ ...message, texts: message.texts.filter((text) => !isCopy(text)) })
}
