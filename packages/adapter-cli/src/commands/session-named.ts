/** The session that a session command is about, and how commands that texts name are typed for it. */
import { setTimeout } from 'node:timers/promises'
import { CairnError } from '@cairn/core'
import type { Engine, LogEntry, NewLogEntry, SessionSummary } from '@cairn/core'
import { programName, storeOption } from '../called-as.ts'
import type { CommonOptions, Context } from '../command.ts'
import { currentSession } from '../current-session.ts'
import { severalProjects } from '../project-option.ts'
import { shownIds } from '../session-ids.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** The session of an id or its beginning, else the project's current one. Rejects when there is none. */
export const sessionNamed = async (
  named: string | undefined,
  engine: Engine,
  options: CommonOptions,
  context: Context,
): Promise<SessionSummary> => {
  if (named !== undefined) {
    if (named.trim() === '')
      throw new CairnError('usage', 'Which session? Give the beginning of its id; cairn session list shows them.')
    return engine.session(named)
  }
  const { folder } = context.surroundings
  const workspace = (await context.workspace({ workspace: options.workspace ?? folder })) ?? folder
  const several = options.workspace === undefined ? undefined : await severalProjects(workspace, engine)
  if (several !== undefined) throw new CairnError('ambiguous', several)
  const current = await currentSession(workspace, engine)
  if (current !== undefined) return current
  throw new CairnError(
    'not-found',
    `No session of ${neutraliseLine(workspace)} is in the store; name one (cairn session list shows them).`,
  )
}

/** The short id of a session as it is, which only `shellCommand` makes fit for a command, and the options that name the same store again. */
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

/** Others that write to the session give way now and then. */
const GIVES_UP_AFTER_MS = 5000
const LONGEST_PAUSE_MS = 120

/** Appends an entry that depends on nothing in the log, behind whatever others write at the same time. */
export const appendFact = async (
  { id, agent, externalId }: SessionSummary,
  entry: NewLogEntry,
  engine: Engine,
  context: Context,
): Promise<void> => {
  const startedAt = context.now()
  for (;;) {
    const expected = (await engine.store.sessions.get(id))?.entries
    if (expected === undefined) throw new CairnError('not-found', `Session ${id} is gone.`)
    const written = await engine.append({ id, agent, externalId }, expected, [{ entry }])
    if (written.ok) return
    if (context.now() - startedAt >= GIVES_UP_AFTER_MS)
      throw new CairnError(
        'sequence-conflict',
        `Another program keeps writing to ${id}; nothing was changed. Try again when it pauses.`,
      )
    await setTimeout(Math.random() * LONGEST_PAUSE_MS)
  }
}

/** Appends decisions that were made on this very log: whoever was faster stops it. */
export const appendDecision = async (
  { id, agent, externalId }: SessionSummary,
  expectedSeq: number,
  entries: readonly NewLogEntry[],
  engine: Engine,
): Promise<void> => {
  const written = await engine.append(
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

/** The place in the log that the next entry takes. */
export const nextSeq = (entries: readonly LogEntry[]): number => (entries.at(-1)?.seq ?? -1) + 1
