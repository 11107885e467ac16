/** What a rewrite did, for people and programs: what left, why, what that saves and costs, how to get it back. */
import type { BlockChange, RewriteEntry } from '../session-log.ts'
import { shownKind } from './item.ts'
import type { ContextItem, ItemKind } from './item.ts'
import type { Situation } from './policy.ts'
import type { ContextView } from './view.ts'

export interface Removal {
  /** Where the block stands in the log; the log keeps it whole. */
  readonly seq: number
  readonly block: number
  readonly messageId: string
  readonly kind: ItemKind
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
export const RESTORE_HINT =
  'The log keeps every block whole: pin one to bring it back (cairn context restore <message id>), or let the agent run its tool again.'

/** Reports a rewrite that the view has just taken. `sent` tells the tokens of its blocks before it. */
export const reportOf = (
  entry: RewriteEntry,
  view: ContextView,
  sent: ReadonlyMap<ContextItem, number>,
  situation: Situation,
  isWarm: boolean,
): RewriteReport => {
  const removals = entry.changes.flatMap((change): Removal[] => {
    const item = view.item(change.seq, change.block)
    return item === undefined || item.kind === 'inserted' ? [] : [removalOf(item, change, view, sent)]
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

const removalOf = (
  item: ContextItem,
  { why, text }: BlockChange,
  view: ContextView,
  sent: ReadonlyMap<ContextItem, number>,
): Removal => {
  const path = item.operations[0]?.path
  return {
    seq: item.slot.seq,
    block: item.slot.block,
    messageId: item.slot.entry.id,
    kind: shownKind(item),
    ...(path === undefined ? {} : { path }),
    why,
    what: text === undefined ? 'removed' : 'shortened',
    savedTokens: (sent.get(item) ?? item.tokens) - view.tokensSent(item),
  }
}

/** Tokens from the first place on that the rewrite touched. */
const tokensFrom = (entry: RewriteEntry, view: ContextView): number => {
  const places = [
    ...entry.changes.map(({ seq }) => seq),
    ...(entry.insertions ?? []).map(({ before }) => before ?? entry.seq),
  ]
  const first = Math.min(...places)
  return view
    .items()
    .reduce(
      (sum, item) => (item.slot.seq >= first || item.slot.seq === entry.seq ? sum + view.tokensSent(item) : sum),
      0,
    )
}
