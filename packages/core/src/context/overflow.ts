/** The error for a request that can't be made to fit, with the blocks that have to stay. */
import { CairnError } from '../errors.ts'
import { isFixed } from './draft.ts'
import { isThinking } from './thinking.ts'
import type { ViewBlock } from './view-block.ts'
import type { ContextView } from './view.ts'

export interface Obstacle {
  readonly seq: number
  readonly block: number
  readonly tokens: number
  /** Why it has to stay. */
  readonly why:
    'newest-user-message' | 'task' | 'todo-list' | 'pinned' | 'system' | 'running-thinking' | 'newest-request'
}

/** Nothing more can be removed from the context, and it still exceeds the available tokens. */
export class ContextOverflowError extends CairnError {
  /** Tokens that the messages take, and tokens that are available. */
  readonly needed: number
  readonly availableTokens: number
  /** What has to stay, largest first. */
  readonly obstacles: readonly Obstacle[]

  constructor(needed: number, availableTokens: number, obstacles: readonly Obstacle[]) {
    super('context-overflow', sentence(needed, availableTokens, obstacles))
    this.name = 'ContextOverflowError'
    this.needed = needed
    this.availableTokens = availableTokens
    this.obstacles = obstacles
  }
}

const NAMES: Readonly<Record<Obstacle['why'], string>> = {
  'newest-user-message': 'the newest message of the user',
  task: 'the task that the user gave',
  'todo-list': 'the todo list',
  pinned: 'what is pinned',
  system: 'system messages',
  'running-thinking': 'the reasoning of the running turn, which the model wants back unchanged',
  'newest-request': 'the newest request',
}

/**
 * The error's text, with the tokens of all obstacles of a kind added up. Kinds come in the order of their first
 * obstacle.
 */
const sentence = (needed: number, availableTokens: number, obstacles: readonly Obstacle[]): string => {
  const sums = Map.groupBy(obstacles, ({ why }) => why)
  const parts = [...sums].map(
    ([why, own]) => `${NAMES[why]} (${own.reduce((sum, { tokens }) => sum + tokens, 0)} tokens)`,
  )
  return `The request needs about ${needed} tokens and the model has room for ${availableTokens}; nothing more can be left out beside ${parts.join(', ')}. Shorten the message, unpin something, or choose a model with a larger window.`
}

/**
 * The error (made, not thrown) for a view of which nothing more can be removed, with what stays and why, the largest
 * first; `needed` is the tokens of its messages.
 */
export const overflowOf = (view: ContextView, needed: number, availableTokens: number): ContextOverflowError => {
  const obstacles = view.blocks().map((block): Obstacle => ({
    seq: block.source.seq,
    block: block.source.block,
    tokens: view.tokensSent(block),
    why: whyOf(block, view),
  }))
  obstacles.sort((left, right) => right.tokens - left.tokens)
  return new ContextOverflowError(needed, availableTokens, obstacles)
}

/** Why a block can't be left out; what is not fixed belongs to the newest request. */
const whyOf = (block: ViewBlock, view: ContextView): Obstacle['why'] => {
  if (!isFixed(block, view)) return 'newest-request'
  if (block.source.pin === 'pinned') return 'pinned'
  if (block.kind === 'system') return 'system'
  if (block.source.entry === view.newestUser) return 'newest-user-message'
  if (block.source.entry === view.task) return 'task'
  return isThinking(block.source.original) ? 'running-thinking' : 'todo-list'
}
