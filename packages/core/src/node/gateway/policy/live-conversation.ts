/** A conversation that a policy follows: takes what is said, and what was decided before, and decides on the next request. */
import { createContext, type Context, type Prepared } from '../../../context/create-context.ts'
import type { Policy, Situation } from '../../../context/policy.ts'
import type { LogEntry, NewLogEntry, RewriteEntry } from '../../../session-log.ts'
import { isThinking } from '../../../context/thinking.ts'
import { ARRIVAL } from '../../../context/view.ts'
import { entriesFor, isUnknown, lastingBlocks, type Spoken } from './conversation-log.ts'
import { current, type Decision } from './decisions.ts'
import type { BlockPin } from './user-pins.ts'

/** Places in a conversation: what a rewrite changed, and what was said last when it was decided. */
export interface RewrittenRange {
  readonly first: number
  readonly last: number
  readonly newest: number
}

/**
 * A conversation as the policy has it in view. Entries are numbered as the policy's own log (`seq`), which is not the
 * session's log; positions count the client's messages from 0.
 */
export class LiveConversation {
  readonly context: Context
  readonly charactersPerToken: number
  readonly #spoken: Spoken[] = []
  readonly #bySeq = new Map<number, Spoken>()
  /** The number of each message's entry. */
  readonly #seqs: number[] = []
  /** Numbers of decisions, by where the session's log has them. */
  readonly #logSeqs = new Map<number, number>()

  /** The messages that changes of what had been sent before were about, and the newest message then. */
  readonly #rewrites: { readonly seqs: readonly number[]; readonly newest: number }[] = []
  /** The entry at which the next rewrite will most likely begin; undefined where the policy can't tell. */
  #expectedCut: number | undefined
  /** How many entries about pins of the session's log were looked at. */
  pinEntries = 0

  constructor(policy: Policy, charactersPerToken: number) {
    this.charactersPerToken = charactersPerToken
    this.context = createContext(policy, charactersPerToken)
  }

  get spokenBySeq(): ReadonlyMap<number, Spoken> {
    return this.#bySeq
  }

  /**
   * The entry of the session's log that keeps the decision of a number; undefined for a decision that is not kept, or
   * unknown.
   */
  logSeqOf(seq: number): number | undefined {
    return this.#logSeqs.get(seq)
  }

  /** The number of a message's entry, by its position in the conversation; undefined beyond its end. */
  seqOf(index: number): number | undefined {
    return this.#seqs[index]
  }

  /** Whether a conversation begins with all that was taken here; true if that is nothing. */
  isContinuedBy(spoken: readonly Spoken[]): boolean {
    const { length } = this.#spoken
    return length === 0 || spoken[length - 1]?.mark === this.#spoken[length - 1]?.mark
  }

  /** Estimated tokens of what was said less those of what is sent, reasoning aside; never below 0. */
  leftOutTokens(): number {
    const { view } = this.context
    const saved = view.all().reduce((sum, block) => {
      const { isInsertion, original } = block.source
      if (isThinking(original)) return sum
      return sum + (isInsertion ? 0 : block.tokens) - view.tokensSent(block)
    }, 0)
    return Math.max(0, saved)
  }

