/**
 * What the user has the work on a workspace look at: a path or a text that stands in every request, in one delimited block.
 * It stays where it was put in until the focus changes; then it leaves, and the new one comes at the end.
 */
import { cleanText, oneLine } from '../summary/bounded-text.ts'
import { escapeTags, wrapInTag } from '../summary/markup.ts'
import { createDraft } from './draft.ts'
import type { RewriteDraft } from './draft.ts'
import { ARRIVAL } from './view.ts'
import type { ContextView } from './view.ts'
import type { ViewBlock } from './view-block.ts'

/** The name of the rewrites that put it in, and their reason for it. */
export const FOCUS = 'focus'

const HEAD = 'What the user wants the work to look at, until they say otherwise.'

const focusText = (focus: string): string =>
  wrapInTag('current_focus', `${HEAD}\n${escapeTags(oneLine(cleanText(focus)))}`)

const OPENING = '<current_focus>\n'

/** Whether a rewrite put the block in for a focus, this one or an earlier one. */
export const isFocusBlock = ({ kind, source: { original } }: ViewBlock): boolean =>
  kind === 'inserted' && original.type === 'text' && original.text.startsWith(OPENING)

/** The visible ones. Blocks are looked through only where there ever was a focus. */
const focusBlocks = (view: ContextView): readonly ViewBlock[] =>
  view.rewrites.some(({ policy }) => policy === FOCUS) ? view.blocks().filter(isFocusBlock) : []

const holds = ({ source: { seen } }: ViewBlock, text: string | undefined): boolean =>
  seen?.type === 'text' && seen.text === text

/**
 * Whether the request would go without the focus, twice with it, or with another one. Without a focus: whether one is
 * left in it.
 */
export const lacksFocus = (view: ContextView, focus: string | undefined): boolean => {
  const blocks = focusBlocks(view)
  if (focus === undefined) return blocks.length > 0
  const [only] = blocks
  return only === undefined || blocks.length > 1 || !holds(only, focusText(focus))
}

/** Tokens to keep free for the focus, as a policy may take its block out of view; 0 without a focus. */
export const focusReserve = (view: ContextView, focus: string | undefined): number =>
  focus === undefined ? 0 : Math.ceil(focusText(focus).length / view.charactersPerToken)

/**
 * The rewrite that gives the request its focus and takes out an older one; undefined when nothing is to be done.
 * Without a `focus` it takes out what there is.
 */
export const focusRewrite = (view: ContextView, focus: string | undefined, now: number): RewriteDraft | undefined => {
  if (!lacksFocus(view, focus)) return undefined
  const text = focus === undefined ? undefined : focusText(focus)
  const blocks = focusBlocks(view)
  const kept = blocks.find((block) => holds(block, text))
  const draft = createDraft(view)
  for (const block of blocks) if (block !== kept) draft.remove(block, 'renewed')
  if (kept === undefined && text !== undefined) draft.insert({ why: FOCUS, text })
  return draft.build(FOCUS, ARRIVAL, now)
}
