/** `cairn session rewind`: rewinds a session to a message or a time. Nothing is removed, so it can be undone. */
import {
  CairnError,
  DEFAULT_CHARS_PER_TOKEN,
  createContextView,
  messagesNamed,
  parseTime,
  planRewind,
  textOfBlock,
} from '@cairn/core'
import type { Engine, LogEntry, MessageEntry, RewindPlan, RewindTo, SessionSummary } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { shellCommand } from '../output/shell-word.ts'
import { counted, formatTime, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { shortenEnd } from '../terminal/text-width.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { shortIds } from './context-session.ts'
import { appendDecision, sessionNamed, sessionText } from './session-named.ts'

/** The options of `session rewind`. */
export interface RewindOptions extends CommonOptions {
  readonly to?: string
  readonly undo?: boolean
  readonly dryRun?: boolean
}

/** What a rewind did, or would do. */
interface Outcome {
  readonly session: SessionSummary
  readonly plan: RewindPlan
  /** Short ids, by message id. */
  readonly names: ReadonlyMap<string, string>
  /** Tokens of the messages in force, estimated. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** The command that undoes it. */
  readonly undo: string
}

/** Messages listed of those that left, and of those that came back. */
const LISTED = 8
/** Characters of a message that are shown. */
const EXCERPT = 200

/**
 * Rewinds a session to a message or time (`--to`), or undoes its last rewind (`--undo`). Files stay as they are, and
 * the session is told which were edited since. Does not ask; a dry run changes nothing. `{session, to, changed, dryRun,
 * left, back, tokensBefore, tokensAfter, undo}` as JSON. Rejects with `usage` for both or neither, with `not-found` or
 * `ambiguous` for the session or the target, and with `sequence-conflict` if another program wrote in the meantime.
 */
export const runRewind = async (named: string | undefined, options: RewindOptions, context: Context): Promise<void> => {
  const { undo = false, dryRun = false, to } = options
  if (undo === (to !== undefined))
    throw new CairnError(
      'usage',
      undo
        ? 'Give either --to or --undo, not both.'
        : 'Where to? Give --to <message or time>, or --undo to undo the last rewind.',
    )
  const { timezone } = await context.settings(options)
  const engine = await context.readEngine(options)
  const session = await sessionNamed(named, engine, options, context)
  const entries = await engine.sessions.log(session.id)
  const plan = planned(
    to === undefined ? { undo: true } : target(to, entries, timezone.value, context.now()),
    entries,
    context.now(),
  )
  const { id, program, store } = await sessionText(session, options, engine, context)
  const rewind = plan.entry === undefined ? [] : [{ ...plan.entry, seq: plan.expectedSeq }]
  const outcome: Outcome = {
    session,
    plan,
    names: shortIds(entries.flatMap((entry) => (entry.kind === 'message' ? [entry.id] : []))),
    tokensBefore: tokensOf(entries),
    tokensAfter: tokensOf([...entries, ...rewind]),
    undo: shellCommand(`${program} session rewind`, id, ` --undo${store}`),
  }
  if (plan.entry !== undefined && !dryRun) {
    await appendDecision(session, plan.expectedSeq, [plan.entry], engine)
    await warnOfFiles(session.id, plan, engine)
  }
  if (options.json === true) return context.json(outcomeJson(outcome, dryRun))
  for (const line of lines(outcome, dryRun, context.terminal.width)) await context.terminal.line(line)
}

/**
 * Stores for the session which files were edited since the newest message that stays: the disk still has these edits.
 * Nothing if no entry left, or that message has no time.
 */
const warnOfFiles = async (sessionId: string, { newest, left }: RewindPlan, engine: Engine): Promise<void> => {
  const time = newest?.at ?? null
  if (time === null || left.length === 0) return
  const paths = await engine.files.editedSince(sessionId, { time })
  await engine.files.warn(sessionId, { reason: 'the conversation was taken back, the files were not', paths })
}

/** An entry by its number, as `session show` and the dashboard have it. */
const NUMBER = /^#(\d{1,15})$/

/**
 * Returns what `--to` means: an entry's number (`#12`), a time if no message's id begins like this, otherwise a message,
 * whether or not the log has it.
 * @throws CairnError `usage` for a blank text, `ambiguous` for one that is both a time and the beginning of a message's id
 */
const target = (text: string, entries: readonly LogEntry[], timeZone: string, now: number): RewindTo => {
  if (text.trim() === '')
    throw new CairnError(
      'usage',
      'Where to? --to takes the beginning of a message’s id, an entry’s number such as #12, or a time.',
    )
  const [, number] = NUMBER.exec(text) ?? []
  if (number !== undefined) return { entry: Number(number) }
  const found = messagesNamed(text, entries)
  const time = timeOf(text, timeZone, now)
  if (found.length > 0 && time !== undefined && found[0]?.id !== text) {
    throw new CairnError(
      'ambiguous',
      `'${text}' could be message ${neutraliseLine(found[0]?.id ?? '')} or the time ${new Date(time).toISOString()}; give more of the id, or the time as ${new Date(time).toISOString()}.`,
    )
  }
  return found.length === 0 && time !== undefined ? { time } : { message: text }
}

/** Returns the time that a text means, ms; undefined for text that is not a time. A day is its end. */
const timeOf = (text: string, timeZone: string, now: number): number | undefined => {
  try {
    return parseTime(text, timeZone, 'until', now)
  } catch (error) {
    if (CairnError.is(error) && error.code === 'usage') return undefined
    throw error
  }
}

/** Returns the plan of a rewind; throws as `planRewind` does, with messages that are safe to print. */
const planned = (to: RewindTo, entries: readonly LogEntry[], now: number): RewindPlan => {
  try {
    return planRewind(to, entries, now)
  } catch (error) {
    throw CairnError.is(error) ? new CairnError(error.code, neutraliseLine(error.message), { cause: error }) : error
  }
}

/** Returns the estimated tokens of the messages that a log leaves in the context; what a rewind took back is not. */
const tokensOf = (entries: readonly LogEntry[]): number => {
  const view = createContextView(DEFAULT_CHARS_PER_TOKEN)
  for (const entry of entries) view.step(entry)
  return view.tokens()
}

/** Returns the messages of the main conversation. */
const messagesOf = (entries: readonly LogEntry[]): readonly MessageEntry[] =>
  entries.filter((entry) => entry.kind === 'message').filter(({ subagent }) => subagent === undefined)

/**
 * Returns the beginning of a message's text on one line, at most {@link EXCERPT} characters; not made safe to print.
 */
const excerpt = ({ content }: MessageEntry): string =>
  content
    .map(textOfBlock)
    .join(' ')
    .slice(0, EXCERPT * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, EXCERPT)
    .toWellFormed()

/** Yields what the rewind did, or would do; that nothing was changed, if the session is there already. */
function* lines(
  { plan, names, tokensBefore, tokensAfter, undo }: Outcome,
  isDryRun: boolean,
  width: number,
): Generator<string> {
  const { newest, left, back, entry } = plan
  const name =
    newest === undefined
      ? 'before its first message'
      : `message ${neutraliseLine(names.get(newest.id) ?? newest.id)} (${newest.role}${newest.at === null ? '' : `, ${formatTime(newest.at)}`})`
  if (entry === undefined) {
    yield* wrapLine(`The session is at ${name} already; nothing was changed.`, width)
    return
  }
  yield* wrapLine(
    `${isDryRun ? 'Would take the session to' : 'The session goes on from'} ${name}; about ${formatWhole(tokensBefore)} → ${counted(tokensAfter, 'token')} of messages.`,
    width,
  )
  yield* listed(isDryRun ? 'Would leave' : 'Left', left, names, width)
  yield* listed(isDryRun ? 'Would come back' : 'Back', back, names, width)
  yield* wrapLine(
    isDryRun
      ? 'Nothing was changed. The log keeps everything; files are not touched.'
      : `The log keeps everything; files were not touched. Undo: ${undo}`,
    width,
  )
}

/**
 * Yields some of the messages that left or came back under a heading; nothing if there are none. Other entries are only
 * counted. `names`: short ids, by message.
 */
function* listed(
  what: string,
  entries: readonly LogEntry[],
  names: ReadonlyMap<string, string>,
  width: number,
): Generator<string> {
  const messages = messagesOf(entries)
  if (entries.length === 0) return
  const others = entries.length - messages.length
  const parts = [
    ...(messages.length === 0 ? [] : [counted(messages.length, 'message')]),
    ...(others === 0 ? [] : [`${others} other ${others === 1 ? 'entry' : 'entries'}`]),
  ]
  yield `${what}: ${parts.join(', ')}`
  for (const message of messages.slice(0, LISTED))
    yield shortenEnd(
      `  ${neutraliseLine(names.get(message.id) ?? message.id)}  ${message.role.padEnd(9)}  ${neutraliseLine(excerpt(message))}`,
      width,
    )
  if (messages.length > LISTED) yield `  … ${messages.length - LISTED} more`
}

/**
 * Returns the document of `--json`. `to` is always an object: `seq` of the last entry that stays, and `messageId`,
 * `role` and `at` of the newest message then, null if there is none. `left` and `back` are what leaves and comes
 * back (see `sideJson`). For a dry run, or if the session is there already, `changed` is false and the command `undo`
 * is null.
 */
const outcomeJson = (
  { session, plan, tokensBefore, tokensAfter, undo }: Outcome,
  dryRun: boolean,
): Record<string, unknown> => {
  const { newest, toSeq, left, back, entry } = plan
  return {
    session: session.id,
    to: { seq: toSeq, messageId: newest?.id ?? null, role: newest?.role ?? null, at: newest?.at ?? null },
    changed: entry !== undefined && !dryRun,
    dryRun,
    left: sideJson(left),
    back: sideJson(back),
    tokensBefore,
    tokensAfter,
    undo: entry === undefined || dryRun ? null : undo,
  }
}

/**
 * Returns how many entries left or came back, and the messages of the main conversation among them, each with the
 * beginning of its text, for `--json`.
 */
const sideJson = (entries: readonly LogEntry[]): Record<string, unknown> => ({
  entries: entries.length,
  messages: messagesOf(entries).map((message) => ({
    messageId: message.id,
    seq: message.seq,
    role: message.role,
    at: message.at,
    text: excerpt(message),
  })),
})
