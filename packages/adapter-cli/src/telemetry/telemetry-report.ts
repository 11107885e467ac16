/** What `cairn otel` prints: a line for each request that an agent told of; with --json a document a line. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { RecordedRequest } from '@cairn/core/node/telemetry'
import type { Context } from '../command.ts'
import { inputOf } from '../gateway/gateway-report.ts'
import { createLiveReport } from '../output/live-report.ts'
import { counted, formatClock, formatCount } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** Prints what a receiver records. */
export interface TelemetryReport {
  /** Prints a request, and counts it unless it is incognito's or was known already. */
  recorded(request: RecordedRequest): void
  /** Something that went wrong; the same sentence is printed once. */
  trouble(sentence: string): void
  /** A sender at this address may not send; of each address it is printed once a minute. */
  turnedAway(address: string, why: string): void
  /** The totals. */
  end(): void
}

const MINUTE_MS = 60_000

/**
 * Creates a report that prints requests and problems as they come, as JSON if `isJson`, and refused senders, each at
 * most once a minute. `end` prints the totals since creation, of what was recorded: not of incognito sessions, nor of
 * what was known already.
 */
export const createTelemetryReport = (context: Context, isJson: boolean): TelemetryReport => {
  const { now } = context
  const { print, note, trouble } = createLiveReport(context, isJson)
  /** When a sender was last said to be turned away, ms, by its address. */
  const toldOf = new Map<string, number>()
  let [requests, costNano] = [0, 0n]
  return {
    recorded: (request) => {
      if (request.kept === 'recorded') {
        requests += 1
        costNano += request.fact.costNano ?? 0n
      }
      print(documentOf(request), lineOf(request, formatClock(now())))
    },
    trouble,
    turnedAway: (address, why) => {
      for (const [known, at] of toldOf) if (now() - at >= MINUTE_MS) toldOf.delete(known)
      if (toldOf.has(address)) return
      toldOf.set(address, now())
      note(`Telemetry from ${address} was refused: ${why}`)
    },
    end: () =>
      print(
        { event: 'end', requests, costUsd: usdFromNano(costNano) },
        `Total: ${counted(requests, 'request')}, ${formatUsd(costNano)}`,
      ),
  }
}

/**
 * Returns a request for `--json`: cost in USD, null without a price. Nothing is kept of an incognito session, so its id
 * is left out too.
 */
const documentOf = ({ sessionId, fact, kept }: RecordedRequest): Readonly<Record<string, unknown>> => ({
  event: 'request',
  ...(kept === 'incognito' ? {} : { sessionId }),
  kept,
  model: fact.model,
  inputTokens: inputOf(fact),
  cacheReadTokens: fact.cacheReadTokens,
  outputTokens: fact.outputTokens,
  costUsd: fact.costNano === null ? null : usdFromNano(fact.costNano),
})

/** Returns the line of a request: time, model, tokens, cost, session. An incognito one without its session. */
const lineOf = ({ sessionId, fact, kept }: RecordedRequest, clock: string): string => {
  const session = kept === 'incognito' ? 'incognito' : sessionId
  const cost = fact.costNano === null ? 'no price' : formatUsd(fact.costNano)
  const tokens = `${formatCount(inputOf(fact))} in, ${formatCount(fact.outputTokens)} out`
  return neutraliseLine(`${clock}  ${fact.model}  ${tokens}  ${cost}${kept === 'again' ? '  again' : ''}  ${session}`)
}
