/** The entries that the input of a request becomes. */
import { CairnError } from '../errors.ts'
import { shownValue } from '../input.ts'
import type { ContentBlock } from '../messages.ts'
import type { Ids } from '../ports/ids.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import type { NewLogEntry } from '../session-log.ts'
import { openCalls, type Conversation } from './conversation.ts'
import type { SendInput } from './send-input.ts'

/**
 * The entries of what a caller sends: the model where it is another one than before, the results as one message, then
 * what the user says; each only where there is something.
 * @throws CairnError `invalid-input` for a result that answers no open call.
 */
export const inputWrites = (
  { message, toolResults = [], ...settings }: SendInput,
  conversation: Conversation,
  at: number,
  ids: Ids,
): readonly EntryWrite[] => {
  assertResults(toolResults, conversation)
  const content: readonly ContentBlock[] =
    typeof message === 'string' ? [{ type: 'text', text: message }] : (message ?? [])
  const entries: NewLogEntry[] = [...modelEntry(settings, conversation, at)]
  if (toolResults.length > 0) entries.push({ kind: 'message', id: ids.next(), at, role: 'tool', content: toolResults })
  if (content.length > 0) entries.push({ kind: 'message', id: ids.next(), at, role: 'user', content })
  return entries.map((entry) => ({ entry }))
}

/** The entry that notes another model, provider or mode than the last; none where all three are the same. */
const modelEntry = (
  { model, languageModel: { provider }, mode }: Pick<SendInput, 'model' | 'languageModel' | 'mode'>,
  { chosen }: Conversation,
  at: number,
): readonly NewLogEntry[] =>
  chosen?.model === model && chosen.provider === provider && chosen.mode === mode
    ? []
    : [{ kind: 'model', at, model, provider, ...(mode === undefined ? {} : { mode }) }]

/** Throws `invalid-input` for a result that answers no open call, or a call that another of the results answers. */
const assertResults = (results: NonNullable<SendInput['toolResults']>, conversation: Conversation): void => {
  if (results.length === 0) return
  const open = new Set(openCalls(conversation))
  for (const { callId } of results) {
    if (open.delete(callId)) continue
    const rest = open.size === 0 ? 'none is open' : `open are ${[...open].slice(0, 5).map(shownValue).join(', ')}`
    throw new CairnError(
      'invalid-input',
      `The result of ${shownValue(callId)} answers no call of the last reply (${rest}); nothing was sent.`,
    )
  }
}
