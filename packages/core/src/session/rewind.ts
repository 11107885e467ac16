/**
 * Plans a rewind to a message, to a time, or over an earlier rewind. Only decides: the caller appends the entry, and
 * nothing is ever removed from the log.
 */
import { CairnError } from '../errors.ts'
import { assertBound, assertLimit, assertObject, assertText } from '../input.ts'
import type { LogEntry, MessageEntry, NewLogEntry } from '../session-log.ts'
import { instantText } from '../time-text.ts'
import { createLiveEntries, liveEntries } from './live-entries.ts'

/**
 * The target: a message by its id or a prefix of it; an entry by its number in the log (`seq`); a time, ms; or the
 * newest rewind, which is undone.
 */
export type RewindTo =
  { readonly message: string } | { readonly entry: number } | { readonly time: number } | { readonly undo: true }

export interface RewindPlan {
  /** The last entry that stays in force. */
  readonly toSeq: number
  /** The newest message of the main conversation in force afterwards; undefined if there is none. */
  readonly newest: MessageEntry | undefined
  /** The entry to append at `expectedSeq`; undefined if the session is already in that state. */
  readonly entry: Extract<NewLogEntry, { readonly kind: 'rewind' }> | undefined
  readonly expectedSeq: number
  /** Entries that are in force now but will not be, in order. */
  readonly left: readonly LogEntry[]
  /** Entries that an earlier rewind took back and that come back into force, in order. */
  readonly back: readonly LogEntry[]
}

/** How many candidates an error message names. */
const NAMED = 5

/**
 * Plans the rewind entry to append so that the session continues from the target (none if it is already there), with
 * the entries that leave and come back. Appends nothing.
 * @param at time of the decision, ms
 * @throws CairnError `not-found`: no such message, entry, time or rewind; `ambiguous`: several messages, or a time that
 * the log passes more than once; `usage`: a subagent's message, or a log without times; `invalid-input`: a target of
 * another type.
 */
export const planRewind = (to: RewindTo, entries: readonly LogEntry[], at: number): RewindPlan => {
  assertTarget(to)
  const toSeq = lastInForce(to, entries)
  const before = liveEntries(entries)
  const expectedSeq = (entries.at(-1)?.seq ?? -1) + 1
  const live = createLiveEntries()
  for (const entry of entries) live.step(entry)
  const rewind = { kind: 'rewind', seq: expectedSeq, at, toSeq } as const
  live.step(rewind)
  const after = entries.filter((entry) => entry.kind !== 'rewind' && live.has(entry.seq))
  const [stood, stands] = [new Set(before), new Set(after)]
  const left = before.filter((entry) => !stands.has(entry))
  const back = after.filter((entry) => !stood.has(entry))
  return {
    toSeq,
    newest: after.findLast(isMainMessage),
    entry: left.length + back.length === 0 ? undefined : { kind: 'rewind', at, toSeq },
    expectedSeq,
    left,
    back,
  }
}

/**
 * The number of the last entry that is in force after a rewind. Throws as {@link messageNamed} and {@link lastAt} do.
 */
const lastInForce = (to: RewindTo, entries: readonly LogEntry[]): number => {
  if ('undo' in to) return beforeNewestRewind(entries)
  if ('time' in to) return lastAt(to.time, entries)
  return 'entry' in to ? entryNumbered(to.entry, entries) : messageNamed(to.message, entries).seq
}

/** The number, if the log has that entry; throws `not-found` if it is beyond the end. */
const entryNumbered = (number: number, entries: readonly LogEntry[]): number => {
  const last = entries.at(-1)?.seq ?? -1
  if (number <= last) return number
  throw new CairnError(
    'not-found',
    last === -1
      ? 'This session has no entries yet.'
      : `This session has no entry #${number}; the last one is #${last}.`,
  )
}

/** Throws `invalid-input` for a target of the wrong type. */
const assertTarget = (to: RewindTo): void => {
  assertObject(to, 'What a session is taken back to')
  if ('undo' in to) return
  if ('time' in to) assertBound(to.time, 'The time that a session is taken back to')
  else if ('entry' in to) assertLimit(to.entry, "The entry's number", 0)
  else assertText(to.message, 'The message that a session is taken back to')
}

const isMainMessage = (entry: LogEntry): entry is MessageEntry =>
  entry.kind === 'message' && entry.subagent === undefined

/**
 * The messages that a text may mean as the target of a rewind: the one with this id, or else those whose id starts with
 * it; none for an empty text.
 */
export const messagesNamed = (text: string, entries: readonly LogEntry[]): readonly MessageEntry[] => {
  const messages = entries.filter((entry) => entry.kind === 'message')
  const exact = messages.filter(({ id }) => id === text)
  return exact.length > 0 || text === '' ? exact : messages.filter(({ id }) => id.startsWith(text))
}

/**
 * The single message of the main conversation that a text means.
 * @throws CairnError `not-found` for none, `usage` where only a subagent's fits, `ambiguous` for several
 */
const messageNamed = (text: string, entries: readonly LogEntry[]): MessageEntry => {
  const found = messagesNamed(text, entries)
  const [first, ...others] = found.filter(isMainMessage)
  if (first === undefined) {
    if (found.length > 0)
      throw new CairnError(
        'usage',
        `Message ${found[0]?.id ?? text} is of a subagent; a session can be rewound only to a message of the main conversation.`,
      )
    throw new CairnError(
      'not-found',
      `There is no message whose id is, or starts with, "${text}" in this session; cairn context show --all names them.`,
    )
  }
  if (others.length === 0) return first
  const ids = [first, ...others].slice(0, NAMED).map(({ id }) => id)
  throw new CairnError(
    'ambiguous',
    `"${text}" could be several messages; give more of the id: ${ids.join(', ')}${others.length >= NAMED ? ', …' : ''}.`,
  )
}

/**
 * The entry before the newest rewind: rewinding there twice redoes that rewind.
 * @throws CairnError `not-found` if there was none
 */
const beforeNewestRewind = (entries: readonly LogEntry[]): number => {
  const rewind = entries.findLast(({ kind }) => kind === 'rewind')
  if (rewind === undefined)
    throw new CairnError('not-found', 'This session was never rewound; there is nothing to undo.')
  return rewind.seq - 1
}

/**
 * The last entry that existed at a time. Throws if the log's times go back and forth there. Entries of subagents do not
 * count. @throws CairnError `not-found` if nothing was said by then, `usage` if nothing carries a time, `ambiguous` if
 * the log's times go back and forth there
 */
const lastAt = (time: number, entries: readonly LogEntry[]): number => {
  let known = Number.NEGATIVE_INFINITY
  let last: LogEntry | undefined
  let later: LogEntry | undefined
  for (const entry of entries) {
    // A subagent's transcript is read after its parent's: its times are no order of this log.
    if (entry.kind === 'message' && entry.subagent !== undefined) continue
    known = entry.at ?? known
    if (known > time) later ??= entry
    else if (later === undefined) last = entry
    else
      throw new CairnError(
        'ambiguous',
        `At ${instantText(time)} this session had entry ${entry.seq}, but not yet entry ${later.seq} before it: its times are not in order. Name a message instead (cairn context show --all).`,
      )
  }
  if (known === Number.NEGATIVE_INFINITY)
    throw new CairnError(
      'usage',
      'Nothing in this session carries a time; name a message instead (cairn context show --all).',
    )
  if (last === undefined || later === last)
    throw new CairnError(
      'not-found',
      `Nothing had been said by ${instantText(time)}; the session begins at ${instantText(entries.find((entry) => entry.at !== null)?.at ?? 0)}.`,
    )
  return last.seq
}
