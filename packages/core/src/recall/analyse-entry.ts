/** Analyses a message of the session log for the search index. */
import type { MessageEntry } from '../session-log.ts'
import { analyseMessage, type AnalysedMessage } from '../text-analysis/message-analysis.ts'
import { prepareForAnalysis } from '../text-analysis/message-text.ts'
import { fileOperationsOf } from '../file-activity/file-tools.ts'

/** Analyses a message. Texts for which `isRepeated` is true are left out: they are indexed where they first occur. */
export const analyseEntry = (
  entry: Omit<MessageEntry, 'seq'>,
  isRepeated: (text: string) => boolean,
): AnalysedMessage => {
  const message = prepareForAnalysis(entry, fileOperationsOf)
  return analyseMessage({ ...message, texts: message.texts.filter((text) => !isRepeated(text)) })
}
