/**
 * Makes calls and results whole: every call of the assistant is answered in the message after it, results
 * first and in the order of the calls, and no result stands without its call. The input is not changed;
 * messages that need nothing come back as they are.
 */
import {
  asBlock,
  assertMessages,
  blocksOf,
  otherPartsOf,
  missingResult,
  viewOf,
  type LooseMessage,
  type MadeMessage,
  type BlockPosition,
} from './loose.ts'
import { findPairs, type CallPosition } from './pairs.ts'

/**
 * Stands for the result of a call that has none: the session was interrupted, or the result was removed. The same
 * text for both, because an interrupted call becomes one within the conversation when the conversation goes on:
 * another text there would change what the next reply was signed behind, and what the provider has in its cache.
 */
export const RESULT_MISSING =
  '[result missing: the call was not finished, or its result was removed; what it did is not known]'
/** The same as other agents say it. */
const OTHERS_MISSING = 'result missing'

const ORPHAN = '[Result of a tool call that is no longer in the context]'
const STRAY_CALL = '[Tool call that was not answered]'

/** A message as it came, or one that was made to hold results. */
export type RepairedMessage<M extends LooseMessage> = M | MadeMessage<M>

/**
 * Repairs pairs. Results that stand too late are moved; of repeated results the first good one stays; a call without a
 * result gets {@link RESULT_MISSING}, unless it is in the last message and still waits for all of them; results without
 * a call, and calls that nothing can answer, become text. No message comes back with `content: []`: it is left out.
 * Doing it again changes nothing.
 * @throws CairnError `invalid-input` for what is not an array of messages.
 */
export const repairPairs = <M extends LooseMessage>(messages: readonly M[]): readonly RepairedMessage<M>[] => {
  assertMessages(messages, 'repairPairs')
  const { calls, orphans, strayCalls } = findPairs(messages)
  const blockAt = ({ message, block }: BlockPosition): unknown => {
    const of = messages[message]
    return of === undefined ? undefined : blocksOf(of)[block]
  }
  const textual = positionSet([...orphans, ...strayCalls])
  const answered = positionSet(calls.flatMap((call) => call.results))
  const callsOf = Map.groupBy(calls, (call) => call.message)
  /** Answers that a message holds, in the order of their calls. */
  const answersOf = new Map<number, unknown[]>()
  /** Answers that need a message of their own, after that of the call. */
  const inserted = new Map<number, unknown[]>()

  for (const [message, own] of callsOf) {
    const isWaiting = message === messages.length - 1 && own.every((call) => call.results.length === 0)
    if (isWaiting) continue
    const hosts = hostsAfter(messages, message)
    const answers = hosts.length === 0 ? listAt(inserted, message) : undefined
    for (const call of own) {
      const position = bestResult(call, blockAt)
      const answer = position === undefined ? missingResult(blockAt(call), RESULT_MISSING) : blockAt(position)
      const host = hosts.find((candidate) => candidate === position?.message) ?? hosts[0] ?? message
      const list = answers ?? listAt(answersOf, host)
      list.push(answer)
    }
  }

  const toolRole = messages.some((message) => message.role === 'tool') ? 'tool' : 'user'
  return messages.flatMap((message, index): RepairedMessage<M>[] => {
    const blocks = blocksOf(message)
    const rest = blocks.flatMap((block, position) => {
      if (answered.has(keyOf(index, position))) return []
      return textual.has(keyOf(index, position)) ? asTexts(block) : [block]
    })
    const content = [...(answersOf.get(index) ?? []), ...rest]
    const isSame = content.length === blocks.length && content.every((block, position) => block === blocks[position])
    const own = isSame ? [message] : [{ ...message, content: content.map(asBlock) }]
    const after = inserted.get(index)
    return [
      ...(content.length === 0 ? [] : own),
      // The form is that of the calls, so it is the caller's own.
      ...(after === undefined ? [] : [{ role: toolRole, content: after } as unknown as MadeMessage<M>]),
    ]
  })
}

/**
 * The indexes of the messages that may answer: the user's next one, or all tool messages that follow at once. Empty if
 * neither follows.
 */
const hostsAfter = (messages: readonly LooseMessage[], message: number): readonly number[] => {
  const hosts: number[] = []
  if (messages[message + 1]?.role === 'user') return [message + 1]
  for (let next = message + 1; messages[next]?.role === 'tool'; next += 1) hosts.push(next)
  return hosts
}

/**
 * The first result that is neither an error nor a stand-in for a missing one; else the first; undefined if the call has
 * none.
 */
const bestResult = (call: CallPosition, blockAt: (position: BlockPosition) => unknown): BlockPosition | undefined =>
  call.results.find((position) => {
    const view = viewOf(blockAt(position))
    return view.kind === 'result' && !view.isError && !isMissing(view.texts[0]?.text)
  }) ?? call.results[0]

const isMissing = (text: string | undefined): boolean => text === RESULT_MISSING || text === OTHERS_MISSING

/** A call or result without its counterpart as text, with its other parts behind it. */
const asTexts = (block: unknown): readonly unknown[] => {
  const view = viewOf(block)
  if (view.kind === 'call') return [{ type: 'text', text: `${STRAY_CALL} ${view.name} ${JSON.stringify(view.input)}` }]
  const text = view.kind === 'result' ? view.texts.map((part) => part.text).join('\n') : ''
  return [{ type: 'text', text: text === '' ? ORPHAN : `${ORPHAN}\n${text}` }, ...otherPartsOf(block)]
}

const keyOf = (message: number, block: number): string => `${message}:${block}`

const positionSet = (positions: readonly BlockPosition[]): ReadonlySet<string> =>
  new Set(positions.map(({ message, block }) => keyOf(message, block)))

/** The list under a key, made if there is none. */
const listAt = (lists: Map<number, unknown[]>, key: number): unknown[] => {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
