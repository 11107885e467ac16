/**
 * The policy of Cline, with its faults fixed: when the last request reached the size that the window allows, older
 * contents of files that were read again are replaced by notices; when that saves too little or is not enough, the
 * oldest messages after the first exchange are removed. What is left always fits.
 */
import { contextWindowInfo } from '../../../models/cline-window.ts'
import { CLINE_DEDUP_THRESHOLD, predictDedupThreshold } from '../../steps/file-reads/dedup-threshold.ts'
import type { TruncationKeep } from './truncation-range.ts'
import { createDraft, type RewriteDraft } from '../../draft.ts'
import type { Policy, Situation } from '../../policy.ts'
import type { ContextView } from '../../view.ts'
import { cutToFit } from '../../steps/cut-to-fit.ts'
import { SUPERSEDED, deduplicateReads } from './deduplicate-reads.ts'
import { updateNotices } from './update-notices.ts'
import { handledRefusals } from './refusals.ts'
import { createTruncation } from './truncate.ts'

export interface ClineOptions {
  /** The name in reports; default `cline`. */
  readonly name?: string
  /** The share of the window, 0 to 1, from which on it acts; default the sizes of Cline's table. */
  readonly allowedShare?: number
  /**
   * The share of the context's characters, 0 to 1, from which on removing duplicate reads is enough. `predicted`, the
   * default: Cline's 0.3, or less where what it frees lasts long enough by how this conversation grows and
   * repeats itself, and by what the provider's cache costs. Without a cache 0.3.
   */
  readonly dedupThreshold?: number | 'predicted'
}

/**
 * The policy `cline`: once the window is nearly full, older contents of files give way to notices, and then ranges of
 * old messages leave. See `ClineOptions` for its thresholds. Due means that the last request used `allowedShare` of the
 * window (else Cline's own limit), the messages no longer fit, or the provider refused the request as too long.
 */
export const clinePolicy = ({
  name = 'cline',
  allowedShare,
  dedupThreshold = 'predicted',
}: ClineOptions = {}): Policy => ({
  name,
  keepsWindow: true,
  start: (view) => ({
    /** The rewrite of this request, undefined where none is due: at most one a request for the window's share. */
    decide: (situation) => {
      const allowed =
        allowedShare === undefined
          ? contextWindowInfo(situation.window).maxAllowedSize
          : Math.floor(situation.window * allowedShare)
      const isRefused = situation.refusals > handledRefusals(view, name)
      const isOver = view.tokens() > situation.availableTokens
      const isDue = situation.lastUsed >= allowed && view.lastRewriteRequest !== view.requests
      if (!isDue && !isOver && !isRefused) return undefined
      return rewriteOf(view, situation, { allowed, name, isRefused, dedupThreshold })
    },
  }),
})

/** Of what a small window leaves for messages, they may take this share whatever the system prompt takes. */
const LEAST_SHARE = 0.25
/** What can't leave may take so much of the size to come down to; else each request would truncate again. */
const GROWTH = 1.5

interface Occasion extends Required<Pick<ClineOptions, 'name' | 'dedupThreshold'>> {
  /** Tokens of the window from which on the policy acts. */
  readonly allowed: number
  readonly isRefused: boolean
}

/**
 * The rewrite when the window is full or a request was refused as too long: repeated reads first, then truncation where
 * they save too little, then cutting. Undefined if the view may stay or nothing becomes smaller. The view is not
 * changed.
 */
const rewriteOf = (
  view: ContextView,
  situation: Situation,
  { allowed, name, isRefused, dedupThreshold }: Occasion,
): RewriteDraft | undefined => {
  const { availableTokens, prefix } = situation
  const soft = Math.max(allowed - prefix, availableTokens * LEAST_SHARE)
  const goal = Math.min(availableTokens, Math.max(soft, staying(view) * GROWTH))
  const mayStay = goal > soft && view.tokens() <= goal && !isRefused
  const limit = isRefused
    ? Math.floor(Math.min(goal, view.tokens() / 2, availableTokens / 2 ** situation.refusals))
    : goal

  const draft = createDraft(view)
  const truncation = createTruncation(draft)
  const removeWhileOver = (keep: TruncationKeep): void => {
    while (draft.tokens > limit && truncation.remove(keep));
  }
  const { notices, savedShare } = deduplicateReads(draft)
  const threshold =
    dedupThreshold === 'predicted'
      ? Math.min(CLINE_DEDUP_THRESHOLD, predictedThreshold(view, situation, soft, savedShare))
      : dedupThreshold
  const isEnough = savedShare >= threshold && draft.tokens <= limit
  if (mayStay && !isEnough) return undefined
  if (!isEnough) {
    truncation.remove(isRefused || situation.lastUsed / 2 > allowed ? 'quarter' : 'half')
    removeWhileOver('quarter')
    removeWhileOver('lastTwo')
  }
  // Results are cut before the newest of them leaves: an agent that never sees one would ask for it for ever.
  const hardLimit = isRefused ? limit : availableTokens
  const cut = cutToFit(draft, hardLimit)
  if (draft.tokens > hardLimit) truncation.remove('none')
  updateNotices(draft, notices, cut)
  // A notice can be longer than what it stands for.
  if (draft.tokens >= view.tokens()) return undefined
  return draft.build(name, isRefused ? 'refused' : 'window', situation.now, {
    requests: view.requests,
    refusals: situation.refusals,
  })
}

/** Tokens of what truncation leaves at least: the first exchange, the newest messages, what is fixed. */
const staying = (view: ContextView): number => {
  const draft = createDraft(view)
  createTruncation(draft).remove('lastTwo')
  return draft.tokens
}

/**
 * The share of the view's characters from which on removing repeated reads is enough, from what the conversation shows
 * so far: each request adds as much as all of them did on average, and as many characters will be read again as have
 * been. Cline's fixed 0.3 where nothing is cached or reads cost nothing.
 */
const predictedThreshold = (
  view: ContextView,
  { prices, cacheLifetime }: Situation,
  size: number,
  savedShare: number,
): number => {
  const conversationTokens = view.all().reduce((sum, { tokens }) => sum + tokens, 0)
  const gone = view.rewrites.reduce(
    (sum, { changes }) =>
      changes.reduce(
        (all, { seq, block, why }) => all + (why === SUPERSEDED ? (view.block(seq, block)?.tokens ?? 0) : 0),
        sum,
      ),
    0,
  )
  // Without a cache a rewrite costs nothing that it would have to pay back, and reading again is what costs.
  if (cacheLifetime === 0 || prices.read === 0) return CLINE_DEDUP_THRESHOLD
  return predictDedupThreshold({
    rereadShare: conversationTokens === 0 ? 0 : Math.min(1, (gone + savedShare * view.tokens()) / conversationTokens),
    growthPerRequest: conversationTokens / Math.max(1, view.requests),
    window: Math.max(1, size),
    writeReadRatio: prices.write / prices.read,
  })
}
