/** What a rewrite did, for people and programs: what left, why, what that saves and costs, how to get it back. */
import type { BlockChange, RewriteEntry } from '../session-log.ts'
import { shownKind } from './view-block.ts'
import type { ViewBlock, BlockKind } from './view-block.ts'
import type { Situation } from './policy.ts'
import type { ContextView } from './view.ts'

export interface Removal {
  /** Where the block stands in the log; the log keeps it whole. */
  readonly seq: number
  readonly block: number
  readonly messageId: string
  readonly kind: BlockKind
  /** The file that it is about, where it is about one. */
  readonly path?: string
  readonly why: string
  /** `shortened`: a part or a note stands in its place. */
  readonly what: 'shortened' | 'removed'
  /** Tokens that every further request is spared. */
  readonly savedTokens: number
}

export interface RewriteReport {
  readonly policy: string
  readonly trigger: string
  readonly removals: readonly Removal[]
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Tokens after the first change: the provider's cache does not have them any more. */
  readonly rewrittenTokens: number
  /** What writing them again costs over reading them from the cache, USD; 0 on a cold cache. */
  readonly costUsd: number
  /** What every further request costs less, USD. */
  readonly savedUsdPerRequest: number
  /** How to see again what left. */
  readonly restore: string
}

const PER_MILLION = 1e-6
const RESTORE_HINT =
  'The log keeps every block whole: pin one to bring it back (cairn context restore <message id>), or let the agent run its tool again.'

/**
 * Reports a rewrite that the view has just taken. `sent`: the tokens of those of its blocks that had been shortened
 * before it; all others took what they are. `isWarm`: the provider still had the prefix cached, so that writing what
 * follows the change again costs extra. Costs in USD. Insertions are not among the removals.
 */
export const reportOf = (
  entry: RewriteEntry,
  view: ContextView,
  sent: ReadonlyMap<ViewBlock, number>,
  situation: Situation,
  isWarm: boolean,
): RewriteReport => {
  const removals = entry.changes.flatMap((change): Removal[] => {
    const block = view.block(change.seq, change.block)
    return block === undefined || block.kind === 'inserted' ? [] : [removalOf(block, change, view, sent)]
  })
  const before = entry.tokensBefore ?? 0
  const after = entry.tokensAfter ?? 0
  const rewritten = tokensFrom(entry, view)
  const { read, write } = situation.prices
  return {
    policy: entry.policy,
    trigger: entry.trigger,
    removals,
    tokensBefore: before,
    tokensAfter: after,
    rewrittenTokens: rewritten,
    costUsd: isWarm ? rewritten * (write - read) * PER_MILLION : 0,
    savedUsdPerRequest: (before - after) * read * PER_MILLION,
    restore: RESTORE_HINT,
  }
}

/**
 * How a change of a rewrite reads in a report; `savedTokens` are against what was sent before. A change without a text
 * counts as `removed`, any other as `shortened`.
 */
const removalOf = (
  block: ViewBlock,
  { why, text }: BlockChange,
  view: ContextView,
  sent: ReadonlyMap<ViewBlock, number>,
): Removal => {
  const path = block.operations[0]?.path
  return {
    seq: block.source.seq,
    block: block.source.block,
    messageId: block.source.entry.id,
    kind: shownKind(block),
    ...(path === undefined ? {} : { path }),
    why,
    what: text === undefined ? 'removed' : 'shortened',
    savedTokens: (sent.get(block) ?? block.tokens) - view.tokensSent(block),
  }
}

/**
 * Tokens from the first entry on that the rewrite touched. An insertion without `before` stands at the end; the
 * rewrite's own insertions count.
 */
const tokensFrom = (entry: RewriteEntry, view: ContextView): number => {
  const seqs = [
    ...entry.changes.map(({ seq }) => seq),
    ...(entry.insertions ?? []).map(({ before }) => before ?? entry.seq),
  ]
  const first = Math.min(...seqs)
  return view
    .blocks()
    .reduce(
      (sum, block) =>
        block.source.seq >= first || block.source.seq === entry.seq ? sum + view.tokensSent(block) : sum,
      0,
    )
}
