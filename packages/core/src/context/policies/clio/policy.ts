/**
 * The policy of CLIO, with its faults mended: before three quarters of the window are full, when the
 * messages don't fit, and after each refusal of the provider, the oldest exchanges leave, and a summary of all
 * that ever left takes their place. The newest message of the user stays word for word.
 */
import type { ThreadSummary } from '../../../summary/thread-summary.ts'
import { createDraft, type Draft, type RewriteDraft } from '../../draft.ts'
import { tokensOf, type ViewBlock } from '../../view-block.ts'
import type { Policy, Situation } from '../../policy.ts'
import type { ContextView } from '../../view.ts'
import { cutToFit } from '../../steps/cut-to-fit.ts'
import { updateNotices } from '../cline/update-notices.ts'
import { isFromLog } from '../../steps/visible-messages.ts'
import { visibleUnits } from '../cline/units.ts'
import { handledRefusals } from '../cline/refusals.ts'
import { visibleInsertion } from '../cline/truncate.ts'
import { dropOldest } from './drop-oldest.ts'
import {
  isMinimal,
  leastFreed,
  refusedTokens,
  startTokens,
  targetTokens,
  validationTokens,
  type ClioShares,
} from './sizes.ts'
import { asJson, noteBefore, recordText, summaryAfter } from './thread-record.ts'

export interface ClioOptions extends Partial<ClioShares> {
  /** The name in reports; default `clio`. */
  readonly name?: string
}

/** The most that the summary takes: a share of the available tokens, and one of the size that a trim comes down to. */
const RECORD_SHARE_OF_AVAILABLE = 0.1
const RECORD_SHARE_OF_TARGET = 0.25
/** A trim must free more than its summary takes. */
const RECORD_OF_FREED = 0.9
/** A record is larger by so much when the units are dropped that it takes the place of. */
const RECORD_GROWTH = 1.2
/** A conversation begins with a turn of the user, or with what stands for one. */
const LEAST_RECORD = '[Older messages left the context.]'
const RECORD_REASON = 'thread-summary'

type Stage = 'threshold' | 'window' | 'refused'

/**
 * The policy `clio`: trims the oldest units from `start` (share of the window, 0.75) down to `target` (0.5), and puts a
 * summary of them in. It also trims when the messages no longer fit, or the provider refused the request as too long.
 */
export const clioPolicy = ({ name = 'clio', start = 0.75, target = 0.5 }: ClioOptions = {}): Policy => ({
  name,
  keepsWindow: true,
  start: (view) => ({
    decide: (situation) => {
      const stage = stageOf(view, situation, { start, target }, name)
      return stage === undefined ? undefined : trim(view, situation, { start, target }, name, stage)
    },
  }),
})

/**
 * Which limit the context has reached; undefined if none. A refusal counts once, and a threshold at most once between
 * two requests.
 */
const stageOf = (view: ContextView, situation: Situation, shares: ClioShares, name: string): Stage | undefined => {
  if (situation.refusals > handledRefusals(view, name)) return 'refused'
  if (view.tokens() > situation.availableTokens) return 'window'
  const isDue = view.lastRewriteRequest !== view.requests && view.tokens() >= startTokens(shares, situation)
  return isDue ? 'threshold' : undefined
}

/** The tokens to trim to. */
const goalOf = (view: ContextView, situation: Situation, shares: ClioShares, stage: Stage): number => {
  if (stage === 'refused') return refusedTokens(view.tokens(), situation)
  const target = targetTokens(shares, situation)
  return stage === 'window' ? Math.min(target, validationTokens(shares, situation)) : target
}

/**
 * Drops the oldest units until the goal is met, cuts blocks where that does not fit the limit, and puts in a record of
 * what was dropped, new or renewed. Undefined if too little can leave or nothing becomes smaller.
 */
