/**
 * A user's hand on the context: pins that make a block stay, leave, or come back, whatever a policy thinks.
 * Decides what to append; nothing is written here.
 */
import { CairnError } from '../errors.ts'
import type { LogEntry, PinEntry } from '../session-log.ts'
import { createContextView, type ContextView } from './view.ts'
import type { ViewBlock } from './view-block.ts'

export type ManualAction = 'pin' | 'drop' | 'restore'

/** A message, or one of its blocks (from 0). */
export interface ManualTarget {
  readonly messageId: string
  readonly block?: number
}

export interface ManualChange {
  /** To append, in order; none when everything is as wanted already. */
  readonly entries: readonly Omit<PinEntry, 'seq'>[]
  /** What had been decided about the block; of a message, about its first block that changes. */
  readonly before: PinEntry['state']
  readonly after: PinEntry['state']
  /** Calls and results of other blocks that went along, because one is nothing without the other. */
  readonly along: readonly { readonly messageId: string; readonly block: number; readonly what: 'call' | 'result' }[]
  /**
   * Estimated tokens by which the view grows, negative when it shrinks; what a policy then decides is not part of it.
   */
  readonly tokens: number
  /** The newest message of the user: without it the model does not know what it is asked. */
  readonly isNewestUser: boolean
  /** Calls that stay and whose result was dropped: the model is told that it is missing. */
  readonly unanswered: number
}

/** How many candidates a sentence names. */
const NAMED = 5

/**
 * The message that a text names by its id or the beginning of it, with `:<block>` behind it (one block) or without (the
 * whole message). A whole id is taken before a beginning. Messages that are out of the request are found as well.
 * @throws CairnError `not-found`, also for '' and a block that it lacks, `ambiguous` with the candidates, or `usage`
 * for what can't be pinned.
 */
export const targetOf = (
  text: string,
  entries: readonly LogEntry[],
  view: ContextView = viewOf(entries),
): ManualTarget => {
  const ids = [...new Set(view.all().map(({ source }) => source.entry.id))]
  const [, head, blockText] = /^(.+):(\d{1,6})$/.exec(text) ?? []
  const block = blockText === undefined ? undefined : Number(blockText)
  const exact = ids.find((id) => id === text)
  if (exact !== undefined) return checked({ messageId: exact }, view, text)
  if (head !== undefined && block !== undefined && ids.includes(head))
    return checked({ messageId: head, block }, view, text)
  const whole = text === '' ? [] : ids.filter((id) => id.startsWith(text))
  const parted = head === undefined ? [] : ids.filter((id) => id.startsWith(head))
  const found = [...new Set([...whole, ...parted])]
  const [first] = found
  if (first === undefined) throw notFound(text, head, entries)
  if (found.length > 1) {
    throw new CairnError(
      'ambiguous',
      `"${text}" could be several messages; give more of the id: ${found.slice(0, NAMED).join(', ')}${found.length > NAMED ? ', …' : ''}.`,
    )
  }
  return checked(
    whole.length > 0 || block === undefined ? { messageId: first } : { messageId: first, block },
    view,
    text,
  )
}

/** A view after these entries; without a ratio its tokens are characters. */
const viewOf = (entries: readonly LogEntry[], charactersPerToken = 1): ContextView => {
  const view = createContextView(charactersPerToken)
  for (const entry of entries) view.step(entry)
  return view
}

/**
 * Returns the target if its message has such a block.
 * @throws CairnError `usage` for texts that a policy put in, `not-found` for a block that the message lacks
 */
const checked = (target: ManualTarget, view: ContextView, text: string): ManualTarget => {
  const blocks = view.all().filter(({ source }) => source.entry.id === target.messageId)
  if (blocks.some(({ source }) => source.entry.id.startsWith('rewrite:'))) {
    throw new CairnError(
      'usage',
      `${target.messageId} was put in by a policy, not said by anybody; only messages can be pinned, dropped and restored.`,
    )
  }
  const count = blocks.length
  if (target.block === undefined || target.block < count) return target
  throw new CairnError(
    'not-found',
    `Message ${target.messageId} has ${count === 1 ? 'one block, :0' : `${count} blocks, :0 to :${count - 1}`}; there is no "${text}".`,
  )
}

