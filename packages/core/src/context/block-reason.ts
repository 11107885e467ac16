/** Why a block is in the context as it is, as a code for programs and in words for people. */
import type { RewriteEntry } from '../session-log.ts'
import { FOCUS, isFocusBlock } from './focus.ts'
import type { ViewBlock } from './view-block.ts'
import { TODO_LIST } from './todo-in-view.ts'
import type { ContextView } from './view.ts'

export interface BlockReason {
  /**
   * `pinned`, `dropped`, `system`, `newest-user`, `task`, `todo-list`, `focus`, `summary`, `inserted`, `new`, `kept`,
   * `orphan` (a result whose call left), `unanswered` (a call whose result left), `compaction`, `truncation`, `edit`,
   * or a rewrite's word for it.
   */
  readonly code: string
  readonly text: string
  /** The rewrite that shortened it or took it out. */
  readonly by?: { readonly policy: string; readonly trigger: string; readonly at: number | null }
}

/**
 * The newest change of each block: the rewrite that made it, by `<seq>:<block>`. Blocks that no rewrite changed are not
 * in it. `rewrites`: in the log's order.
 */
export const lastChanges = (rewrites: readonly RewriteEntry[]): ReadonlyMap<string, RewriteEntry> => {
  const changes = new Map<string, RewriteEntry>()
  for (const entry of rewrites) for (const { seq, block } of entry.changes) changes.set(blockKey(seq, block), entry)
  return changes
}

const blockKey = (seq: number, block: number): string => `${seq}:${block}`

const TEXTS: Readonly<Record<string, string>> = {
  pinned: 'you pinned it',
  dropped: 'you dropped it',
  system: 'system words are not touched',
  'newest-user': 'newest user message',
  task: 'the task: what the user asked for last',
  [TODO_LIST]: 'the todo list, always in the request',
  [FOCUS]: 'what you have the work look at, in every request',
  summary: 'stands for what was compacted',
  inserted: 'put in by the policy',
  new: 'new',
  kept: 'kept',
  orphan: 'its call left: sent as plain text',
  unanswered: 'its result left: sent as missing',
  compaction: 'compacted away',
  truncation: 'truncated away',
  edit: 'edited by the agent',
  'unsigned-thinking': 'reasoning without a valid signature is not sent',
  'foreign-thinking': 'reasoning of another model is not sent',
  'last-thinking': 'reasoning at the end of a reply is not sent',
  'bound-thinking': 'reasoning signed for the conversation as it was before a change',
  'refused-thinking': 'reasoning that the provider did not take back',
  dead: 'dead: unlikely to be needed',
  superseded: 'superseded: read again later',
  old: 'old: cleared with the rest',
  long: 'long: both ends kept',
  'long-output': 'long output: both ends kept',
  'old-text': 'without the text that an edit replaced',
  window: 'to fit the window',
  cut: 'cut to fit the window',
  half: 'half of the history went, to fit',
  quarter: 'most of the history went, to fit',
  renewed: 'a newer note stands for it',
  index: 'names of what left',
  'output-cut': 'the beginning and the end of a long output',
}

/** The English words for a reason's code; a code that is not known is returned as it is. */
export const reasonText = (code: string): string => (Object.hasOwn(TEXTS, code) ? (TEXTS[code] ?? code) : code)

/**
 * Why the model sees a block in full, shortened or not at all: the reason's code with its words and, where a policy's
 * rewrite decided it, which policy did, what triggered it, and when (`by`; else it is missing). A user's pin or drop
 * comes first, but for withheld reasoning; a change without a reason of its own is an `edit`. `changes`: as {@link
 * lastChanges} gives them.
 */
export const blockReason = (
  block: ViewBlock,
  view: ContextView,
  changes: ReadonlyMap<string, RewriteEntry>,
): BlockReason => {
  const { source } = block
  if (source.withheld === undefined && source.pin !== 'automatic') return reason(source.pin)
  if (source.seen !== null && source.replacement === undefined) return reason(presentCode(block, view))
  const change = changes.get(blockKey(source.seq, source.block))
  const code = source.why === undefined || source.why === '' ? 'edit' : source.why
  const isRewrite =
    change?.changes.some(({ seq, block, why }) => seq === source.seq && block === source.block && why === code) === true
  if (!isRewrite) return reason(code)
  return { ...reason(code), by: { policy: change.policy, trigger: change.trigger, at: change.at } }
}

const reason = (code: string): BlockReason => ({ code, text: reasonText(code) })

/**
 * The code that says why a block is in the context; the first reason that fits. `new`: no request has had it yet;
 * `kept`: no other reason fits.
 */
const presentCode = (block: ViewBlock, view: ContextView): string => {
  const { source, kind, partner } = block
  if (source.entry === view.newestUser) return 'newest-user'
  if (source.entry === view.task) return 'task'
  if (kind === 'system') return 'system'
  if (block === view.todoInView.block()) return TODO_LIST
  if (isFocusBlock(block)) return FOCUS
  if (kind === 'inserted' || kind === 'summary') return kind
  const { type } = source.original
  if (type === 'tool_result' && (partner === undefined || partner.source.seen === null)) return 'orphan'
  if (type === 'tool_call' && partner !== undefined && partner.source.seen === null) return 'unanswered'
  return block.request >= view.requests ? 'new' : 'kept'
}
