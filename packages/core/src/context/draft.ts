/** A rewrite in the making: what the view would be with the changes so far. */
import type { BlockChange, Insertion, NewLogEntry, RewriteEntry } from '../session-log.ts'
import type { ContentBlock } from '../messages.ts'
import { replacedBlock } from '../session/replaced-block.ts'
import { tokensOf, type ViewBlock } from './view-block.ts'
import { BOUND_THINKING, isThinking } from './thinking.ts'
import type { ContextView } from './view.ts'

/** Collects changes of the view; nothing is applied before the entry that {@link Draft.build} makes is stepped. */
export interface Draft {
  readonly view: ContextView
  /** Estimated tokens of the view with the changes so far, insertions included. */
  readonly tokens: number
  readonly isEmpty: boolean
  /**
   * Replaces a block by a text, even one that is no shorter; an outdated todo list is removed instead. Does nothing to
   * a block that is fixed, or removed by this draft.
   */
  replace(block: ViewBlock, why: string, text: string): void
  /**
   * Removes a block, and with a call its result and the reverse. Does nothing when one of them has to stay ({@link
   * mayNotLeave}). `why` is the reason's code for the log.
   */
  remove(block: ViewBlock, why: string): void
  /** Estimated tokens that the block would be sent with. */
  tokensSent(block: ViewBlock): number
  /** What the block would be sent as; null when it would not be sent. */
  contentSent(block: ViewBlock): ContentBlock | null
  /** Whether this draft replaces or removes the block. */
  changes(block: ViewBlock): boolean
  /**
   * Whether the block would not be sent: this draft removes it, or it had left before and this draft does not change
   * it. False for one that is only replaced.
   */
  isRemoved(block: ViewBlock): boolean
  /** Has the rewrite put in a text; each call adds one more. Its tokens count to the draft's at once. */
  insert(insertion: Insertion): void
  /** The entry for the log; undefined when nothing is changed. */
  build(policy: string, trigger: string, at: number, metadata?: RewriteEntry['metadata']): RewriteDraft | undefined
}

export type RewriteDraft = Extract<NewLogEntry, { readonly kind: 'rewrite' }>

type FixedIn = Pick<ContextView, 'newestUser' | 'task' | 'todoInView' | 'isHeld'>

/**
 * Whether no policy may replace or remove a block. True for a pinned block, the user's newest message, the message with
 * the task, system messages, the block with the todo list, and reasoning of the running turn that the model has to be
 * sent back.
 */
export const isFixed = (block: ViewBlock, view: FixedIn): boolean =>
  block.source.pin === 'pinned' ||
  block.kind === 'system' ||
  isAsked(block, view) ||
  block === view.todoInView.block() ||
  (isThinking(block.source.original) && view.isHeld(block))

/**
 * Whether a block may not be removed: it is fixed ({@link isFixed}), or a call or result that belongs to reasoning that
 * has to stay. The latter may still be replaced by a shorter text.
 */
export const mayNotLeave = (block: ViewBlock, view: FixedIn): boolean => isFixed(block, view) || view.isHeld(block)

/** Whether a block is part of the user's newest message, or of the message with the task, as a person asked it. */
export const isAsked = (
  { source }: ViewBlock,
  { newestUser, task }: Pick<ContextView, 'newestUser' | 'task'>,
): boolean => source.entry === newestUser || source.entry === task

/**
 * An empty draft of one rewrite over a view. The view is only read: nothing changes until the built entry is appended
 * to the log.
 */
export const createDraft = (view: ContextView): Draft => new ViewDraft(view)

class ViewDraft implements Draft {
  readonly view: ContextView
  tokens: number
  readonly #tokensBefore: number
  readonly #changed = new Map<ViewBlock, BlockChange>()
  readonly #insertions: Insertion[] = []

  constructor(view: ContextView) {
    this.view = view
    this.#tokensBefore = view.tokens()
    this.tokens = this.#tokensBefore
  }

  get isEmpty(): boolean {
    return this.#changed.size === 0 && this.#insertions.length === 0
  }