const trim = (
  view: ContextView,
  situation: Situation,
  shares: ClioShares,
  name: string,
  stage: Stage,
): RewriteDraft | undefined => {
  const goal = goalOf(view, situation, shares, stage)
  // Whatever happens, the shortest record fits.
  const limit = (stage === 'refused' ? goal : situation.availableTokens) - tokensIn(LEAST_RECORD, view)
  const former = visibleInsertion(view, RECORD_REASON)
  const isLeast = stage === 'refused' && isMinimal(situation)
  const most = Math.floor(
    Math.min(RECORD_SHARE_OF_AVAILABLE * situation.availableTokens, RECORD_SHARE_OF_TARGET * goal),
  )
  const recordOf = (dropped: readonly ViewBlock[], tokens: number): ThreadRecord => {
    const summary = summaryAfter(view, name, dropped, situation.now)
    return { summary, text: recordText(summary, tokens * view.charactersPerToken) }
  }

  // How large the record is shows when it is made; then as much is dropped in addition.
  const trial = createDraft(view)
  const first = dropOldest(trial, isLeast ? 0 : goal, former)
  const floor = leastFreed(shares, situation)
  // What may not leave, such as the running turn's calls, can hold nearly all of it: then the next request would trim again.
  if (stage === 'threshold' && view.tokens() - trial.tokens < floor) return undefined
  const reserve =
    first.length === 0 ? 0 : Math.min(most, Math.ceil(tokensIn(recordOf(first, most).text, view) * RECORD_GROWTH))
  const draft = createDraft(view)
  const dropped = dropOldest(draft, isLeast ? 0 : goal - reserve, former)
  if (former !== undefined && dropped.length > 0) draft.remove(former, 'renewed')
  updateNotices(draft, new Map(), cutTo(draft, limit, stage === 'window' ? floor : 0))

  const trigger = stage === 'refused' ? 'refused' : 'window'
  const handled = { requests: view.requests, refusals: situation.refusals }
  if (dropped.length === 0) return draft.build(name, trigger, situation.now, handled)
  const freed = Math.floor((view.tokens() - draft.tokens) * RECORD_OF_FREED)
  const { summary, text } = recordOf(dropped, Math.min(most, freed, limit - draft.tokens) - tokensIn('', view))
  insertRecord(draft, text)
  if (draft.tokens >= view.tokens()) return undefined
  return draft.build(name, trigger, situation.now, {
    ...handled,
    summary: asJson(summary),
    note: noteBefore(view, situation.now, reasonOf(stage, situation)),
  })
}

/**
 * Cuts blocks until the draft has at most `limit` tokens: older ones first, as the model has not seen the newest exchange's
 * results yet. What only just fits would not fit with the next reply, so the older ones make `spare` tokens free as well,
 * unless the newest exchange takes most of the limit: they could not make up for it.
 */
const cutTo = (draft: Draft, limit: number, spare: number): ReadonlySet<ViewBlock> => {
  const newest = new Set(visibleUnits(draft.view).at(-1))
  const newestTokens = [...newest].reduce((sum, block) => sum + draft.tokensSent(block), 0)
  const older = newestTokens > limit / 2 ? [] : draft.view.blocks().filter((block) => !newest.has(block))
  const cut = cutToFit(draft, limit - spare, undefined, older)
  return new Set([...cut, ...cutToFit(draft, limit)])
}

/** Puts the record before the first message that stays; the shortest record where the user would not begin otherwise. */
const insertRecord = (draft: Draft, text: string): void => {
  const { view } = draft
  const rest = view
    .blocks()
    .find((block) => !draft.isRemoved(block) && block.kind !== 'system' && isFromLog(view, block.source.seq))?.source
  const shown = text === '' && rest?.entry.role !== 'user' ? LEAST_RECORD : text
  if (shown !== '')
    draft.insert({ ...(rest === undefined ? {} : { before: rest.seq }), why: RECORD_REASON, text: shown })
}

interface ThreadRecord {
  readonly summary: ThreadSummary
  /** '' when it does not fit. */
  readonly text: string
}

const tokensIn = (text: string, view: ContextView): number => tokensOf({ type: 'text', text }, view.charactersPerToken)

/** The end of a sentence for the progress note: why messages leave. */
const reasonOf = (stage: Stage, { refusals }: Situation): string => {
  switch (stage) {
    case 'threshold':
      return 'older messages leave the context, which is nearly full'
    case 'window':
      return 'older messages leave the context, which is full'
    case 'refused':
      return `older messages leave the context: the provider refused the request as too long (${refusals})`
  }
}
