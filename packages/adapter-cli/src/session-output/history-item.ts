/** A session as an item of a task history, completed from its log. */
import { createDisplayStream, isRequest, toHistoryItem, userAuthoredText } from '@cairn/core'
import type { Engine, HistoryItem, LogEntry, SessionSummary } from '@cairn/core'

/**
 * Returns what lists of sessions show of one: its first request, size in bytes, cost and tokens.
 * @param log all of its entries, including rewinds
 * @param until only usage before this time (ms) counts; default all
 */
export const historyItemOf = async (
  session: SessionSummary,
  log: readonly LogEntry[],
  engine: Engine,
  until?: number,
): Promise<HistoryItem> => {
  const { total } = await engine.usage.report({
    by: 'agent',
    filter: { session: session.id },
    ...(until === undefined ? {} : { until }),
  })
  return toHistoryItem(session, total, {
    firstWords: firstRequest(log),
    size: log.reduce((bytes, entry) => bytes + Buffer.byteLength(JSON.stringify(entry)), 0),
    deletedRange: deletedRange(log),
  })
}

/** Returns the first request that a person wrote; undefined if there is none. */
const firstRequest = (log: readonly LogEntry[]): string | undefined => {
  for (const entry of log) {
    const words = entry.kind === 'message' ? userAuthoredText(entry) : undefined
    if (words !== undefined && isRequest(words)) return words
  }
  return undefined
}

/**
 * The indexes of the first and last message that were trimmed from the context, not counting rewinds; undefined if none
 * were.
 */
const deletedRange = (log: readonly LogEntry[]): readonly [number, number] | undefined => {
  const display = createDisplayStream()
  for (const entry of log) display.step(entry)
  const trimmed = display.deletedRanges().filter(({ isRewound }) => !isRewound)
  const [first, last] = [trimmed[0], trimmed.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const messages = log.filter(({ kind }) => kind === 'message')
  const indexOfMessage = (seq: number): number => messages.findIndex((message) => message.seq === seq)
  return [indexOfMessage(first.fromSeq), indexOfMessage(last.toSeq)]
}
