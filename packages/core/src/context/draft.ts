/** A rewrite that is being put together: what the view would be with the changes so far. */
import type { BlockChange, Insertion, NewLogEntry, RewriteEntry } from '../session-log.ts'
import { replacedBlock } from '../session/replaced-block.ts'
import { tokensOf, type ViewBlock } from './view-block.ts'
import { BOUND_THINKING, isThinking } from './thinking.ts'
import type { ContextView } from './view.ts'

export interface Draft {
  readonly view: ContextView
  /** Estimated tokens of the view with the changes so far, insertions included. */
  readonly tokens: number
  readonly isEmpty: boolean
  /** Replaces a block by a text. Does nothing to what is fixed; a text that saves nothing is still put. */
  replace(block: ViewBlock, why: string, text: string): void
  /** Takes a block out of the view, a call with its result and the reverse. Does nothing where either has to stay. */
  remove(block: ViewBlock, why: string): void
  /** Estimated tokens that the block would be sent with. */
  tokensSent(block: ViewBlock): number
  /** Whether this draft changes the block. */
  changes(block: ViewBlock): boolean
  isRemoved(block: ViewBlock): boolean
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
export const isFixed = (block: ViewBlock, view: FixedIn): boolean =>
  block.source.pin === 'pinned' ||
  block.kind === 'system' ||
  isAsked(block, view) ||
  block === view.todoInView.block() ||
  (isThinking(block.source.original) && view.isHeld(block))

/** Whether a block may be shortened but not leave: a call or result beside reasoning that has to stay. */
export const mayNotLeave = (block: ViewBlock, view: FixedIn): boolean => isFixed(block, view) || view.isHeld(block)

/** Whether the block is of the user's newest message, or of the one that says what the task is. */
export const isAsked = (
  { source }: ViewBlock,
  { newestUser, task }: Pick<ContextView, 'newestUser' | 'task'>,
): boolean => source.entry === newestUser || source.entry === task

/** An empty draft over a view. */
export const createDraft = (view: ContextView): Draft => {
  const changed = new Map<ViewBlock, BlockChange>()
  const insertions: Insertion[] = []
  const before = view.tokens()
  let tokens = before

  const sent = (block: ViewBlock): number => {
    const change = changed.get(block)
    if (change === undefined) return view.tokensSent(block)
    return change.text === undefined
      ? 0
      : tokensOf(replacedBlock(block.source.original, change.text), view.charactersPerToken)
  }

  const put = (block: ViewBlock, change: BlockChange): void => {
    if (isFixed(block, view)) return
    const former = sent(block)
    changed.set(block, change)
    tokens += sent(block) - former
  }

  /** The order of the first changed block. */
  const firstChange = (): number => {
    let first = Infinity
    for (const { source } of changed.keys()) first = Math.min(first, source.order)
    for (const { before } of insertions)
      first = Math.min(first, (before === undefined ? undefined : view.history.orderOf(before)) ?? Infinity)
    return first
  }

  /** A signature that is bound to the conversation is refused behind any change: that reasoning leaves with it. */
  const removeBoundThinking = (): void => {
    if (view.asked.thinkingSignature !== 'bound-to-conversation') return
    const from = firstChange()
    for (const block of view.thinking()) {
      if (block.source.order <= from || block.source.seen === null || isGone(block)) continue
      tokens -= sent(block)
      changed.set(block, { seq: block.source.seq, block: block.source.block, why: BOUND_THINKING })
    }
  }

  const isGone = (block: ViewBlock): boolean => {
    const change = changed.get(block)
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
    replace: (block, why, text) => {
      if (block.source.replacement === text && !changed.has(block)) return
      // Half of a list that is no longer true would be read as the list: it leaves whole.
      const isOutdatedTodo = view.todoInView.outdated().includes(block)
      put(block, { seq: block.source.seq, block: block.source.block, why, ...(isOutdatedTodo ? {} : { text }) })
    },
    remove: (block, why) => {
      const { partner } = block
      const other = partner !== undefined && partner.source.seen !== null && !isGone(partner) ? partner : undefined
      if (mayNotLeave(block, view) || (other !== undefined && mayNotLeave(other, view))) return
      put(block, { seq: block.source.seq, block: block.source.block, why })
      if (other !== undefined) put(other, { seq: other.source.seq, block: other.source.block, why })
    },
    tokensSent: sent,
    changes: (block) => changed.has(block),
    isRemoved: (block) => {
      const change = changed.get(block)
      return change === undefined ? block.source.seen === null : change.text === undefined
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
