/**
 * Taking a session back: what a rewind to a message, to a time, or over an earlier rewind would do. Decides only;
 * the entry is the caller's to append, and nothing of the log is ever removed.
 */
import { CairnError } from '../errors.ts'
import { assertBound, assertLimit, assertObject, assertText } from '../input.ts'
import type { LogEntry, MessageEntry, NewLogEntry } from '../session-log.ts'
import { instantText } from '../time-text.ts'
import { createLiveEntries, liveEntries } from './live-entries.ts'

/**
 * A message by its id or the beginning of it; an entry by its number in the log (`seq`); a time, ms; or the newest rewind,
 * which is taken back.
 */
export type RewindTo =
  { readonly message: string } | { readonly entry: number } | { readonly time: number } | { readonly undo: true }

export interface RewindPlan {
  /** The last entry that stays in force. */
  readonly toSeq: number
  /** The newest message of the main conversation that is in force afterwards; undefined when there is none. */
  readonly newest: MessageEntry | undefined
  /** To append at `expectedSeq`; undefined when everything is so already. */
  readonly entry: Extract<NewLogEntry, { readonly kind: 'rewind' }> | undefined
  readonly expectedSeq: number
  /** What is in force now and will not be, in order. */
  readonly left: readonly LogEntry[]
  /** What is not in force now and will be: an earlier rewind had taken it back. */
  readonly back: readonly LogEntry[]
}

/** How many candidates a sentence names. */
const NAMED = 5

/**
 * The one rewind entry to append so that the session goes on from there (none when it is so already), with what leaves and
 * what comes back. Appends nothing.
 * @param at time of the decision, ms
 * @throws CairnError `not-found`: no such message, entry, time or rewind; `ambiguous`: several messages, or a time that the log
 * passes more than once; `usage`: a subagent's message, or a log without times; `invalid-input`: a target of another form.
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

/** The number of the last entry that is in force after a rewind. */
const lastInForce = (to: RewindTo, entries: readonly LogEntry[]): number => {
  if ('undo' in to) return beforeNewestRewind(entries)
  if ('time' in to) return lastAt(to.time, entries)
  return 'entry' in to ? entryNumbered(to.entry, entries) : messageNamed(to.message, entries).seq
}

/** The number, if the log has it; throws `not-found` for one beyond its end. */
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
 * The messages that a text names as the goal of a rewind: the one with this id, else those whose id starts with it;
 * none for an empty text.
 */
export const messagesNamed = (text: string, entries: readonly LogEntry[]): readonly MessageEntry[] => {
  const messages = entries.filter((entry) => entry.kind === 'message')
  const exact = messages.filter(({ id }) => id === text)
  return exact.length > 0 || text === '' ? exact : messages.filter(({ id }) => id.startsWith(text))
}

/** The one message of the main conversation that a text names; throws where there is none, or several. */
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

/** A rewind to the entry before the newest rewind: done twice, that rewind holds again. */
const beforeNewestRewind = (entries: readonly LogEntry[]): number => {
  const rewind = entries.findLast(({ kind }) => kind === 'rewind')
  if (rewind === undefined)
    throw new CairnError('not-found', 'This session was never rewound; there is nothing to undo.')
  return rewind.seq - 1
}

/** The last entry that existed at a time. Unknown where the log's times go back and forth. */
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
