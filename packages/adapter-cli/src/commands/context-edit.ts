/** `cairn context pin`, `drop` and `restore`: a user's decisions about the context, as entries of the log. */
import { CairnError, DEFAULT_CHARS_PER_TOKEN, manualChange, targetOf } from '@cairn/core'
import type { Engine, LogEntry, ManualAction, ManualChange, ManualTarget, SessionContext, SessionSummary } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { commandText, contextSession, shortIds, type CommandText } from './context-session.ts'

export interface EditOptions extends CommonOptions {
  readonly session?: string
}

/** An agent that writes all the time gives way now and then. */
const ATTEMPTS = 8

interface Outcome {
  readonly target: ManualTarget
  readonly change: ManualChange
  /** As it is named in sentences, short. */
  readonly name: string
  /** The next request afterwards. */
  readonly after: SessionContext
}

/** Decides about a message or a block. `{session, messageId, block, action, changed, before, after, …}` as JSON. */
export const runEdit = async (action: ManualAction, message: string, options: EditOptions, context: Context): Promise<void> => {
  if (message.trim() === '') throw new CairnError('usage', 'Which message? Give the beginning of its id; cairn context show names them.')
  const engine = await context.readEngine(options)
  const session = await contextSession(options.session, engine, options, context)
  const outcome = await apply(action, message, session, engine, context)
  const command = await commandText(session, options.session, options, engine, context)
  if (options.json === true) return context.json(outcomeJson(action, session, outcome, command))
  await context.terminal.line(sentence(action, outcome, command))
}

const apply = async (action: ManualAction, message: string, session: SessionSummary, engine: Engine, context: Context): Promise<Outcome> => {
  const { id, agent, externalId } = session
  for (let attempt = 1; ; attempt++) {
    const entries = await engine.log(id)
    const target = named(message, entries)
    const change = await decide(action, target, entries, session, engine, context)
    const expected = (entries.at(-1)?.seq ?? -1) + 1
    const written = change.entries.length === 0 ? undefined : await engine.append({ id, agent, externalId }, expected, change.entries.map((entry) => ({ entry })))
    if (written === undefined || written.ok) return { target, change, name: nameOf(target, entries), after: await engine.context(id) }
    if (attempt >= ATTEMPTS) throw new CairnError('sequence-conflict', `Another program keeps writing to ${id}; nothing was changed. Try again when it pauses.`)
  }
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
const decide = async (action: ManualAction, target: ManualTarget, entries: readonly LogEntry[], { id }: SessionSummary, engine: Engine, context: Context): Promise<ManualChange> => {
  const change = manualChange(action, target, entries, context.now(), DEFAULT_CHARS_PER_TOKEN)
  if (action !== 'restore' || change.entries.length > 0) return change
  const { messages } = await engine.context(id)
  const blocks = messages.find((message) => message.id === target.messageId)?.blocks ?? []
  const isLeaving = blocks.some(({ block, state }) => (target.block === undefined || target.block === block) && (state === 'shortened' || state === 'left-out'))
  return isLeaving ? manualChange('pin', target, entries, context.now(), DEFAULT_CHARS_PER_TOKEN) : change
}

const nameOf = ({ messageId, block }: ManualTarget, entries: readonly LogEntry[]): string => {
  const ids = entries.flatMap((entry) => (entry.kind === 'message' && entry.subagent === undefined ? [entry.id] : []))
  const short = shortIds(ids).get(messageId) ?? messageId
  return neutraliseLine(block === undefined ? short : `${short}:${block}`)
}

/** What takes the decision back. */
const undoOf = ({ before, after }: ManualChange): ManualAction => (before === 'pinned' ? 'pin' : before === 'dropped' ? 'drop' : after === 'automatic' ? 'pin' : 'restore')

const UNCHANGED: Readonly<Record<ManualAction, string>> = { pin: 'is pinned already', drop: 'is dropped already', restore: 'is in the context as it was said; cairn context pin keeps it there' }
const DONE = { pinned: 'is pinned: no policy takes it out', dropped: 'is dropped: it is not sent any more', automatic: "is the policy's matter again" } as const

const sentence = (action: ManualAction, { change, name, after }: Outcome, command: CommandText): string => {
  if (change.entries.length === 0) return `${name} ${UNCHANGED[action]}; nothing was changed.`
  const done = action === 'restore' && change.after === 'pinned' ? 'is back in the context, pinned so that no policy takes it out again' : DONE[change.after]
  const size = formatWhole(Math.abs(change.tokens))
  const tokens = change.tokens === 0 ? 'requests stay as long as they were' : change.tokens > 0 ? `about ${size} tokens more a request` : `about ${size} tokens fewer a request`
  const along = Map.groupBy(change.along, ({ what }) => what)
  const notes = [
    ...[...along].map(([what, own]) => (own.length === 1 ? `its ${what} goes along` : `its ${own.length} ${what}s go along`)),
    ...(change.unanswered > 0 ? ['the model is told that its result is missing'] : []),
    ...(change.isNewestUser && change.after === 'dropped' ? ['it is the newest message of the user: the model will not see what it is asked'] : []),
    ...(after.prepared.fits ? [] : ['the next request does not fit the window any more (cairn context show)']),
  ]
  return `${name} ${done}${notes.map((note) => `; ${note}`).join('')}; ${tokens}. Undo: ${command(undoOf(change), name)}`
}

const outcomeJson = (action: ManualAction, session: SessionSummary, { target, change, name, after }: Outcome, command: CommandText): Record<string, unknown> => ({
  session: session.id,
  messageId: target.messageId,
  block: target.block ?? null,
  action,
  changed: change.entries.length > 0,
  before: change.before,
  after: change.after,
  along: change.along,
  tokens: change.tokens,
  undo: change.entries.length === 0 ? null : command(undoOf(change), name),
  next: { tokens: after.prepared.tokens, room: after.room, level: after.level, fits: after.prepared.fits },
})
