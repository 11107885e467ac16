/**
 * A trim by hand: what a policy would take out so that the messages come to a size that the user names, although the
 * window has room for more. Decides only; whoever wants it appends `entriesToAppend`.
 */
import { CairnError } from '../errors.ts'
import type { ModelFacts } from '../models/model-facts.ts'
import type { LogEntry, RewriteEntry } from '../session-log.ts'
import type { ContextPrices, Situation } from './policy.ts'
import type { CacheAwarePreset } from './policies/cache-aware/settings.ts'
import { policyOf, type PolicyName } from './policies/registry.ts'
import { createContext, type Prepared } from './create-context.ts'
import type { RewriteReport } from './rewrite-report.ts'
import { DEFAULT_PRICES } from './request.ts'
import type { AskedModel } from './thinking.ts'
import { createContextView } from './view.ts'

export interface TrimInput {
  readonly entries: readonly LogEntry[]
  readonly facts: Pick<ModelFacts, 'charsPerToken' | 'cacheLifetimeSeconds'> &
    Partial<Pick<ModelFacts, 'id' | 'thinkingSignature'>>
  readonly prices?: ContextPrices | undefined
  /** Time of the decision, ms. */
  readonly now: number
  /** `none` takes nothing out and is refused. */
  readonly policy: PolicyName
  readonly preset?: CacheAwarePreset
  /** Tokens that the messages may take afterwards, or their share of what they take now. */
  readonly target: { readonly tokens: number } | { readonly share: number }
}

export interface Trim {
  /** None where the target can't be met: a context is not emptied for nothing. */
  readonly entriesToAppend: readonly RewriteEntry[]
  readonly reports: readonly RewriteReport[]
  /** Estimated tokens of the messages; `tokensAfter` is the least that the policy comes to where that misses the target. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly target: number
  /** Whether the target can be met: what is pinned and the newest message of the user always stay. */
  readonly isMet: boolean
}

/** Multiples of the target that are tried: policies free more than the next request needs, so the first that meets the
 * target takes out the least. */
const TRIED_SIZES = [2.5, 2, 1.5, 1.2, 1] as const

/**
 * Decides a trim; nothing is appended. A context that is small enough already, and one that can't be made to meet the
 * target (`isMet` false), gives no entries.
 * @throws CairnError `usage` for the policy `none` and for a target that is no size.
 */
export const trimContext = (input: TrimInput): Trim => {
  if (input.policy === 'none')
    throw new CairnError(
      'usage',
      'The policy none takes nothing out of a context; trim with cache-aware, cline or clio.',
    )
  const view = createContextView(input.facts.charsPerToken)
  view.ask(askedOf(input.facts))
  for (const entry of input.entries) view.step(entry)
  const tokensBefore = view.tokens()
  const target = Math.floor('share' in input.target ? tokensBefore * input.target.share : input.target.tokens)
  if (!(target > 0)) throw new CairnError('usage', 'A trim needs a target above 0 tokens.')
  if (tokensBefore <= target)
    return { entriesToAppend: [], reports: [], tokensBefore, tokensAfter: tokensBefore, target, isMet: true }
  const { prepared, reports } = smallestTried(input, target, tokensBefore)
  const isMet = prepared.tokens <= target
  return {
    entriesToAppend: isMet ? prepared.entriesToAppend : [],
    reports: isMet ? reports : [],
    tokensBefore,
    tokensAfter: prepared.tokens,
    target,
    isMet,
  }
}

/**
 * The first request of those tried that meets the target, else the smallest one; its reports were read at once.
 * `TRIED_SIZES` are factors of the target.
 */
const smallestTried = (
  input: TrimInput,
  target: number,
  tokensBefore: number,
): { readonly prepared: Prepared; readonly reports: readonly RewriteReport[] } => {
  const [first, ...others] = TRIED_SIZES
  const tried = (factor: number): Prepared => prepareFor(input, Math.floor(target * factor), tokensBefore)
  let prepared = tried(first)
  let { reports } = prepared
  for (const factor of others) {
    if (prepared.tokens <= target) break
    const next = tried(factor)
    if (next.tokens >= prepared.tokens) continue
    prepared = next
    ;({ reports } = next)
  }
  return { prepared, reports }
}

/** The model that is asked; an empty id counts as unknown. */
const askedOf = ({ id = '', thinkingSignature }: TrimInput['facts']): AskedModel => ({
  model: id === '' ? undefined : id,
  thinkingSignature,
})

/**
 * The request as if `availableTokens` were the whole window and nothing but messages were sent. `lastUsed`: tokens of
 * the request before. Appends nothing to the log. Does not throw for messages that don't fit: see `fits` and `tokens`.
 * @throws CairnError `usage` for an unknown policy or preset
 */
const prepareFor = (
  { entries, facts, prices = DEFAULT_PRICES, now, policy, preset }: TrimInput,
  availableTokens: number,
  lastUsed: number,
): Prepared => {
  const context = createContext(policyOf(policy, preset), facts.charsPerToken)
  context.step(entries)
  const situation: Situation = {
    now,
    window: availableTokens,
    availableTokens,
    prefix: 0,
    lastUsed,
    prices,
    cacheLifetime: facts.cacheLifetimeSeconds,
    refusals: 0,
    ...askedOf(facts),
  }
  return context.prepare(situation)
}
