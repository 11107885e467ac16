/**
 * Where to set a request's cache breakpoints. Anthropic takes four and looks back twenty blocks from each. One is for
 * the system prompt, which leaves three for the conversation: before the cut (what a rewrite changes, or the next one
 * will), at the end of the previous request, and at the end.
 */
import type { Message } from '../messages.ts'

const LOOK_BACK = 20

/**
 * Indexes of the messages at whose end the provider is asked to cache, ascending, without repetition: the last message,
 * the one before the last reply, and one further back: the last before `cut` that is no reply where `cut` is known,
 * otherwise twenty blocks earlier. At most three; none only where there are no messages.
 * @param cut index of the first message that a rewrite changes now, or that the next one is expected to change
 */
export const cacheBreakpoints = (messages: readonly Message[], cut?: number): readonly number[] => {
  const last = messages.length - 1
  if (last < 0) return []
  const marks = new Set<number>([last])
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant')
  if (lastReply > 0) marks.add(lastReply - 1)
  const early =
    cut === undefined
      ? indexBefore(messages, lastReply > 0 ? lastReply - 1 : last, LOOK_BACK)
      : messages.findLastIndex(({ role }, index) => index < cut && role !== 'assistant')
  if (early >= 0) marks.add(early)
  return [...marks].sort((left, right) => left - right)
}

/**
 * The index of the message before the one in which `blocks` blocks are reached, counted back from the end of message
 * `from`; -1 if there is none. `from` itself counts.
 */
const indexBefore = (messages: readonly Message[], from: number, blocks: number): number => {
  let left = blocks
  for (let index = from; index >= 0; index--) {
    left -= messages[index]?.content.length ?? 0
    if (left <= 0) return index - 1
  }
  return -1
}
