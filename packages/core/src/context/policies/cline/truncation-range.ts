/**
 * Which messages are removed next, by Cline's rule: a range after the first exchange that grows with every truncation.
 * Unlike Cline's, it stays within the conversation, never restores what was removed, and never separates a tool call
 * from its result.
 */
import { CairnError } from '../../../errors.ts'
import { assertMessages, blocksOf, viewOf, type LooseMessage } from '../../messages/loose.ts'
import { findPairs } from '../../messages/pairs.ts'

/** How much of what is left stays: nothing, the last two messages, a half, or a quarter. */
export type TruncationKeep = 'none' | 'lastTwo' | 'half' | 'quarter'

const KEEPS: ReadonlySet<string> = new Set(['none', 'lastTwo', 'half', 'quarter'])

/**
 * The range of messages, both ends included, that is to be out of the context now; it holds `deletedRange`,
 * the range so far. Undefined when nothing more can go.
 *
 * The first two messages stay, with the results of their calls. The range ends with an answer of the
 * assistant, so that the user goes on; inside a long run of tools, where no such place is near, it ends with
 * a message of tool results instead. `half` and `quarter` remove at least one exchange where one is whole.
 *
 * @throws CairnError `invalid-input` for what is no message, range or `keep`.
 */
export const nextTruncationRange = (
  messages: readonly LooseMessage[],
  deletedRange: readonly [number, number] | undefined,
  keep: TruncationKeep,
): [number, number] | undefined => {
  assertMessages(messages, 'nextTruncationRange')
  const given: unknown = keep
  if (typeof given !== 'string' || !KEEPS.has(given))
    throw new CairnError('invalid-input', 'nextTruncationRange keeps "none", "lastTwo", "half" or "quarter".')
  const prior = checkedRange(deletedRange)
  const spans = pairSpans(messages)
  const head = closedHead(spans, messages.length)
  const first = prior === undefined ? head : Math.max(head, prior[1] + 1)
  const end = rangeEnd(messages, spans, first, keep)
  if (end === undefined) return undefined
  return [openStart(spans, Math.min(head, prior?.[0] ?? head), prior), end]
}

/**
 * The range, or undefined for none or an empty one.
 * @throws CairnError `invalid-input` if it is not two whole numbers in order
 */
const checkedRange = (value: unknown): readonly [number, number] | undefined => {
  if (value === undefined || value === null) return undefined
  const [start, end, ...more] = Array.isArray(value) ? (value as readonly unknown[]) : []
  const isRange = isWhole(start) && isWhole(end) && more.length === 0
  if (!isRange || start < 0 || end < start - 1)
    throw new CairnError('invalid-input', 'A deleted range is two whole numbers, [first, last], not below 0.')
  return end < start ? undefined : [start, end]
}

const isWhole = (value: unknown): value is number => Number.isInteger(value)

interface Spans {
  /** By message: the last message that holds a result of one of its calls; itself when there is none. */
  readonly reach: readonly number[]
  /** By message: whether a call at or before it has its result behind it. */
  readonly isCrossed: readonly boolean[]
}

/**
 * By message: `reach` is the last message that answers its calls (itself if none), and `isCrossed` whether a call up to
 * it is answered only after it, so that a cut behind it would part the two.
 */
const pairSpans = (messages: readonly LooseMessage[]): Spans => {
  const reach = messages.map((_, index) => index)
  for (const { message, results } of findPairs(messages).calls)
    reach[message] = results.reduce((last, position) => Math.max(last, position.message), reach[message] ?? message)
  let furthest = -1
  const isCrossed = reach.map((last, index) => (furthest = Math.max(furthest, last)) > index)
  return { reach, isCrossed }
}

/** The first message that may go: behind the first exchange and what answers its calls. */
const closedHead = ({ isCrossed }: Spans, length: number): number => {
  let head = 2
  while (head < length && isCrossed[head - 1] === true) head += 1
  return head
}

/**
 * Where the removed range begins: a call whose result went with an earlier range goes, too; the first message never
 * does. Without an earlier range it is `start`.
 */
const openStart = ({ reach }: Spans, start: number, prior: readonly [number, number] | undefined): number => {
  if (prior === undefined) return start
  let first = start
  for (let index = start - 1; index >= 1; index -= 1) {
    const last = reach[index] ?? index
    if (last >= prior[0] && last > index) first = index
  }
  return first
}

/**
 * How many messages Cline would remove; at least an exchange, where there is one. `none` keeps nothing, `half` and
 * `quarter` that part. @returns an even number, unless all or all but two go
 */
const wantedCount = (left: number, keep: TruncationKeep): number => {
  switch (keep) {
    case 'none':
      return left
    case 'lastTwo':
      return Math.max(left - 2, 0)
    case 'half':
      return Math.max(Math.floor(left / 4) * 2, Math.min(left, 2))
    case 'quarter':
      return Math.max(Math.floor((left * 3) / 4 / 2) * 2, Math.min(left, 2))
  }
}

/**
 * The last message to remove, near what is wanted: a reply after which the user or a tool goes on, else any reply or
 * message with results. No call is parted from its result. Undefined if there is no such end, or nothing to remove.
 */
const rangeEnd = (
  messages: readonly LooseMessage[],
  { isCrossed }: Spans,
  first: number,
  keep: TruncationKeep,
): number | undefined => {
  const wanted = wantedCount(Math.max(messages.length - first, 0), keep)
  if (wanted === 0) return undefined
  const target = first + wanted - 1
  const isPart = keep === 'half' || keep === 'quarter'
  // What keeps a part may take some more, but not all, when there is no good end before.
  const furthest = isPart ? Math.max(target, messages.length - 2) : target
  const endsTurn = (index: number): boolean =>
    isCrossed[index] !== true && messages[index]?.role === 'assistant' && messages[index + 1]?.role !== 'assistant'
  const endsStep = (index: number): boolean =>
    isCrossed[index] !== true && (messages[index]?.role === 'assistant' || holdsResult(messages[index]))
  const near = first + Math.ceil(wanted / 2) - 1
  const far = Math.min(furthest, target + Math.ceil(wanted / 2))
  return (
    lastWhere(target, near, endsTurn) ??
    firstWhere(target + 1, far, endsTurn) ??
    lastWhere(target, near, endsStep) ??
    lastWhere(near - 1, first, endsTurn) ??
    lastWhere(near - 1, first, endsStep) ??
    firstWhere(target + 1, furthest, endsTurn) ??
    firstWhere(target + 1, furthest, endsStep)
  )
}

const holdsResult = (message: LooseMessage | undefined): boolean =>
  message !== undefined &&
  (message.role === 'user' || message.role === 'tool') &&
  blocksOf(message).some((block) => viewOf(block).kind === 'result')

/** The last index from `from` down to `to`, both included, for which `is` holds; undefined if none. */
const lastWhere = (from: number, to: number, is: (index: number) => boolean): number | undefined => {
  for (let index = from; index >= to; index -= 1) if (is(index)) return index
  return undefined
}

/** The first index from `from` up to `to`, both included, for which `is` holds; undefined if none. */
const firstWhere = (from: number, to: number, is: (index: number) => boolean): number | undefined => {
  for (let index = from; index <= to; index += 1) if (is(index)) return index
  return undefined
}