/**
 * The error (made, not thrown) for a message that is not in the view: `not-found` if the log does not hold it either,
 * `usage` for one of a subagent, an empty one, and one that a rewind took back.
 */
const notFound = (text: string, head: string | undefined, entries: readonly LogEntry[]): CairnError => {
  const named =
    text === ''
      ? undefined
      : entries.find(
          (entry) =>
            entry.kind === 'message' &&
            (entry.id.startsWith(text) || (head !== undefined && entry.id.startsWith(head))),
        )
  if (named?.kind !== 'message')
    return new CairnError(
      'not-found',
      `There is no message whose id is, or starts with, "${text}" in this session; cairn context show --all names them.`,
    )
  if (named.subagent !== undefined)
    return new CairnError(
      'usage',
      `Message ${named.id} is of a subagent; only the main conversation is sent, so there is nothing to change.`,
    )
  if (named.content.length === 0)
    return new CairnError('usage', `Message ${named.id} is empty; there is nothing to change.`)
  return new CairnError('usage', `Message ${named.id} was taken back by a rewind, so it can't be in the context.`)
}

/**
 * What to append so that a message or block stays (`pin`), leaves (`drop`), or stands again as if nothing had been
 * decided (`restore`; what a policy or a compaction took out comes back by being pinned). A call and its result go
 * along where one needs the other. No entries where that is so already, or the view has no such block. Pure: nothing is
 * appended. `tokens` is by how many the context grows; `before` and `after` are the states of the first block that
 * changes.
 * @param at time of the decision, ms
 */
export const manualChange = (
  action: ManualAction,
  target: ManualTarget,
  entries: readonly LogEntry[],
  at: number,
  charactersPerToken: number,
): ManualChange => {
  const view = viewOf(entries, charactersPerToken)
  const tokensBefore = view.tokens()
  const made: Omit<PinEntry, 'seq'>[] = []
  /** Adds a decision about a message, or one of its blocks, to those made; the view follows it at once. */
  const put = (messageId: string, block: number | undefined, state: PinEntry['state']): void => {
    const entry: Omit<PinEntry, 'seq'> = {
      kind: 'pin',
      at,
      messageId,
      ...(block === undefined ? {} : { block }),
      state,
    }
    made.push(entry)
    view.step({ ...entry, seq: view.nextSeq })
  }
  const ofMessage = view.all().filter(({ source }) => source.entry.id === target.messageId)
  const blocks = ofMessage.filter(({ source }) => target.block === undefined || source.block === target.block)
  const stood = new Map(blocks.map((block) => [block, block.source.pin]))
  const partners = blocks.flatMap(({ partner }) => (partner === undefined || blocks.includes(partner) ? [] : [partner]))

  const isDecided = blocks.some(({ source }) => source.pin !== 'automatic')
  if (action === 'restore')
    restore(
      blocks,
      target,
      ofMessage.filter((block) => !blocks.includes(block)),
      put,
    )
  else decide(blocks, target, action === 'pin' ? 'pinned' : 'dropped', put)
  const changed = blocks.find((block) => stood.get(block) !== block.source.pin) ?? blocks[0]
  const along = made.length === 0 ? [] : partners.filter((block) => bringAlong(block, action, isDecided, put))
  return {
    entries: made,
    before: (changed === undefined ? undefined : stood.get(changed)) ?? 'automatic',
    after: changed?.source.pin ?? 'automatic',
    along: along.map(({ source }) => ({
      messageId: source.entry.id,
      block: source.block,
      what: source.original.type === 'tool_call' ? 'call' : 'result',
    })),
    tokens: view.tokens() - tokensBefore,
    isNewestUser: blocks.some(({ source }) => source.entry === view.newestUser),
    unanswered: blocks.filter(
      ({ source, partner }) =>
        source.original.type === 'tool_result' && source.seen === null && (partner?.source.seen ?? null) !== null,
    ).length,
  }
}

