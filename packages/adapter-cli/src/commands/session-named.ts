/** The session that a session command is about, and the parts of commands that are suggested for it. */
import { CairnError } from '@cairn/core'
import type { Engine, LogEntry, NewLogEntry, SessionSummary } from '@cairn/core'
import { programName, storeOption } from '../options/called-as.ts'
import type { CommonOptions, Context } from '../command.ts'
import { currentSession } from '../runtime/current-session.ts'
import { severalProjects } from '../options/project-option.ts'
import { shownIds } from '../output/session-ids.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/**
 * The session of an id or its beginning; without one, the current session of `--workspace` or of the working folder's
 * project. Rejects with `not-found` if there is none, with `ambiguous` for several sessions or projects, and with `usage`
 * for a blank id.
 */
export const sessionNamed = async (
  named: string | undefined,
  engine: Engine,
  options: CommonOptions,
  context: Context,
): Promise<SessionSummary> => {
  if (named !== undefined) {
    if (named.trim() === '')
      throw new CairnError('usage', 'Which session? Give the beginning of its id; cairn session list shows them.')
    return engine.sessions.find(named)
  }
  const { folder } = context.surroundings
  const workspace = (await context.workspace({ workspace: options.workspace ?? folder })) ?? folder
  const several = options.workspace === undefined ? undefined : await severalProjects(workspace, engine)
  if (several !== undefined) throw new CairnError('ambiguous', several)
  const current = await currentSession(workspace, engine)
  if (current !== undefined) return current
  throw new CairnError('not-found', await noSessionOf(workspace, engine, options, context))
}

/** Returns the sentence for when no session was named and there is no current one: why, and how to name one. */
const noSessionOf = async (
  workspace: string,
  engine: Engine,
  options: CommonOptions,
  { surroundings }: Context,
): Promise<string> => {
  const { sessions, total } = await engine.store.sessions.list({ limit: 1 })
  const [newest] = sessions
  const program = programName(surroundings)
  const store = storeOption(options, surroundings)
  if (newest === undefined)
    return `The store holds no session yet; ${program} import${store} takes in what agents left on this machine.`
  const id = (await shownIds([newest], engine.store.sessions)).get(newest.id) ?? newest.id
  return `No session of ${neutraliseLine(workspace)} is in the store. Name the one that you mean, such as ${neutraliseLine(id)} (${total === 1 ? 'the only one' : `the newest of ${total.toLocaleString('en-US')}`}): ${program} session list${store} shows them.${options.workspace === undefined ? ' Or name a project with --workspace.' : ''}`
}

/**
 * The program's name, a session's short id (not yet quoted: `shellCommand` does that), and the option that names the
 * same store again, '' if none was named.
 */
export const sessionText = async (
  session: SessionSummary,
  options: CommonOptions,
  engine: Engine,
  { surroundings }: Context,
): Promise<{ readonly id: string; readonly program: string; readonly store: string }> => ({
  id: (await shownIds([session], engine.store.sessions)).get(session.id) ?? session.id,
  program: programName(surroundings),
  store: storeOption(options, surroundings),
})

/**
 * Appends entries that depend on nothing else in the log, behind whatever others write at the same time. Rejects with
 * `not-found` where the session was deleted meanwhile.
 */
export const appendFacts = async (
  { id, agent, externalId }: SessionSummary,
  entries: readonly NewLogEntry[],
  engine: Engine,
): Promise<void> => {
  const written = await engine.sessions.append(
    { id, agent, externalId },
    'end',
    entries.map((entry) => ({ entry })),
  )
  if (!written.ok)
    throw new CairnError(
      'not-found',
      `Session ${id} has been deleted meanwhile; nothing was changed (cairn session list shows what is there).`,
    )
}

/**
 * Appends decisions that hold for the log up to `seq` only: `expectedSeq` is the number that the first of them gets.
 * Rejects with `sequence-conflict`, and writes nothing, when somebody else has appended since.
 */
export const appendDecision = async (
  { id, agent, externalId }: SessionSummary,
  expectedSeq: number,
  entries: readonly NewLogEntry[],
  engine: Engine,
): Promise<void> => {
  const written = await engine.sessions.append(
    { id, agent, externalId },
    expectedSeq,
    entries.map((entry) => ({ entry })),
  )
  if (!written.ok)
    throw new CairnError(
      'sequence-conflict',
      `Another program wrote to ${id} meanwhile; nothing was changed. Look at it again and repeat.`,
    )
}

/** The number of the entry that is appended next; 0 for an empty log. `entries`: the whole log, or its end. */
export const nextSeq = (entries: readonly LogEntry[]): number => (entries.at(-1)?.seq ?? -1) + 1
