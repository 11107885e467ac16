/** The output of `cairn gateway`: a line for each request and the totals; with --json, one document per line. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { RecordedExchange } from '@cairn/core/node/gateway'
import type { Context } from '../command.ts'
import { createLiveReport } from '../output/live-report.ts'
import { counted, formatClock, formatCount, formatDuration } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** Reports what passes through the gateway. */
export interface GatewayReport {
  /** A request that was recorded, or of which nothing was kept. */
  exchanged(recorded: RecordedExchange): void
  /** Something that went wrong beside what passes through; the same sentence is printed once. */
  trouble(sentence: string): void
  /** The totals. */
  end(): void
}

/**
 * Reports exchanges as they end, one line each, and problems, each sentence once, on standard error; with `isJson` each as
 * a document. `end` prints the totals since creation: an exchange without a bill counts as failed, a request without a
 * price as free.
 */
export const createGatewayReport = (context: Context, isJson: boolean): GatewayReport => {
  const { now } = context
  const { print, trouble } = createLiveReport(context, isJson)
  let [requests, failed, costNano] = [0, 0, 0n]
  return {
    exchanged: (recorded) => {
      const { bill } = recorded
      if (bill === undefined) failed += 1
      else {
        requests += 1
        costNano += bill.costNano ?? 0n
      }
      print(documentOf(recorded), lineOf(recorded, formatClock(now())))
    },
    trouble,
    end: () =>
      print(
        { event: 'end', requests, failed, costUsd: usdFromNano(costNano) },
        `Total: ${counted(requests, 'request')}, ${formatUsd(costNano)}${failed === 0 ? '' : `, ${failed} failed`}`,
      ),
  }
}

/** Returns the input tokens of all classes: uncached, read from the cache, and written to it. */
export const inputOf = (bill: NonNullable<RecordedExchange['bill']>): number =>
  bill.inputTokens +
  bill.cacheReadTokens +
  bill.cacheWrite5mTokens +
  bill.cacheWrite1hTokens +
  (bill.cacheWrite30mTokens ?? 0) +
  (bill.cacheWrite12hTokens ?? 0)

/**
 * Returns the document of a request for `--json`: cost in USD, null without a price; times in ms. Without a bill only
 * what is known. Nothing is kept of an incognito session, so its id is left out too.
 */
const documentOf = ({
  bill,
  kept,
  messages,
  sessionId,
  leftOutTokens,
  error,
}: RecordedExchange): Readonly<Record<string, unknown>> => ({
  event: 'request',
  ...(kept === 'incognito' ? {} : { sessionId }),
  kept,
  messages,
  ...(leftOutTokens === undefined ? {} : { leftOutTokens }),
  ...(error === undefined ? {} : { error }),
  ...(bill === undefined
    ? {}
    : {
        model: bill.model,
        inputTokens: inputOf(bill),
        cacheReadTokens: bill.cacheReadTokens,
        outputTokens: bill.outputTokens,
        costUsd: bill.costNano === null ? null : usdFromNano(bill.costNano),
        firstTokenMs: bill.latency?.firstTokenMs ?? null,
        totalMs: bill.latency?.totalMs ?? null,
      }),
})

/**
 * Returns the line of a request: time, model, tokens, cost, duration, failure, session; without a bill only time,
 * failure and session.
 */
const lineOf = ({ bill, kept, sessionId, leftOutTokens = 0, error }: RecordedExchange, clock: string): string => {
  const session = kept === 'incognito' ? 'incognito' : sessionId
  const failure = error === undefined ? '' : `  ${error}`
  if (bill === undefined) return neutraliseLine(`${clock}${failure}  ${session}`)
  const cost = bill.costNano === null ? 'no price' : formatUsd(bill.costNano)
  const time = bill.latency === undefined ? '' : `  ${formatDuration(bill.latency.totalMs)}`
  const less = leftOutTokens === 0 ? '' : ` (about ${formatCount(leftOutTokens)} left out)`
  const tokens = `${formatCount(inputOf(bill))} in${less}, ${formatCount(bill.outputTokens)} out`
  return neutraliseLine(`${clock}  ${bill.model}  ${tokens}  ${cost}${time}${failure}  ${session}`)
}
