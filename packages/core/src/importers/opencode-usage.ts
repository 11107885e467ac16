/** OpenCode's counts of tokens and its costs. */
import { countOf, objectOf, type JsonObject, type JsonValue } from '../json.ts'
import { recordedCost, type NanoUsd } from '../money.ts'
import type { TokenUsage } from '../ports/price-book.ts'
import type { WrongCost } from './importer.ts'
import { oddUsage } from './line-values.ts'

/** The tokens of a reply by class, and what OpenCode recorded as its cost. */
export interface ReplyUsage {
  readonly tokens: TokenUsage
  /** Null for none, and for one that is known to be wrong. */
  readonly costNano: NanoUsd | null
  readonly wrongCost?: WrongCost
  /** What is to be said of numbers that are none. */
  readonly odd?: string
}

/** A fault of recorded costs, and what shows it. */
interface KnownFault {
  readonly fault: string
  readonly has: (tokens: JsonObject) => boolean
}

/** Versions 1.1 and 1.2, whose output holds the reasoning, by what the total comes to: the cost charges both. */
const REASONING_TWICE: KnownFault = {
  fault: 'charge reasoning twice',
  has: (tokens) => countOf(tokens.reasoning) > 0 && countOf(tokens.total) === totalWithoutReasoning(tokens),
}

const KNOWN_FAULTS: readonly KnownFault[] = [REASONING_TWICE]

/**
 * A reply's token classes and recorded cost; a cost of a kind that is known to be wrong is null, and told in
 * `wrongCost`. `odd` says that a number is none. Undefined for a reply without tokens: it was aborted, or no request
 * was made for it.
 */
export const replyUsage = (recorded: JsonValue | undefined, cost: JsonValue | undefined): ReplyUsage | undefined => {
  const tokens = objectOf(recorded)
  const cache = objectOf(tokens.cache)
  const reasoning = countOf(tokens.reasoning)
  const outputTokens = countOf(tokens.output) + (isReasoningInOutput(tokens) ? 0 : reasoning)
  const counted: TokenUsage = {
    inputTokens: countOf(tokens.input),
    cacheReadTokens: countOf(cache.read),
    cacheWrite5mTokens: countOf(cache.write),
    cacheWrite1hTokens: 0,
    outputTokens,
    ...(reasoning === 0 ? {} : { reasoningTokens: Math.min(reasoning, outputTokens) }),
  }
  const odd = oddUsage([tokens.input, tokens.output, tokens.reasoning, cache.read, cache.write], cost)
  if (counted.inputTokens + counted.cacheReadTokens + counted.cacheWrite5mTokens + counted.outputTokens === 0)
    return undefined
  const costNano = recordedCost(cost)
  const known = KNOWN_FAULTS.find(({ has }) => has(tokens))
  return {
    tokens: counted,
    ...(known === undefined || costNano === null
      ? { costNano }
      : { costNano: null, wrongCost: { fault: known.fault, costNano } }),
    ...(odd === undefined ? {} : { odd }),
  }
}

/** Versions differ, so each reply's own total decides; without one the output is taken for all that was produced. */
const isReasoningInOutput = (tokens: JsonObject): boolean =>
  countOf(tokens.total) !== totalWithoutReasoning(tokens) + countOf(tokens.reasoning)

/** Input, output and cached tokens together. */
const totalWithoutReasoning = (tokens: JsonObject): number => {
  const { read, write } = objectOf(tokens.cache)
  return countOf(tokens.input) + countOf(tokens.output) + countOf(read) + countOf(write)
}
