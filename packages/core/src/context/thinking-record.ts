/** Keeps, for a conversation that goes on, which of the model's reasoning can be sent, and what of it has to be. */
import type { ContentBlock } from '../messages.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { isSound } from './messages/sound-block.ts'
import type { ViewBlock } from './view-block.ts'
import {
  BOUND_THINKING,
  isSignedThinking,
  isThinking,
  withheldAlways,
  type AskedModel,
  type ThinkingMaker,
  type WithheldThinking,
} from './thinking.ts'

export interface ThinkingRecord {
  /** Who is asked from now on. */
  asked: AskedModel
  /** Why a block of a new entry can't be sent. */
  withheld(block: ContentBlock, entry: MessageEntry): WithheldThinking | undefined
  /** Why a block that was added can't be sent, as things stand. */
  withheldNow(block: ViewBlock): WithheldThinking | undefined
  /** Whether it is reasoning that is never sent again: it has no signature, or what stood before it has changed. */
  isGone(block: ViewBlock): boolean
  /** Takes the log's next entry, before its blocks. */
  step(entry: LogEntry): void
  /** A new request's reply has begun. */
  reply(request: number): void
  /**
   * Takes a block of the reply. False when it is reasoning that can't be sent because of what stands before it in its
   * own reply: the model signed it behind that, and some of it is sent otherwise than the model made it.
   */
  add(block: ViewBlock): boolean
  /** All reasoning, in the order in which it came. */
  blocks(): readonly ViewBlock[]
  /** What stands behind this order was made for a conversation that is no more; tells what it concerns. */
  change(order: number): readonly ViewBlock[]
  /** Of the reply that answers now, and of those before it as far as each called a tool. */
  isRunning(block: ViewBlock): boolean
  /** All reasoning of the newest turn, in the order in which it came, sent or not. */
  ofTurn(): readonly ViewBlock[]
  /** Requests of the turn that has just ended, when so many were made in all; 0 while one runs. */
  endedTurn(requests: number): number
  /** Whether a request's reply has reasoning that has to come back with its calls. */
  holds(request: number): boolean
  reset(): void
}

/** Whether a block of a reply is sent back as the model made it. */
const isSentAsMade = (block: ContentBlock): boolean => isSound(block) && (!isThinking(block) || isSignedThinking(block))

/** An empty record, of a model whose signatures are good for a turn. */
export const createThinkingRecord = (): ThinkingRecord => {
  let made = new Map<ViewBlock, ThinkingMaker>()
  let byRequest = new Map<number, ViewBlock[]>()
  /** In the order in which they came; what stands before them is what it was. */
  let intact: ViewBlock[] = []
  let changed = new Set<ViewBlock>()
  let current: ThinkingMaker = {}
  let turn: ViewBlock[] = []
  let turnStart = 0
  let hasCalls = false
  /** Blocks of the reply that came last. */
  let reply: ViewBlock[] = []

  const makerOf = ({ model }: MessageEntry): ThinkingMaker => ({
    ...current,
    ...(model === undefined ? {} : { model }),
  })
  const isBound = (): boolean => record.asked.thinkingSignature === 'bound-to-conversation'
  const isRunning = (block: ViewBlock): boolean =>
    hasCalls && block.request >= turnStart && block.source.seen !== null && isSignedThinking(block.source.original)

  const record: ThinkingRecord = {
    asked: {},
    withheld: (block, entry) => {
      if (!isThinking(block)) return undefined
      // Nobody else's is signed, whatever stands there.
      return entry.role === 'assistant' ? withheldAlways(block, makerOf(entry), record.asked) : 'unsigned-thinking'
    },
    withheldNow: (block) => {
      const always = withheldAlways(block.source.original, made.get(block) ?? {}, record.asked)
      return always ?? (isBound() && changed.has(block) ? BOUND_THINKING : undefined)
    },
    isGone: (block) =>
      isThinking(block.source.original) && (changed.has(block) || !isSignedThinking(block.source.original)),
    step: (entry) => {
      if (entry.kind !== 'model') return
      current = { model: entry.model, ...(entry.provider === undefined ? {} : { provider: entry.provider }) }
    },
    reply: (request) => {
      if (!hasCalls) {
        turnStart = request
        turn = []
      }
      hasCalls = false
      reply = []
    },
    add: (block) => {
      const { original, entry } = block.source
      const isAsSigned = !isThinking(original) || reply.every(({ source }) => isSentAsMade(source.original))
      reply.push(block)
      if (original.type === 'tool_call') hasCalls = true
      if (!isThinking(original)) return true
      made.set(block, makerOf(entry))
      const own = byRequest.get(block.request)
      if (own === undefined) byRequest.set(block.request, [block])
      else own.push(block)
      if (isAsSigned) intact.push(block)
      else changed.add(block)
      turn.push(block)
      return isAsSigned || !isBound()
    },
    blocks: () => [...made.keys()],
    change: (order) => {
      const behind = intact.filter(({ source }) => source.order > order)
      if (behind.length === 0) return behind
      intact = intact.filter(({ source }) => source.order <= order)
      for (const block of behind) changed.add(block)
      return isBound() ? behind : []
    },
    isRunning,
    ofTurn: () => turn,
    endedTurn: (requests) => (hasCalls ? 0 : requests - turnStart + 1),
    holds: (request) => !isBound() && (byRequest.get(request)?.some(isRunning) ?? false),
    reset: () => {
      made = new Map()
      byRequest = new Map()
      intact = []
      turn = []
      changed = new Set()
      current = {}
      turnStart = 0
      hasCalls = false
      reply = []
    },
  }
  return record
}
