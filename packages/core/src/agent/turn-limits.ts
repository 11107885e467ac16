/** The limits of one turn, and what it has used: requests, tokens, money. */
import { CairnError } from '../errors.ts'
import { assertLimit } from '../input.ts'
import { formatUsd, type NanoUsd } from '../money.ts'
import type { SentRequest } from '../requests/send-input.ts'
import { allInputTokens } from '../usage/totals.ts'
import type { AgentEnd, AgentLimits } from './agent.ts'

/** Why a turn ends: a code and a sentence. */
export interface Stop {
  readonly end: Exclude<AgentEnd, 'done'>
  readonly reason: string
}

/** The end of a cancelled turn; a CairnError as the signal's reason says why. */
export const cancelledBy = ({ reason }: Pick<AbortSignal, 'reason'>): Stop => ({
  end: 'cancelled',
  reason: CairnError.is(reason) ? reason.message : 'Stopped by the user; what was done stays.',
})

const DEFAULT_TURNS = 100
const DEFAULT_MISTAKES = 3

/**
 * The limits of a turn, with 100 requests and 3 mistakes where these are not given; the others have no default.
 * @throws CairnError `invalid-input` for a limit below 1, and for money not above 0
 */
export const checkedLimits = (
  limits: AgentLimits = {},
): AgentLimits & { readonly turns: number; readonly mistakes: number } => {
  for (const name of ['turns', 'tokens', 'mistakes', 'autoApproved'] as const)
    assertLimit(limits[name], `The limit "${name}"`, 1)
  if (limits.costNano !== undefined && limits.costNano <= 0n)
    throw new CairnError('invalid-input', 'The limit of the cost must be above 0.')
  return { ...limits, turns: limits.turns ?? DEFAULT_TURNS, mistakes: limits.mistakes ?? DEFAULT_MISTAKES }
}

/**
 * The cost of token classes relative to uncached input in usual price lists: precise enough to distinguish a request
 * that fills the cache from the next one, which reads it.
 */
const WEIGHTS = { read: 0.1, write: 1.25, output: 5 } as const

/** Tracks the requests of a turn against its limits. */
export class Budget {
  readonly #limits: ReturnType<typeof checkedLimits>
  turns = 0
  #tokens = 0
  /** Null if at least one request has no price. */
  #costNano: NanoUsd | null = 0n
  #last: SentRequest | undefined

  constructor(limits: AgentLimits | undefined) {
    this.#limits = checkedLimits(limits)
  }

  get costNano(): NanoUsd | null {
    return this.#costNano
  }

  get mistakes(): number {
    return this.#limits.mistakes
  }

  get autoApproved(): number | undefined {
    return this.#limits.autoApproved
  }

  /**
   * Counts a reply: one request, its tokens of input and output, and its cost in nano-USD with `lostNano`, that of
   * failed attempts before it. Once a reply has no price, the cost stays unknown (null).
   */
  spend(reply: SentRequest, lostNano: NanoUsd = 0n): void {
    this.turns += 1
    this.#last = reply
    this.#tokens += tokensOf(reply)
    this.#costNano =
      this.#costNano === null || reply.costNano === null ? null : this.#costNano + reply.costNano + lostNano
  }

  /** Adds the cost of failed attempts that led to no reply. */
  lose(lostNano: NanoUsd): void {
    if (this.#costNano !== null) this.#costNano += lostNano
  }

  /**
   * Why no further request may be made: all requests are used, else the tokens so far and those of another request like
   * the last pass their limit, else the cost does (see `#overCost`). Undefined if one may; a limit that is not set
   * stops nothing.
   */
  stop(): Stop | undefined {
    const { turns, tokens, costNano } = this.#limits
    if (this.turns >= turns)
      return { end: 'max-turns', reason: `It has made ${this.turns} requests, which is the limit.` }
    if (tokens !== undefined && this.#tokens + (this.#last === undefined ? 0 : tokensOf(this.#last)) > tokens)
      return {
        end: 'max-tokens',
        reason: `It has used ${this.#tokens.toLocaleString('en-US')} tokens, and the next request would exceed the limit of ${tokens.toLocaleString('en-US')}.`,
      }
    return costNano === undefined ? undefined : this.#overCost(costNano)
  }

  /**
   * A stop if the limit in nano-USD is reached, if what the next request is likely to cost would exceed it, or if a
   * reply of this turn has no price; otherwise undefined.
   */
  #overCost(limit: NanoUsd): Stop | undefined {
    if (this.#costNano === null)
      return {
        end: 'max-cost',
        reason:
          'The model has no known price, so a limit of the cost can’t be kept; set its price, or limit turns or tokens.',
      }
    if (this.#costNano + likelyCost(this.#last) <= limit && this.#costNano < limit) return undefined
    return {
      end: 'max-cost',
      reason: `It has cost ${formatUsd(this.#costNano)}, and the next request would exceed the limit of ${formatUsd(limit)}.`,
    }
  }
}

const tokensOf = ({ usage }: SentRequest): number => allInputTokens(usage) + usage.outputTokens

/**
 * The likely cost of a session's next request in nano-USD, from that of the last: its input again (at the price of
 * cached input if it used a cache), its output as further input, and as much output. 0 without a last one, or if that
 * has no price.
 */
const likelyCost = (last: SentRequest | undefined): NanoUsd => {
  if (last?.costNano === undefined || last.costNano === null) return 0n
  const { usage } = last
  const input = allInputTokens(usage)
  const { cacheReadTokens: read, inputTokens: uncached, outputTokens: output } = usage
  const written = Math.max(0, input - read - uncached)
  const weight = uncached + read * WEIGHTS.read + written * WEIGHTS.write + output * WEIGHTS.output
  if (weight <= 0) return last.costNano
  const isCached = read + written > 0
  const next = isCached
    ? input * WEIGHTS.read + output * (WEIGHTS.write + WEIGHTS.output)
    : input + output * (1 + WEIGHTS.output)
  return BigInt(Math.round((Number(last.costNano) * next) / weight))
}
