/** A rewrite that is being put together: what the view would be with the changes so far. */
import type { BlockChange, Insertion, NewLogEntry, RewriteEntry } from '../session-log.ts'
import { replacedBlock } from '../session/replaced-block.ts'
import { tokensOf, type ContextItem } from './item.ts'
import { BOUND_THINKING, isThinking } from './thinking.ts'
import type { ContextView } from './view.ts'

export interface Draft {
  readonly view: ContextView
  /** Estimated tokens of the view with the changes so far, insertions included. */
  readonly tokens: number
  readonly isEmpty: boolean
  /** Puts a text in a block's place. Does nothing to what is fixed; a text that saves nothing is still put. */
  replace(item: ContextItem, why: string, text: string): void
  /** Takes a block out of the view, a call with its result and the reverse. Does nothing where either has to stay. */
  remove(item: ContextItem, why: string): void
  /** Estimated tokens that the item would be sent with. */
  tokensSent(item: ContextItem): number
  /** Whether this draft changes the block. */
  changes(item: ContextItem): boolean
  isRemoved(item: ContextItem): boolean
  insert(insertion: Insertion): void
  /** The entry for the log; undefined when nothing is changed. */
  build(policy: string, trigger: string, at: number, metadata?: RewriteEntry['metadata']): RewriteDraft | undefined
}

export type RewriteDraft = Extract<NewLogEntry, { readonly kind: 'rewrite' }>

type FixedIn = Pick<ContextView, 'newestUser' | 'task' | 'todoInView' | 'isHeld'>

/**
 * What no policy may touch: what the user pinned, the newest message of the user, the task, the system's words, the
 * block that holds the todo list, and the running turn's reasoning where the model wants it back.
 */
export const isFixed = (item: ContextItem, view: FixedIn): boolean =>
  item.slot.pin === 'pinned' ||
  item.kind === 'system' ||
  isAsked(item, view) ||
  item === view.todoInView.block() ||
  (isThinking(item.slot.original) && view.isHeld(item))

/** Whether a block may be shortened but not leave: a call or result beside reasoning that has to stay. */
export const mayNotLeave = (item: ContextItem, view: FixedIn): boolean => isFixed(item, view) || view.isHeld(item)

/** Whether the block is of the user's newest message, or of the one that says what the task is. */
export const isAsked = (
  { slot }: ContextItem,
  { newestUser, task }: Pick<ContextView, 'newestUser' | 'task'>,
): boolean => slot.entry === newestUser || slot.entry === task

/** An empty draft over a view. */
export const createDraft = (view: ContextView): Draft => {
  const changed = new Map<ContextItem, BlockChange>()
  const insertions: Insertion[] = []
  const before = view.tokens()
  let tokens = before

  const sent = (item: ContextItem): number => {
    const change = changed.get(item)
    if (change === undefined) return view.tokensSent(item)
    return change.text === undefined
      ? 0
      : tokensOf(replacedBlock(item.slot.original, change.text), view.charactersPerToken)
  }

  const put = (item: ContextItem, change: BlockChange): void => {
    if (isFixed(item, view)) return
    const former = sent(item)
    changed.set(item, change)
    tokens += sent(item) - former
  }

  /** The place of the first change, in the order of blocks. */
  const firstChange = (): number => {
    let first = Infinity
    for (const { slot } of changed.keys()) first = Math.min(first, slot.order)
    for (const { before } of insertions)
      first = Math.min(first, (before === undefined ? undefined : view.history.orderOf(before)) ?? Infinity)
    return first
  }

  /** A signature that is bound to the conversation is refused behind any change: that reasoning leaves with it. */
  const removeBoundThinking = (): void => {
    if (view.asked.thinkingSignature !== 'bound-to-conversation') return
    const from = firstChange()
    for (const item of view.thinking()) {
      if (item.slot.order <= from || item.slot.seen === null || isGone(item)) continue
      const { seq, block } = item.slot
      tokens -= sent(item)
      changed.set(item, { seq, block, why: BOUND_THINKING })
    }
  }

  const isGone = (item: ContextItem): boolean => {
    const change = changed.get(item)
    return change !== undefined && change.text === undefined
  }

  return {
    view,
    get tokens() {
      return tokens
    },
    get isEmpty() {
      return changed.size === 0 && insertions.length === 0
    },
    replace: (item, why, text) => {
      if (item.slot.replacement === text && !changed.has(item)) return
      put(item, { seq: item.slot.seq, block: item.slot.block, why, text })
    },
    remove: (item, why) => {
      const { partner } = item
      const other = partner !== undefined && partner.slot.seen !== null && !isGone(partner) ? partner : undefined
      if (mayNotLeave(item, view) || (other !== undefined && mayNotLeave(other, view))) return
      put(item, { seq: item.slot.seq, block: item.slot.block, why })
      if (other !== undefined) put(other, { seq: other.slot.seq, block: other.slot.block, why })
    },
    tokensSent: sent,
    changes: (item) => changed.has(item),
    isRemoved: (item) => {
      const change = changed.get(item)
      return change === undefined ? item.slot.seen === null : change.text === undefined
    },
    insert: (insertion) => {
      insertions.push(insertion)
      tokens += tokensOf({ type: 'text', text: insertion.text }, view.charactersPerToken)
    },
    build: (policy, trigger, at, metadata) => {
      if (changed.size === 0 && insertions.length === 0) return undefined
      removeBoundThinking()
      const changes = [...changed.values()].sort((left, right) => left.seq - right.seq || left.block - right.block)
      return {
        kind: 'rewrite',
        at,
        policy,
        trigger,
        changes,
        ...(insertions.length === 0 ? {} : { insertions }),
        tokensBefore: before,
        tokensAfter: tokens,
        ...(metadata === undefined ? {} : { metadata }),
      }
    },
  }
}
