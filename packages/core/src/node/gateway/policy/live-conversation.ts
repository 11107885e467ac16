/** A conversation that a policy follows: takes what is said, and what was decided before, and decides on the next request. */
import { createContext, type Context, type Prepared } from '../../../context/prepare.ts'
import type { Policy, Situation } from '../../../context/policy.ts'
import type { LogEntry, NewLogEntry, RewriteEntry } from '../../../session-log.ts'
import { isThinking } from '../../../context/thinking.ts'
import { ARRIVAL } from '../../../context/view.ts'
import { entriesFor, type Spoken } from './conversation-log.ts'
import { current, type Decision } from './decisions.ts'

/** Places in a conversation: what a rewrite changed, and what was said last when it was decided. */
export interface RewrittenRange {
  readonly first: number
  readonly last: number
  readonly newest: number
}

export class LiveConversation {
  readonly context: Context
  readonly charactersPerToken: number
  readonly #spoken: Spoken[] = []
  readonly #bySeq = new Map<number, Spoken>()
  /** The number of each message's entry. */
  readonly #seqs: number[] = []
  /** Numbers of decisions, by where the session's log has them. */
  readonly #logSeqs = new Map<number, number>()

  /** Rewrites of what had been sent before, and the newest message then. */
  readonly #rewrites: { readonly rewrite: RewriteEntry; readonly newest: number }[] = []

  constructor(policy: Policy, charactersPerToken: number) {
    this.charactersPerToken = charactersPerToken
    this.context = createContext(policy, charactersPerToken)
  }

  get spokenBySeq(): ReadonlyMap<number, Spoken> {
    return this.#bySeq
  }

  /** The entry of the session's log that keeps the decision of a number. */
  logSeqOf(seq: number): number | undefined {
    return this.#logSeqs.get(seq)
  }

  /** The number of a message's entry, by its position in the conversation. */
  seqOf(index: number): number | undefined {
    return this.#seqs[index]
  }

  /** Whether a conversation begins with all that was taken here. */
  isContinuedBy(spoken: readonly Spoken[]): boolean {
    const { length } = this.#spoken
    return length === 0 || spoken[length - 1]?.mark === this.#spoken[length - 1]?.mark
  }

  /** Estimated tokens of what was said less those of what is sent; reasoning aside. */
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
    return this.#rewrites.flatMap(({ rewrite: { changes, insertions = [] }, newest }): readonly RewrittenRange[] => {
      const seqs = [...changes.map(({ seq }) => seq), ...insertions.flatMap(({ before }) => before ?? [])]
      const positions = seqs.map((seq) => this.#seqs.indexOf(seq)).filter((position) => position !== -1)
      return positions.length === 0 ? [] : [{ first: Math.min(...positions), last: Math.max(...positions), newest }]
    })
  }

  /**
   * Takes the rest of a conversation, with the decisions that were made on its way: each holds where all before it is what it
   * was then.
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

  /** Decides on the next request. The decisions are taken already. */
  prepare(situation: Situation): Prepared {
    const prepared = this.context.prepare(situation)
    for (const rewrite of prepared.entriesToAppend) this.#note(rewrite)
    return prepared
  }

  /** Notes where the session's log keeps a decision that was made here. */
  kept({ rewrite, logSeq }: Decision): void {
    this.#logSeqs.set(rewrite.seq, logSeq)
  }

  #step(entry: NewLogEntry): void {
    const numbered: LogEntry = { ...entry, seq: this.context.view.nextSeq }
    this.context.step([numbered])
  }

  #repeat(decision: Decision): void {
    // Made twice at once, by two gateways: the first one holds.
    if (decision.rewrite.seq !== this.context.view.nextSeq) return
    const rewrite: RewriteEntry = current(decision, this.#bySeq)
    this.context.step([rewrite])
    this.#note(rewrite)
    this.kept(decision)
  }

  #note(rewrite: RewriteEntry): void {
    if (rewrite.trigger !== ARRIVAL) this.#rewrites.push({ rewrite, newest: this.#spoken.length - 1 })
  }
}
