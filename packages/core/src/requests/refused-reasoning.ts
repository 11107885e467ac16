/** Reasoning that a provider does not take back, for reasons that no log tells: another account, another key to its seals. */
import type { ContextView } from '../context/view.ts'
import type { ModelError } from '../ports/language-model.ts'
import type { NewLogEntry } from '../session-log.ts'

/** What providers say of signatures of reasoning that they can't use. */
const ABOUT_SEALS = /signature|encrypted[ _]content/i

/**
 * The rewrite that leaves out all reasoning that is still sent of the conversation, where the provider has refused it
 * (a `bad-request` about a signature or encrypted content); undefined for any other refusal, or where no reasoning is
 * sent. `at`: ms. Nothing is written.
 */
export const withoutRefusedReasoning = (
  { code, message }: ModelError,
  view: Pick<ContextView, 'thinking'>,
  policy: string,
  at: number,
): NewLogEntry | undefined => {
  if (code !== 'bad-request' || !ABOUT_SEALS.test(message)) return undefined
  const changes = view
    .thinking()
    .filter(({ source }) => source.seen !== null)
    .map(({ source: { seq, block } }) => ({ seq, block, why: 'refused-thinking' }))
  return changes.length === 0 ? undefined : { kind: 'rewrite', at, policy, trigger: 'refused', changes }
}
