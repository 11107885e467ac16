/** Which model a recorded session would go on with, and how large its window is. */
import type { ModelFacts } from '../models/model-facts.ts'
import { allInputTokens } from '../usage/totals.ts'
import type { StoredRequest } from '../ports/usage-storage.ts'
import type { LogEntry } from '../session-log.ts'

export interface SessionModel {
  /** Undefined where neither the requests nor the log name one. */
  readonly model: string | undefined
  readonly newest: StoredRequest | undefined
  /** Largest input that a request of the model had, tokens; 0 without one. */
  readonly largestInput: number
}

/** `given`; `model`: known of it; `recorded`: more was sent than is known of; `assumed`: nothing is known. */
export type WindowOrigin = 'given' | 'model' | 'recorded' | 'assumed'

/** Input tokens of a request in all: uncached, read from the cache and written to it. */
export const allInput = (request: StoredRequest): number => allInputTokens(request)

/**
 * The model of the newest request, or the one that the log names since (chosen by the user, or of a reply), with the
 * newest request whatever its model, and the largest input of that model's requests. Requests of subagents and those
 * without input do not count.
 * @param requests in order of time
 * @param at ms: leaves out requests that are later or have no time, but no entries; give those up to then
 */
export const sessionModel = (
  entries: readonly LogEntry[],
  requests: readonly StoredRequest[],
  at?: number,
): SessionModel => {
  const own = requests.filter(
    (request) =>
      request.subagent === null &&
      allInput(request) > 0 &&
      (at === undefined || (request.at !== null && request.at <= at)),
  )
  const newest = own.at(-1)
  const named = modelInLog(entries)
  const isLater = named?.at !== undefined && named.at !== null && named.at > (newest?.at ?? -Infinity)
  const model = newest === undefined || isLater ? (named?.model ?? newest?.model) : newest.model
  return {
    model,
    newest,
    largestInput: own.reduce(
      (largest, request) => (request.model === model ? Math.max(largest, allInput(request)) : largest),
      0,
    ),
  }
}

/**
 * The newest choice of the user, or what a reply says that it was made by, whichever is later in the log; undefined if
 * neither is there. Messages of subagents don't count.
 */
const modelInLog = (
  entries: readonly LogEntry[],
): { readonly model: string; readonly at: number | null } | undefined => {
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index]
    if (entry?.kind === 'model') return { model: entry.model, at: entry.at }
    if (
      entry?.kind === 'message' &&
      entry.role === 'assistant' &&
      entry.subagent === undefined &&
      entry.model !== undefined
    )
      return { model: entry.model, at: entry.at }
  }
  return undefined
}

/** Windows that models are sold with, tokens. */
const USUAL_WINDOWS = [128_000, 200_000, 256_000, 400_000, 1_000_000, 2_000_000] as const

/**
 * The context window in tokens, and where it comes from: `given` if there is one; where a request was larger than the
 * model's window is known to be, the least usual size that holds it, else its own size (`recorded`); else the model's
 * (`assumed` for a model that is not known).
 */
export const windowFor = (
  facts: ModelFacts,
  given: number | undefined,
  largestInput: number,
): { readonly window: number; readonly from: WindowOrigin } => {
  if (given !== undefined) return { window: given, from: 'given' }
  if (largestInput > facts.contextWindow)
    return { window: USUAL_WINDOWS.find((usual) => usual >= largestInput) ?? largestInput, from: 'recorded' }
  return { window: facts.contextWindow, from: facts.known ? 'model' : 'assumed' }
}
