/** `cairn context pin`, `drop` and `restore`: a user's decisions about the context, as entries of the log. */
import { CairnError, DEFAULT_CHARS_PER_TOKEN, manualChange, targetOf } from '@cairn/core'
import type {
  Engine,
  LogEntry,
  ManualAction,
  ManualChange,
  ManualTarget,
  SessionContext,
  SessionSummary,
} from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { counted } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { commandText, contextSession, shortIds, type CommandText } from './context-session.ts'
import { appendFacts } from './session-named.ts'

/** The options of `context pin`, `drop` and `restore`. */
export interface EditOptions extends CommonOptions {
  /** A session's id or its beginning; default: the current session. */
  readonly session?: string
}

/** A decision, and the next request before and after it. */
interface Outcome {
  readonly target: ManualTarget
  readonly change: ManualChange
  /** The target's short name, for sentences. */
  readonly name: string
  /** The session's next request before the decision, and after it. */
  readonly before: SessionContext
  readonly after: SessionContext
}

/**
 * Pins, drops or restores a message, or a block given as `<message>:<number>`: `{session, messageId, block, action,
 * changed, before, after, …}` as JSON. If nothing had to change, `changed` is false, which is no failure. Rejects with
 * `usage`, `not-found` or `ambiguous` for the message or session, and with `not-found` if that is deleted meanwhile.
 */
export const runEdit = async (
  action: ManualAction,
  message: string,
  options: EditOptions,
  context: Context,
): Promise<void> => {
  if (message.trim() === '')
    throw new CairnError('usage', 'Which message? Give the beginning of its id; cairn context show names them.')
  const engine = await context.readEngine(options)
  const session = await contextSession(options.session, engine, options, context)
  const outcome = await apply(action, message, session, engine, context)
  const command = await commandText(session, options.session, options, engine, context)
  if (options.json === true) return context.json(outcomeJson(action, session, outcome, command))
  await context.terminal.line(sentence(action, outcome, command))
}

/**
 * Adds the decision to the session's log, and returns the next request before and after it. A decision that changes
 * nothing adds nothing. Rejects with `not-found`, `ambiguous` or `usage` as `named` throws, and with `not-found` if the
 * session is deleted meanwhile.
 */
const apply = async (
  action: ManualAction,
  message: string,
  session: SessionSummary,
  engine: Engine,
  context: Context,
): Promise<Outcome> => {
  const entries = await engine.sessions.log(session.id)
  const target = named(message, entries)
  const before = await engine.context.nextRequest(session.id)
  const change = decide(action, target, entries, before, context)
  const name = nameOf(target, entries)
  if (change.entries.length === 0) return { target, change, name, before, after: before }
  // A decision holds whatever others wrote meanwhile; of two about the same message the later one counts.
  await appendFacts(session, change.entries, engine)
  return { target, change, name, before, after: await engine.context.nextRequest(session.id) }
}

/**
 * The message that a text names by its id or the beginning of it, or a block of it where `:<number>` follows, as core's
 * `targetOf` reads it.
 * @throws CairnError `not-found`, `ambiguous`, or `usage` for what can't be changed, with a message safe for a terminal
 */
const named = (message: string, entries: readonly LogEntry[]): ManualTarget => {
  try {
    return targetOf(message, entries)
  } catch (error) {
    throw CairnError.is(error) ? new CairnError(error.code, neutraliseLine(error.message), { cause: error }) : error
  }
}

/**
 * The entries to append for a decision; none where nothing has to change. `restore` pins what the policy would leave
 * out only with the next request, as the log still has it whole.
 */
const decide = (
  action: ManualAction,
  target: ManualTarget,
  entries: readonly LogEntry[],
  { messages }: SessionContext,
  context: Context,
): ManualChange => {
  const change = manualChange(action, target, entries, context.now(), DEFAULT_CHARS_PER_TOKEN)
  if (action !== 'restore' || change.entries.length > 0) return change
  const blocks = messages.find((message) => message.id === target.messageId)?.blocks ?? []
  const isLeaving = blocks.some(
    ({ block, state }) =>
      (target.block === undefined || target.block === block) && (state === 'shortened' || state === 'left-out'),
  )
  return isLeaving ? manualChange('pin', target, entries, context.now(), DEFAULT_CHARS_PER_TOKEN) : change
}

