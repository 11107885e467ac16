/** A reply with what follows it, as a provider takes it: nothing blank, no half characters, every call answered. */
import type { Message, ToolCallBlock, ToolResultBlock } from '../../messages.ts'
import { withoutLastThinking } from '../thinking.ts'
import { findPairs } from './pairs.ts'
import { RESULT_MISSING, repairPairs } from './repair.ts'
import { soundMessage } from './sound-block.ts'
import { validateMessages } from './validate.ts'

/** A result that was made for a call without one, was left out because its call has another, or has no call itself. */
export interface MessageRepair {
  readonly callId: string
  /** Empty for a result of no call. */
  readonly tool: string
  /**
   * `interrupted`: nothing stands behind the call. `missing`: the conversation went on without its result. `repeated`:
   * it has several that differ, of which providers take one. `no-call`: a result of no call of the reply before it.
   */
  readonly why: 'interrupted' | 'missing' | 'repeated' | 'no-call'
  /** One sentence. */
  readonly message: string
}

/** A provider wants the user to begin; a conversation that was cut, or that a program began, does not. */
export const OPENING: Message = {
  role: 'user',
  content: [{ type: 'text', text: '(The beginning of the conversation is not shown.)' }],
}
/** Stands behind an exchange while it is repaired, so that its calls have to be answered; it is not sent. */
const NEXT: Message = { role: 'assistant', content: [{ type: 'text', text: '.' }] }

/**
 * Makes an exchange (a reply and what follows it up to the next reply) fit to be sent: blank texts leave, reasoning at
 * the end of the reply or with half characters too; calls without a result get one that says so, a result too many or
 * of no call is mended. Sound messages are the same objects. `repairs`: what was done about calls and results only. The
 * messages never depend on `isLast`: what a model signed behind them stays valid, and the provider's cache too.
 * @param isLast nothing follows the exchange. It changes only what `repairs` say: an unanswered call of a reply that
 * stands alone was `interrupted`, any other's result is `missing`
 */
export const soundExchange = (
  given: readonly Message[],
  isLast: boolean,
): { readonly messages: readonly Message[]; readonly repairs: readonly MessageRepair[] } => {
  const full = given
    .map((message) => withoutLastThinking(soundMessage(message)))
    .filter(({ content }) => content.length > 0)
  const missing = callsWithoutResult(full)
  const answered = withResultsFor(full, missing)
  const isValid = validateMessages([OPENING, ...answered, NEXT]).length === 0
  return {
    messages: isValid ? answered : repairPairs([...answered, NEXT]).slice(0, -1),
    repairs: [
      ...missing.map((call) => repairOf(call, isLast && full.length === 1 ? 'interrupted' : 'missing')),
      ...(isValid ? [] : [...repeatedResults(full), ...resultsOfNoCall(full)]),
    ],
  }
}

/** The calls of the exchange's reply that nothing in the exchange answers, each id once. */
const callsWithoutResult = ([reply, ...others]: readonly Message[]): readonly ToolCallBlock[] => {
  if (reply?.role !== 'assistant') return []
  const calls = new Map<string, ToolCallBlock>()
  for (const block of reply.content)
    if (block.type === 'tool_call' && block.id !== '' && !calls.has(block.id)) calls.set(block.id, block)
  if (calls.size === 0) return []
  for (const { content } of others)
    for (const block of content) if (block.type === 'tool_result') calls.delete(block.callId)
  return [...calls.values()]
}

/** What stands for a result loses nothing where the result came after all. */
const STAND_IN = JSON.stringify([{ type: 'text', text: RESULT_MISSING }])

/**
 * A repair for each call of the exchange's reply with results that say different things: only one of them is sent.
 * Stand-ins for missing results don't count.
 */
const repeatedResults = ([reply, ...others]: readonly Message[]): readonly MessageRepair[] => {
  const texts = new Map<string, Set<string>>()
  for (const block of others.flatMap(({ content }) => content)) {
    if (block.type !== 'tool_result') continue
    const text = JSON.stringify(block.content)
    if (text !== STAND_IN) texts.set(block.callId, (texts.get(block.callId) ?? new Set()).add(text))
  }
  const calls = new Map(
    (reply?.content ?? []).flatMap((block) => (block.type === 'tool_call' ? [[block.id, block] as const] : [])),
  )
  return [...calls.values()].flatMap((call): MessageRepair[] => {
    const count = texts.get(call.id)?.size ?? 0
    if (count < 2) return []
    const message = `The call ${call.id} of ${call.name} has ${count} results that differ; the first good one is sent.`
    return [{ callId: call.id, tool: call.name, why: 'repeated', message }]
  })
}

/** A repair for each result that is sent as a text, as nothing in the exchange called for it. */
const resultsOfNoCall = (messages: readonly Message[]): readonly MessageRepair[] =>
  findPairs(messages).orphans.flatMap(({ message, block }): readonly MessageRepair[] => {
    const result = messages[message]?.content[block]
    if (result?.type !== 'tool_result') return []
    const sentence = `The result of ${result.callId} answers no call of the reply before it; it is sent as a text.`
    return [{ callId: result.callId, tool: '', why: 'no-call', message: sentence }]
  })

/**
 * Adds a message with results for these calls, behind the tools' messages that directly follow the reply. The results
 * say that they are missing, and are errors. Without calls the messages are the same list.
 */
const withResultsFor = (messages: readonly Message[], calls: readonly ToolCallBlock[]): readonly Message[] => {
  if (calls.length === 0) return messages
  const content = calls.map(({ id }): ToolResultBlock => ({
    type: 'tool_result',
    callId: id,
    content: [{ type: 'text', text: RESULT_MISSING }],
    isError: true,
  }))
  const isOther = ({ role }: Message, index: number): boolean => index > 0 && role !== 'tool'
  const end = messages.findIndex(isOther)
  const at = end === -1 ? messages.length : end
  return [...messages.slice(0, at), { role: 'tool', content }, ...messages.slice(at)]
}

/** The repair of a call without a result, with a sentence for people. */
const repairOf = ({ id, name }: ToolCallBlock, why: 'interrupted' | 'missing'): MessageRepair => ({
  callId: id,
  tool: name,
  why,
  message: `The call ${id} of ${name} has no result ${why === 'interrupted' ? 'yet' : 'in the conversation'}; it is sent as "result missing".`,
})