  /**
   * Plans to replace a block's text. No effect if the block is fixed, if this draft removes it, or if it has this text
   * already; an outdated todo list is removed as a whole.
   */
  replace(block: ViewBlock, why: string, text: string): void {
    // What left with its call or result does not come back without it.
    if (this.#isTaken(block)) return
    if (block.source.replacement === text && !this.#changed.has(block)) return
    // The model could take a part of an outdated list for the current one, so it is removed as a whole.
    const isOutdatedTodo = this.view.todoInView.outdated().includes(block)
    this.#put(block, why, isOutdatedTodo ? undefined : text)
  }

  /** Plans to remove a block, and with it its call or result. No effect if either may not leave the context. */
  remove(block: ViewBlock, why: string): void {
    const { view } = this
    const { partner } = block
    const other = partner !== undefined && partner.source.seen !== null && !this.#isTaken(partner) ? partner : undefined
    if (mayNotLeave(block, view) || (other !== undefined && mayNotLeave(other, view))) return
    this.#put(block, why)
    if (other !== undefined) this.#put(other, why)
  }

  /** The tokens of a block as it will be sent; 0 if it is removed. */
  tokensSent(block: ViewBlock): number {
    if (!this.#changed.has(block)) return this.view.tokensSent(block)
    const content = this.contentSent(block)
    return content === null ? 0 : tokensOf(content, this.view.charactersPerToken)
  }

  /**
   * The content of a block as it will be sent; null if this draft removes it, or it had left before and is not changed.
   */
  contentSent(block: ViewBlock): ContentBlock | null {
    const { source } = block
    const change = this.#changed.get(block)
    if (change === undefined) return source.seen
    return change.text === undefined ? null : replacedBlock(source.original, change.text)
  }

  changes(block: ViewBlock): boolean {
    return this.#changed.has(block)
  }

  isRemoved(block: ViewBlock): boolean {
    return this.#changed.has(block) ? this.#isTaken(block) : block.source.seen === null
  }

  /** Plans to insert a text; its tokens count at once. */
  insert(insertion: Insertion): void {
    this.#insertions.push(insertion)
    this.tokens += tokensOf({ type: 'text', text: insertion.text }, this.view.charactersPerToken)
  }

  /**
   * The rewrite entry with all changes in the order of the log, `at` in ms; undefined if nothing changes. Where
   * signatures hold only for an unchanged conversation, reasoning behind the first change is removed too. `metadata`
   * goes into the entry as it is.
   * @param trigger why it was due, as the log records it
   */
  build(policy: string, trigger: string, at: number, metadata?: RewriteEntry['metadata']): RewriteDraft | undefined {
    if (this.isEmpty) return undefined
    this.#removeBoundThinking()
    const insertions = this.#insertions
    return {
      kind: 'rewrite',
      at,
      policy,
      trigger,
      changes: [...this.#changed.values()].sort((left, right) => left.seq - right.seq || left.block - right.block),
      ...(insertions.length === 0 ? {} : { insertions }),
      tokensBefore: this.#tokensBefore,
      tokensAfter: this.tokens,
      ...(metadata === undefined ? {} : { metadata }),
    }
  }

  /** Notes a change of a block: to a text, or out without one; the draft's tokens follow. No effect on a fixed one. */
  #put(block: ViewBlock, why: string, text?: string): void {
    if (isFixed(block, this.view)) return
    const before = this.tokensSent(block)
    this.#changed.set(block, changeOf(block, why, text))
    this.tokens += this.tokensSent(block) - before
  }

  /** Whether this draft takes the block out. */
  #isTaken(block: ViewBlock): boolean {
    const change = this.#changed.get(block)
    return change !== undefined && change.text === undefined
  }

  /** Removes reasoning behind the first change where signatures hold only for an unchanged conversation. */
  #removeBoundThinking(): void {
    if (this.view.asked.thinkingSignature !== 'bound-to-conversation') return
    const from = this.#firstChange()
    for (const block of this.view.thinking()) {
      if (block.source.order <= from || block.source.seen === null || this.#isTaken(block)) continue
      this.tokens -= this.tokensSent(block)
      this.#changed.set(block, changeOf(block, BOUND_THINKING))
    }
  }

  /**
   * The order of the first block that is changed, or of the message that a text is inserted before. Infinity if nothing
   * is changed or inserted before a message.
   */
  #firstChange(): number {
    let first = Infinity
    for (const { source } of this.#changed.keys()) first = Math.min(first, source.order)
    for (const { before } of this.#insertions)
      first = Math.min(first, (before === undefined ? undefined : this.view.history.orderOf(before)) ?? Infinity)
    return first
  }
}

/** The change as the log has it; without a text the block is removed. */
const changeOf = ({ source: { seq, block } }: ViewBlock, why: string, text?: string): BlockChange => ({
  seq,
  block,
  why,
  ...(text === undefined ? {} : { text }),
})