/**
 * Returns the shortest id of a message that tells it apart, with `:<block>` for a block. The whole id if it is not in
 * the conversation.
 */
const nameOf = ({ messageId, block }: ManualTarget, entries: readonly LogEntry[]): string => {
  const ids = entries.flatMap((entry) => (entry.kind === 'message' && entry.subagent === undefined ? [entry.id] : []))
  const short = shortIds(ids).get(messageId) ?? messageId
  return block === undefined ? short : `${short}:${block}`
}

/**
 * The action that brings back the state before a decision, as far as one can; `pin` keeps what `restore` brought back.
 */
const undoOf = ({ before, after }: ManualChange): ManualAction =>
  before === 'pinned' ? 'pin' : before === 'dropped' ? 'drop' : after === 'automatic' ? 'pin' : 'restore'

const UNCHANGED: Readonly<Record<ManualAction, string>> = {
  pin: 'is pinned already',
  drop: 'is dropped already',
  restore: 'is in the context as it was said; cairn context pin keeps it there',
}
const DONE = {
  pinned: 'is pinned: no policy takes it out',
  dropped: 'is dropped: it is not sent any more',
  automatic: 'is left to the policy again',
} as const

/** By how many tokens the next request grows, including what its policy decides because of the change. */
const growth = ({ before, after }: Outcome): number => after.prepared.tokens - before.prepared.tokens

/** Returns how much the next request grows or shrinks, as part of a sentence. In tokens, and under which policy. */
const growthText = (outcome: Outcome): string => {
  const tokens = growth(outcome)
  if (tokens === 0) return 'the next request keeps its size'
  // The change may make a policy leave out less, or more, than before.
  const isAgainst = Math.sign(tokens) === -Math.sign(outcome.change.tokens)
  return `the next request ${tokens > 0 ? 'grows' : 'shrinks'} by about ${counted(Math.abs(tokens), 'token')} under ${outcome.after.policy}${isAgainst ? ', which then chooses differently' : ''}`
}

/**
 * Returns what was decided, its effect on the next request, and the command that undoes it; that nothing was changed,
 * where nothing was.
 */
const sentence = (action: ManualAction, outcome: Outcome, command: CommandText): string => {
  const { change, name, after } = outcome
  const shown = neutraliseLine(name)
  if (change.entries.length === 0) return `${shown} ${UNCHANGED[action]}; nothing was changed.`
  const done =
    action === 'restore' && change.after === 'pinned'
      ? 'is back in the context, pinned so that no policy takes it out again'
      : DONE[change.after]
  const along = Map.groupBy(change.along, ({ what }) => what)
  const notes = [
    ...[...along].map(([what, own]) =>
      own.length === 1 ? `its ${what} goes with it` : `its ${own.length} ${what}s go with it`,
    ),
    ...(change.unanswered > 0 ? ['the model is told that its result is missing'] : []),
    ...(change.isNewestUser && change.after === 'dropped'
      ? ['it is the newest message of the user: the model will not see what it is asked']
      : []),
    ...(after.prepared.fits ? [] : ['the next request does not fit the window any more (cairn context show)']),
  ]
  return `${shown} ${done}${notes.map((note) => `; ${note}`).join('')}; ${growthText(outcome)}. Undo: ${command(undoOf(change), name)}`
}

/** Returns the document of `--json`; `tokens` is how much the next request grows (negative: shrinks). */
const outcomeJson = (
  action: ManualAction,
  session: SessionSummary,
  outcome: Outcome,
  command: CommandText,
): Record<string, unknown> => {
  const { target, change, name, after } = outcome
  return {
    session: session.id,
    messageId: target.messageId,
    block: target.block ?? null,
    action,
    changed: change.entries.length > 0,
    before: change.before,
    after: change.after,
    along: change.along,
    tokens: growth(outcome),
    undo: change.entries.length === 0 ? null : command(undoOf(change), name),
    next: { tokens: after.prepared.tokens, room: after.availableTokens, level: after.level, fits: after.prepared.fits },
  }
}
