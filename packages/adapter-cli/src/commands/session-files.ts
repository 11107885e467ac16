/**
 * `cairn session files`: the files in a session's context, whether they are still as the agent knows them, and who
 * changed them.
 */
import { CairnError, messagesNamed, parseTime } from '@cairn/core'
import type { Engine, FileInContext, FileState, FileWarning, ModelUse, SessionFiles, SessionSummary } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { counted, formatTime, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { changeText } from '../output/file-change-text.ts'
import { sessionNamed } from './session-named.ts'

/** The options of `session files`. */
export interface FilesOptions extends CommonOptions {
  readonly state?: FileState
  readonly limit: number
  readonly since?: string
  readonly disk: boolean
  readonly acknowledge?: boolean
}

/** What one call shows. */
interface Shown {
  readonly session: SessionSummary
  readonly files: readonly FileInContext[]
  readonly models: readonly ModelUse[]
  /** Of all files of the session, whatever was asked for. */
  readonly activity: SessionFiles
  readonly warnings: readonly FileWarning[]
  /** How many warnings were acknowledged. */
  readonly acknowledged: number
}

/** Paths of a warning that are named. */
const NAMED = 5

/**
 * Lists the files of a session's context with what is known of them, at most `--limit`, the last used first. `{session,
 * files, models, activity, warnings, acknowledged}` as JSON; `activity` and `warnings` are of all files. With
 * `--acknowledge` the warnings shown count as read.
 */
export const runFiles = async (named: string | undefined, options: FilesOptions, context: Context): Promise<void> => {
  const engine = await (options.acknowledge === true ? context.engine(options) : context.readEngine(options))
  const session = await sessionNamed(named, engine, options, context)
  const since = await pathsSince(session.id, options, engine, context)
  const { state, limit, disk } = options
  const query = state === undefined ? { disk } : { disk, states: [state] }
  const { files, models } = await engine.files.inContext(session.id, since === undefined ? { ...query, limit } : query)
  const warnings = await engine.files.warnings(session.id)
  const shown: Shown = {
    session,
    files: since === undefined ? files : files.filter(({ path }) => since.has(path)).slice(0, limit),
    models,
    activity: await engine.files.activity(session.id),
    warnings,
    acknowledged: options.acknowledge === true ? await acknowledged(session.id, warnings, engine) : 0,
  }
  if (options.json === true) return context.json({ ...shown, session: session.id })
  for (const line of lines(shown, context.terminal.width)) await context.terminal.line(line)
}

/**
 * Returns the paths edited after `--since`: a message whose id begins so, otherwise a time; undefined without the
 * option. Rejects with `usage` for what is neither.
 */
const pathsSince = async (
  sessionId: string,
  { since, ...options }: FilesOptions,
  engine: Engine,
  context: Context,
): Promise<ReadonlySet<string> | undefined> => {
  if (since === undefined) return undefined
  const isMessage = messagesNamed(since, await engine.sessions.log(sessionId)).length > 0
  if (isMessage) return new Set(await engine.files.editedSince(sessionId, { message: since }))
  const { timezone } = await context.settings(options)
  const time = timeNamed(since, timezone.value, context.now())
  return new Set(await engine.files.editedSince(sessionId, { time }))
}

/**
 * Returns the time that a text means, ms. A text such as `2026-01-31` is the beginning of that day in the zone.
 * @throws CairnError `usage` for text that is not a time
 */
const timeNamed = (text: string, timeZone: string, now: number): number => {
  try {
    return parseTime(text, timeZone, 'since', now)
  } catch (error) {
    if (!CairnError.is(error)) throw error
    throw new CairnError(
      'usage',
      `--since takes a time or the beginning of a message’s id; '${neutraliseLine(text)}' is neither in this session.`,
      { cause: error },
    )
  }
}

/** Acknowledges the warnings; returns how many were not acknowledged before. */
const acknowledged = async (sessionId: string, warnings: readonly FileWarning[], engine: Engine): Promise<number> => {
  let count = 0
  for (const { id } of warnings) if (await engine.files.acknowledge(sessionId, id)) count += 1
  return count
}

/** Yields the warnings, the table of files (or that there are none), how often files were read, and the models. */
function* lines({ session, files, models, activity, warnings, acknowledged }: Shown, width: number): Generator<string> {
  for (const warning of warnings) yield* wrapLine(warningText(warning), width)
  if (acknowledged > 0) yield `Acknowledged: ${counted(acknowledged, 'warning')}.`
  if (files.length === 0) yield `No such files are in the context of ${session.id}.`
  else yield* tableOf(files, width)
  const reads = activityText(activity)
  if (reads !== '') yield* wrapLine(reads, width)
  if (models.length > 0) yield* wrapLine(`Models: ${models.map(modelText).join(' → ')}`, width)
}

/** Returns a warning as a sentence, with some of its files. */
const warningText = ({ at, reason, paths }: FileWarning): string => {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : ''
  return `${formatTime(at)}: ${neutraliseLine(reason)}; the agent may not know ${paths.slice(0, NAMED).map(neutraliseLine).join(', ')}${more} as ${paths.length === 1 ? 'it is' : 'they are'} now.`
}

/** Returns how often files were read, and what reading the same again added to the context; '' if nothing was read. */
const activityText = ({ files, rereads, rereadTokens }: SessionFiles): string => {
  const reads = files.reduce((sum, file) => sum + file.reads, 0)
  if (reads === 0) return ''
  const again =
    rereads === 0 ? 'none' : `${formatWhole(rereads)} (about ${counted(rereadTokens, 'token')} into the context again)`
  return `Reads: ${formatWhole(reads)}; of what had been read before and not edited since: ${again}`
}

/** Returns a model with its provider and mode, safe to print. */
const modelText = ({ model, provider, mode }: ModelUse): string => {
  const more = [provider, mode].filter((each) => each !== null).join(', ')
  return neutraliseLine(more === '' ? model : `${model} (${more})`)
}

/** Yields the table of files, in the order given, with the number in each state as its total. */
function* tableOf(files: readonly FileInContext[], width: number): Generator<string> {
  const ofState = (state: FileState): number => files.filter((file) => file.state === state).length
  const total = (['active', 'stale', 'removed'] as const).map((state) => `${ofState(state)} ${state}`).join(', ')
  const { head, rows } = tableLines({
    columns: [
      { title: 'state' },
      { title: 'file', shorten: 'path', minimum: 16 },
      { title: 'sources', dropRank: 1 },
      { title: 'read', dropRank: 3 },
      { title: 'edited', dropRank: 2 },
      { title: 'changed since', shorten: 'end', minimum: 26 },
    ],
    rows: files.map((file) => [
      file.state,
      neutraliseLine(file.path),
      file.sources.join(', '),
      formatTime(file.readAt),
      formatTime(file.editAt),
      changeText(file),
    ]),
    width,
  })
  yield head
  yield* rows
  yield `Total   ${counted(files.length, 'file')}: ${total}`
}
