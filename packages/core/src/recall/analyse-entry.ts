/** A message of the log as the search index takes it up. */
import type { MessageEntry } from '../session-log.ts'
import { analyseMessage, type AnalysedMessage } from '../text-analysis/message-analysis.ts'
import { messageToAnalyse } from '../text-analysis/message-text.ts'
import { fileOperationsOf } from '../file-activity/file-tools.ts'

/** `isRepeated`: the session said this text before; it is found at its first place. */
export const analyseEntry = (
  entry: Omit<MessageEntry, 'seq'>,
  isRepeated: (text: string) => boolean,
): AnalysedMessage => {
  const message = messageToAnalyse(entry, fileOperationsOf)
  return analyseMessage({ ...message, texts: message.texts.filter((text) => !isRepeated(text)) })
}
