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
import { formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { commandText, contextSession, shortIds, type CommandText } from './context-session.ts'
import { appendFacts } from './session-named.ts'

export interface EditOptions extends CommonOptions {
  readonly session?: string
}

interface Outcome {
  readonly target: ManualTarget
  readonly change: ManualChange
  /** As it is named in sentences, short. */
  readonly name: string
  /** The next request as it was, and afterwards. */
  readonly before: SessionContext
  readonly after: SessionContext
}

/** Decides about a message or a block. `{session, messageId, block, action, changed, before, after, …}` as JSON. */
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
  // A decision about a message stands whatever others wrote meanwhile; of two about the same one the later holds.
  await appendFacts(session, change.entries, engine)
  return { target, change, name, before, after: await engine.context.nextRequest(session.id) }
}

/** As `targetOf`; its sentences name ids, which are another program's text. */
const named = (message: string, entries: readonly LogEntry[]): ManualTarget => {
  try {
    return targetOf(message, entries)
  } catch (error) {
    throw CairnError.is(error) ? new CairnError(error.code, neutraliseLine(error.message), { cause: error }) : error
  }
}

/** What the policy would take out for the next request is not out of the log's view yet: it is brought back by a pin. */
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

const nameOf = ({ messageId, block }: ManualTarget, entries: readonly LogEntry[]): string => {
  const ids = entries.flatMap((entry) => (entry.kind === 'message' && entry.subagent === undefined ? [entry.id] : []))
  const short = shortIds(ids).get(messageId) ?? messageId
  return block === undefined ? short : `${short}:${block}`
}

/** What takes the decision back. */
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

/** Tokens by which the next request grows under its policy; what the policy decides because of it is part of that. */
const growth = ({ before, after }: Outcome): number => after.prepared.tokens - before.prepared.tokens

const growthText = (outcome: Outcome): string => {
  const tokens = growth(outcome)
  if (tokens === 0) return 'the next request keeps its size'
  // With something else to decide about, a policy may take out less, or more, than before.
  const isAgainst = Math.sign(tokens) === -Math.sign(outcome.change.tokens)
  return `the next request ${tokens > 0 ? 'grows' : 'shrinks'} by about ${formatWhole(Math.abs(tokens))} tokens under ${outcome.after.policy}${isAgainst ? ', which then chooses differently' : ''}`
}

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
