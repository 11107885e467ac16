/** `cairn session switch`, `name` and `favourite`: small facts about sessions. */
import { CairnError } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { setCurrentSession } from '../runtime/current-session.ts'
import { sessionJson } from '../output/json-output.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { appendFacts, sessionNamed } from './session-named.ts'

/** The options of `session switch`. */
export interface SwitchOptions extends CommonOptions {
  readonly newest?: boolean
}

/** The options of `session favourite`. */
export interface FavouriteOptions extends CommonOptions {
  readonly off?: boolean
}

/** Characters of a title, which is shown on one line. */
const LONGEST_TITLE = 500

/**
 * Makes a session its project's current one, or with `--newest` lets that be the newest again; without either says
 * which it is. `{session, switched}` as JSON. Rejects with `usage` for both, or a session of no project, and with
 * `not-found` or `ambiguous`.
 */
export const runSwitch = async (named: string | undefined, options: SwitchOptions, context: Context): Promise<void> => {
  const { newest = false } = options
  if (newest && named !== undefined) throw new CairnError('usage', 'Give either a session or --newest, not both.')
  const engine = await context.readEngine(options)
  const meant = await sessionNamed(named, engine, options, context)
  const isSwitch = named !== undefined || newest
  if (isSwitch) {
    if (meant.workspace === null)
      throw new CairnError('usage', `Session ${meant.id} belongs to no project; name it in each command instead.`)
    await setCurrentSession(meant.workspace, newest ? undefined : meant.id, engine)
  }
  const session = newest ? await sessionNamed(undefined, engine, options, context) : meant
  if (options.json === true) return context.json({ session: sessionJson(session), switched: isSwitch })
  const project = neutraliseLine(session.workspace ?? '-')
  const title = neutraliseLine(session.title ?? 'no title')
  await context.terminal.line(
    `${isSwitch ? 'Commands without a session now mean' : 'Commands without a session mean'} ${session.id} (${title}) in ${project}${newest ? ', the newest one' : ''}.`,
  )
}

/**
 * Gives a session a title that imports do not change. `{session, title, before}` as JSON. Rejects with `usage` for an
 * empty title or one that is too long.
 */
export const runName = async (
  named: string,
  words: readonly string[],
  options: CommonOptions,
  context: Context,
): Promise<void> => {
  const title = neutraliseLine(words.join(' '))
  if (title === '') throw new CairnError('usage', 'Which title? Give at least one word.')
  if (title.length > LONGEST_TITLE)
    throw new CairnError('usage', `A title has at most ${LONGEST_TITLE} characters; this one has ${title.length}.`)
  const engine = await context.readEngine(options)
  const session = await sessionNamed(named, engine, options, context)
  await appendFacts(session, [{ kind: 'title', at: context.now(), title }], engine)
  const stored = (await engine.store.sessions.get(session.id))?.title ?? title
  if (options.json === true) return context.json({ session: session.id, title: stored, before: session.title })
  await context.terminal.line(`${session.id} is called: ${neutraliseLine(stored)}`)
}

/**
 * Marks a session as a favourite, or with `off` no longer. `{session, favourite, changed}` as JSON.
 * @param named an id or its beginning; undefined: the project's current session. Rejects when there is none
 */
export const runFavourite = async (
  named: string | undefined,
  options: FavouriteOptions,
  context: Context,
): Promise<void> => {
  const favourite = options.off !== true
  const engine = await context.readEngine(options)
  const session = await sessionNamed(named, engine, options, context)
  const isChanged = session.favourite !== favourite
  if (isChanged) await appendFacts(session, [{ kind: 'favourite', at: context.now(), favourite }], engine)
  if (options.json === true) return context.json({ session: session.id, favourite, changed: isChanged })
  await context.terminal.line(
    `${session.id} is ${isChanged ? (favourite ? 'now a favourite' : 'no favourite any more') : favourite ? 'a favourite already' : 'no favourite'}.`,
  )
}
