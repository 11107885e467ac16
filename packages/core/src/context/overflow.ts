/** A request that can't be made to fit, with what is in the way. */
import { CairnError } from '../errors.ts'
import { isFixed } from './draft.ts'
import { isThinking } from './thinking.ts'
import type { ContextItem } from './item.ts'
import type { ContextView } from './view.ts'

export interface Obstacle {
  readonly seq: number
  readonly block: number
  readonly tokens: number
  /** Why it has to stay. */
  readonly why:
    'newest-user-message' | 'task' | 'todo-list' | 'pinned' | 'system' | 'running-thinking' | 'newest-request'
}

/** Nothing more can leave the context, and it is still larger than the room that the window has for it. */
export class ContextOverflowError extends CairnError {
  /** Tokens that the messages need, and that there are. */
  readonly needed: number
  readonly room: number
  /** What has to stay, largest first. */
  readonly obstacles: readonly Obstacle[]

  constructor(needed: number, room: number, obstacles: readonly Obstacle[]) {
    super('context-overflow', sentence(needed, room, obstacles))
    this.name = 'ContextOverflowError'
    this.needed = needed
    this.room = room
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

const sentence = (needed: number, room: number, obstacles: readonly Obstacle[]): string => {
  const sums = Map.groupBy(obstacles, ({ why }) => why)
  const parts = [...sums].map(
    ([why, own]) => `${NAMES[why]} (${own.reduce((sum, { tokens }) => sum + tokens, 0)} tokens)`,
  )
  return `The request needs about ${needed} tokens and the model has room for ${room}; nothing more can be left out beside ${parts.join(', ')}. Shorten the message, unpin something, or choose a model with a larger window.`
}

/** The error for a view that nothing more can leave; `needed` are the tokens of its messages. */
export const overflowOf = (view: ContextView, needed: number, room: number): ContextOverflowError => {
  const obstacles = view.items().map((item): Obstacle => ({
    seq: item.slot.seq,
    block: item.slot.block,
    tokens: view.tokensSent(item),
    why: whyOf(item, view),
  }))
  obstacles.sort((left, right) => right.tokens - left.tokens)
  return new ContextOverflowError(needed, room, obstacles)
}

const whyOf = (item: ContextItem, view: ContextView): Obstacle['why'] => {
  if (!isFixed(item, view)) return 'newest-request'
  if (item.slot.pin === 'pinned') return 'pinned'
  if (item.kind === 'system') return 'system'
  if (item.slot.entry === view.newestUser) return 'newest-user-message'
  if (item.slot.entry === view.task) return 'task'
  return isThinking(item.slot.original) ? 'running-thinking' : 'todo-list'
}
