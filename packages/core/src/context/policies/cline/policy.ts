/**
 * The policy of Cline (seeds 000 to 002), with its faults mended: when the last request took the size that the
 * window allows, older contents of files that are there again give way; when that saves too little or is not
 * enough, the oldest messages after the first exchange leave. What is left always fits.
 */
import { contextWindowInfo } from '../../../models/context-window.ts'
import { CLINE_DEDUP_THRESHOLD } from '../../steps/file-reads/dedup-threshold.ts'
import type { TruncationKeep } from './truncation-range.ts'
import { createDraft, type RewriteDraft } from '../../draft.ts'
import type { Policy, Situation } from '../../policy.ts'
import type { ContextView } from '../../view.ts'
import { cutToFit } from '../../steps/cut-to-fit.ts'
import { deduplicateReads } from './deduplicate-reads.ts'
import { updateNotices } from './update-notices.ts'
import { handledRefusals } from './refusals.ts'
import { createTruncation } from './truncate.ts'

export interface ClineOptions {
  /** The name in reports; default `cline`. */
  readonly name?: string
  /** The share of the window, 0 to 1, from which on it acts; default the sizes of Cline's table. */
  readonly allowedShare?: number
}

/** The policy `cline`. */
export const clinePolicy = ({ name = 'cline', allowedShare }: ClineOptions = {}): Policy => ({
  name,
  keepsWindow: true,
  start: (view) => ({
    decide: (situation) => {
      const allowed =
        allowedShare === undefined
          ? contextWindowInfo(situation.window).maxAllowedSize
          : Math.floor(situation.window * allowedShare)
      const isRefused = situation.refusals > handledRefusals(view, name)
      const isOver = view.tokens() > situation.room
      const isDue = situation.lastUsed >= allowed && view.lastRewriteRequest !== view.requests
      if (!isDue && !isOver && !isRefused) return undefined
      return rewriteOf(view, situation, allowed, name, isRefused)
    },
  }),
})

/** Of a small window's room, the messages may take this share whatever the system prompt takes. */
const LEAST_OF_ROOM = 0.25
/** What can't leave may take so much of the size to come down to; else each request would truncate again. */
const GROWTH = 1.5

const rewriteOf = (
  view: ContextView,
  situation: Situation,
  allowed: number,
  name: string,
  isRefused: boolean,
): RewriteDraft | undefined => {
  const { room, prefix } = situation
  const soft = Math.max(allowed - prefix, room * LEAST_OF_ROOM)
  const goal = Math.min(room, Math.max(soft, staying(view) * GROWTH))
  const mayStay = goal > soft && view.tokens() <= goal && !isRefused
  const limit = isRefused ? Math.floor(Math.min(goal, view.tokens() / 2, room / 2 ** situation.refusals)) : goal

  const draft = createDraft(view)
  const truncation = createTruncation(draft)
  const removeWhileOver = (keep: TruncationKeep): void => {
    while (draft.tokens > limit && truncation.remove(keep));
  }
  const { notices, savedShare } = deduplicateReads(draft)
  const isEnough = savedShare >= CLINE_DEDUP_THRESHOLD && draft.tokens <= limit
  if (mayStay && !isEnough) return undefined
  if (!isEnough) {
    truncation.remove(isRefused || situation.lastUsed / 2 > allowed ? 'quarter' : 'half')
    removeWhileOver('quarter')
    removeWhileOver('lastTwo')
  }
  // Results are cut before the newest of them leaves: an agent that never sees one would ask for it for ever.
  const hardLimit = isRefused ? limit : room
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
