/** A session as an item of a task history, completed from its log. */
import { createDisplayStream, isRequest, toHistoryItem, userAuthoredText } from '@cairn/core'
import type { Engine, HistoryItem, LogEntry, SessionSummary } from '@cairn/core'

/**
 * What lists of sessions show of one: its first words, size in bytes, cost and tokens.
 * @param log all of its entries, rewinds too
 * @param until its usage before this time (ms); default all
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

/** The first request that a person wrote. */
const firstRequest = (log: readonly LogEntry[]): string | undefined => {
  for (const entry of log) {
    const words = entry.kind === 'message' ? userAuthoredText(entry) : undefined
    if (words !== undefined && isRequest(words)) return words
  }
  return undefined
}

/**
 * First and last message, counted from 0, that was trimmed out of the model's view, rewinds aside; undefined for none.
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