type Put = (messageId: string, block: number | undefined, state: PinEntry['state']) => void

/**
 * Gives `put` the decision about the message or block, and one more for each block that still stands otherwise, as one
 * of its own was made. Nothing where all stand so already.
 */
const decide = (
  blocks: readonly ViewBlock[],
  { messageId, block }: ManualTarget,
  state: PinEntry['state'],
  put: Put,
): void => {
  if (blocks.every(({ source }) => source.pin === state)) return
  put(messageId, block, state)
  for (const { source } of blocks) if (source.pin !== state) put(messageId, source.block, state)
}

/**
 * Takes back, by `put`, what was decided about these blocks of a message. One that a policy or a compaction has
 * shortened or taken out all the same is then pinned, so that it stands whole, unless it was a pin that was taken back.
 * @param siblings the message's other blocks, for which a decision about the whole message stays
 */
const restore = (
  blocks: readonly ViewBlock[],
  { messageId, block }: ManualTarget,
  siblings: readonly ViewBlock[],
  put: Put,
): void => {
  const pinned = blocks.filter(({ source }) => source.pin === 'pinned')
  if (blocks.some(({ source }) => source.pin !== 'automatic')) {
    if (block === undefined) put(messageId, undefined, 'automatic')
    for (const { source } of blocks) if (source.pin !== 'automatic') put(messageId, source.block, 'automatic')
    if (block !== undefined && blocks.some(({ source }) => source.pin !== 'automatic'))
      takeBackFromMessage(messageId, siblings, put)
  }
  const wanted = blocks.filter(
    (block) =>
      block.source.seen !== block.source.original && block.source.withheld === undefined && !pinned.includes(block),
  )
  if (block === undefined && wanted.length > 0 && wanted.length === blocks.length) put(messageId, undefined, 'pinned')
  for (const { source } of wanted) if (source.seen !== source.original) put(messageId, source.block, 'pinned')
}

/**
 * Takes back a decision about a whole message, but not for its other blocks, `siblings`: where it held for one of
 * these, that block gets it as its own.
 */
const takeBackFromMessage = (messageId: string, siblings: readonly ViewBlock[], put: Put): void => {
  const stood = new Map(siblings.map((block) => [block, block.source.pin]))
  put(messageId, undefined, 'automatic')
  for (const [block, state] of stood) if (block.source.pin !== state) put(messageId, block.source.block, state)
}

/**
 * Decides on the call or result that belongs to a changed block; returns whether its pin changed. A result without its
 * call is sent as plain text, so what keeps a result or brings it back does the same to its call, and a dropped call
 * takes its result along. Restored, both stand again as if nothing had been decided. `hasDecision`: one of the
 * changed blocks had a decision.
 */
const bringAlong = (block: ViewBlock, action: ManualAction, hasDecision: boolean, put: Put): boolean => {
  const { source } = block
  const { id } = source.entry
  const isCall = source.original.type === 'tool_call'
  const stood = source.pin
  if (action === 'drop') {
    if (!isCall && stood !== 'dropped') put(id, source.block, 'dropped')
    return source.pin !== stood
  }
  if (action === 'pin') {
    if (isCall ? stood !== 'pinned' : stood === 'dropped') put(id, source.block, isCall ? 'pinned' : 'automatic')
    return source.pin !== stood
  }
  if (hasDecision && stood !== 'automatic') put(id, source.block, 'automatic')
  const isWanted = isCall ? block.partner?.source.seen !== null : stood === 'dropped'
  if (source.seen === null && isWanted) put(id, source.block, 'pinned')
  return source.pin !== stood
}
