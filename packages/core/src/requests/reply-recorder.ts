/** Records how the attempts at a request of a conversation end. */
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { ModelDone } from '../ports/language-model.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import type { Store } from '../ports/store.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import type { Attempt } from './attempt.ts'
import type { Conversation } from './conversation.ts'
import { brokenReplyWrites, replyWrites } from './reply-writes.ts'
import { billOfFailure, billOfReply, failureOf, type Billing } from './request-fact.ts'
import { storedEntries, type SessionWriter } from './session-writer.ts'
import type { AttemptRecorder } from './watch-attempts.ts'

/** A reply that is on disk. */
export interface RecordedReply {
  readonly attempt: Attempt
  readonly done: ModelDone
  readonly fact: RequestFact
  readonly messageId: string
}

export interface ReplyRecorder extends AttemptRecorder {
  readonly reply: RecordedReply | undefined
  /** The number of the last attempt that ended. */
  readonly attempts: number
  /** Secrets that were replaced in what was written. */
  readonly redactions: number
  /** Others wrote before: the conversation does not hold what was written. */
  readonly isOvertaken: boolean
}

export interface ReplyRecorderParts {
  readonly store: Pick<Store, 'usage'>
  readonly clock: Clock
  readonly ids: Ids
  readonly writer: SessionWriter
  readonly billing: Billing
  readonly conversation: Conversation
}

/** Writes the attempts of a request and their bills to a conversation's session, as they end. */
export const createReplyRecorder = (parts: ReplyRecorderParts): ReplyRecorder => new ConversationRecorder(parts)

class ConversationRecorder implements ReplyRecorder {
  reply: RecordedReply | undefined
  attempts = 0
  redactions = 0
  isOvertaken = false
  readonly #parts: ReplyRecorderParts

  constructor(parts: ReplyRecorderParts) {
    this.#parts = parts
  }

  /** Writes the whole reply with its bill, and keeps it as the result. Rejects as the store does. */
  async done(attempt: Attempt, done: ModelDone): Promise<void> {
    const { billing, conversation } = this.#parts
    const end = this.#endOf(attempt)
    const fact = billOfReply(end, done, billing)
    await this.#write(() => replyWrites(end, fact))
    conversation.answered(fact)
    this.reply = { attempt, done, fact, messageId: end.id }
  }

  /** Writes what came of a reply that failed, with its bill; only a failure if nothing was charged. */
  async failed(attempt: Attempt, error: Parameters<AttemptRecorder['failed']>[1]): Promise<void> {
    const { billing, store, writer } = this.#parts
    const end = this.#endOf(attempt)
    const fact = billOfFailure(end, error, billing)
    if (fact === undefined) await store.usage.addFailure(writer.session.id, failureOf(end, error, billing))
    else await this.#write((seq) => brokenReplyWrites(end, fact, error, seq))
  }

  /** The attempt's id and the time it ended; counts it. */
  #endOf(attempt: Attempt): { readonly attempt: Attempt; readonly id: string; readonly at: number } {
    const { ids, clock } = this.#parts
    this.attempts = attempt.number
    return { attempt, id: ids.next(), at: clock.now() }
  }

  /**
   * Writes entries and steps the conversation by them; if another writer was faster, it is overtaken and must be read
   * again.
   */
  async #write(writesAt: (seq: number) => readonly EntryWrite[]): Promise<void> {
    const { writer, conversation } = this.#parts
    const expected = conversation.context.view.nextSeq
    const { seq, writes } = await writer.writeFrom(writesAt, expected)
    this.redactions += writes.reduce((sum, { redactions = 0 }) => sum + redactions, 0)
    if (seq === expected) conversation.step(storedEntries(writes, seq))
    else this.isOvertaken = true
  }
}