  /** What rewrites changed of what had been sent before, oldest first, by the positions of messages. */
  rewritten(): readonly RewrittenRange[] {
    return this.#rewrites.flatMap(({ seqs, newest }): readonly RewrittenRange[] => {
      const positions = seqs.map((seq) => this.#seqs.indexOf(seq)).filter((position) => position !== -1)
      return positions.length === 0 ? [] : [{ first: Math.min(...positions), last: Math.max(...positions), newest }]
    })
  }

  /**
   * Takes the rest of a conversation, with the decisions that were made in it before: each holds where all that precedes
   * it is what it was then.
   * @param lastReplyAt when the newest reply was made, ms, where that is known
   */
  take(spoken: readonly Spoken[], decisions: readonly Decision[], lastReplyAt: number | null): void {
    const lastReply = spoken.findLastIndex(({ role }) => role === 'assistant')
    const byMark = Map.groupBy(decisions, ({ mark }) => mark)
    for (let index = this.#spoken.length; index < spoken.length; index += 1) {
      const message = spoken[index]
      if (message === undefined) return
      const { nextSeq } = this.context.view
      this.#spoken.push(message)
      this.#seqs.push(nextSeq)
      this.#bySeq.set(nextSeq, message)
      for (const entry of entriesFor(message, `${index}`, index === lastReply ? lastReplyAt : null)) this.#step(entry)
      for (const decision of byMark.get(message.mark) ?? []) this.#repeat(decision)
    }
  }

  /**
   * Decides on the next request, and remembers where the next rewrite is expected. New decisions (`entriesToAppend`)
   * are part of the conversation then; the caller keeps them in the log.
   */
  prepare(situation: Situation): Prepared {
    const prepared = this.context.prepare(situation)
    for (const rewrite of prepared.entriesToAppend) this.#note(rewrite)
    this.#expectedCut = prepared.expectedCut
    return prepared
  }

  /**
   * The position of the message at which the next rewrite will most likely begin, as of the last `prepare`; undefined
   * where the policy can't tell.
   */
  expectedCut(): number | undefined {
    const position = this.#expectedCut === undefined ? -1 : this.#seqs.indexOf(this.#expectedCut)
    return position === -1 ? undefined : position
  }

  /** Notes where the session's log keeps a decision that was made here. */
  kept({ rewrite, logSeq }: Decision): void {
    this.#logSeqs.set(rewrite.seq, logSeq)
  }

  /**
   * What has to be pinned, dropped or left to the policy so that just these blocks are as the user decided. Blocks that
   * are so already, and unknown ones, are left out.
   */
  pinsToTake(wanted: readonly BlockPin[]): readonly BlockPin[] {
    const states = new Map(wanted.map(({ seq, block, state }) => [`${seq}:${block}`, state]))
    return [...this.#bySeq].flatMap(([seq, message]) =>
      lastingBlocks(message).flatMap((index, block): readonly BlockPin[] => {
        const source = this.context.view.history.block(seq, index)
        if (source === undefined || isUnknown(source.original)) return []
        const state = states.get(`${seq}:${block}`) ?? 'automatic'
        return source.pin === state ? [] : [{ seq, block, state }]
      }),
    )
  }

  /**
   * Takes what the user decided, each as an entry of its own at time `at` (ms), also for a block that is gone. Noted as
   * one rewrite where they change what is sent.
   */
  takePins(pins: readonly BlockPin[], at: number | null): void {
    const { view } = this.context
    const changed: number[] = []
    for (const { seq, block, state } of pins) {
      const message = this.#bySeq.get(seq)
      const index = message === undefined ? undefined : lastingBlocks(message)[block]
      const source = index === undefined ? undefined : view.history.block(seq, index)
      const before = source?.seen
      // A block that the client has left out since takes a number all the same.
      const messageId = source?.entry.id ?? GONE
      this.#step({ kind: 'pin', at, messageId, block: index ?? 0, state })
      if (source?.seen !== before) changed.push(seq)
    }
    if (changed.length > 0) this.#rewrites.push({ seqs: changed, newest: this.#spoken.length - 1 })
  }

  /** Takes an entry into the view, under the next number. */
  #step(entry: NewLogEntry): void {
    const numbered: LogEntry = { ...entry, seq: this.context.view.nextSeq }
    this.context.step([numbered])
  }

  /**
   * Makes a stored decision again, pins or a rewrite; ignored if the conversation is not where it was made, as for the
   * second of two.
   */
  #repeat(decision: Decision): void {
    // Made twice at once, by two gateways: the first one holds.
    if (decision.rewrite.seq !== this.context.view.nextSeq) return
    if (decision.pins !== undefined) {
      this.takePins(decision.pins, decision.rewrite.at)
      return
    }
    const rewrite: RewriteEntry = current(decision, this.#bySeq)
    this.context.step([rewrite])
    this.#note(rewrite)
    this.kept(decision)
  }

  /** Remembers which messages a rewrite changed, and the newest at that time; not for the shortening of arrivals. */
  #note({ trigger, changes, insertions = [] }: RewriteEntry): void {
    if (trigger === ARRIVAL) return
    const seqs = [...changes.map(({ seq }) => seq), ...insertions.flatMap(({ before }) => before ?? [])]
    this.#rewrites.push({ seqs, newest: this.#spoken.length - 1 })
  }
}

/** No message of the policy's log has this id. */
const GONE = 'gone'
