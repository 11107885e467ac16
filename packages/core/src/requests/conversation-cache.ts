/** Live contexts of the sessions that were asked last, so that the next request reads only what is new. */
import type { SessionStorage } from '../ports/session-storage.ts'
import type { Conversation } from './conversation.ts'
import type { SendInput } from './send-input.ts'
import type { StoredSession } from './stored-session.ts'

/** Contexts that are kept; one holds its session's whole log. */
const MOST_KEPT = 4

/**
 * Conversations that were read and may be sent from again, so that the next request need not read the whole log. Only
 * the most recently kept ones stay.
 */
export class ConversationCache {
  readonly #kept = new Map<string, Conversation>()

  /**
   * The conversation kept for this session and these settings, brought up to the end of the log, and no longer in the
   * cache (`keep` puts it back); undefined where none is kept or the log is shorter than it: then read the session
   * again.
   */
  async take(
    input: SendInput,
    { facts, entries }: StoredSession,
    sessions: Pick<SessionStorage, 'read'>,
  ): Promise<Conversation | undefined> {
    const key = keyOf(input, facts.id)
    const conversation = key === undefined ? undefined : this.#kept.get(key)
    if (key === undefined || conversation === undefined) return undefined
    this.#kept.delete(key)
    const { nextSeq } = conversation.context.view
    if (entries < nextSeq) return undefined
    if (entries > nextSeq) conversation.step(await sessions.read(facts.id, { fromSeq: nextSeq }))
    return conversation
  }

  /**
   * Keeps a conversation for the next request with the same settings; the oldest gives way. Nothing is kept for
   * settings that can't be compared.
   */
  keep(input: SendInput, conversation: Conversation): void {
    const key = keyOf(input, conversation.session.id)
    if (key === undefined) return
    this.#kept.set(key, conversation)
    const oldest = this.#kept.keys().next()
    if (this.#kept.size > MOST_KEPT && oldest.done !== true) this.#kept.delete(oldest.value)
  }
}

/** Conversations that differ in one of these decide on different requests; a policy of the caller's own is not kept. */
const keyOf = ({ model, languageModel, policy, preset }: SendInput, sessionId: string): string | undefined =>
  typeof policy === 'object' ? undefined : JSON.stringify([sessionId, model, languageModel.provider, policy, preset])
