/** The session that a context command is about, and short names for its messages. */
import { CairnError } from '@cairn/core'
import type { ContextMessage, Engine, SessionSummary } from '@cairn/core'
import { programName, storeOption } from '../options/called-as.ts'
import { closeMatches } from '../options/close-matches.ts'
import type { CommonOptions, Context } from '../command.ts'
import { shownIds } from '../output/session-ids.ts'
import { shellCommand, shellOption } from '../output/shell-word.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { sessionNamed } from './session-named.ts'

const ACTIONS = ['show', 'count', 'send', 'pin', 'drop', 'restore', 'mentions', 'rules', 'focus', 'docs'] as const

/**
 * Returns the session that was named (by its id or the beginning of it), otherwise the current one of `--workspace` or
 * of the folder's project. Rejects with `not-found` if there is none, `ambiguous` for several, and `usage` if the word
 * is empty or looks like a misspelt action.
 */
export const contextSession = async (
  named: string | undefined,
  engine: Engine,
  options: CommonOptions,
  context: Context,
): Promise<SessionSummary> => {
  try {
    return await sessionNamed(named, engine, options, context)
  } catch (error) {
    const [meant] = named === undefined ? [] : closeMatches(named, ACTIONS)
    if (named === undefined || meant === undefined || !CairnError.is(error) || error.code !== 'not-found') throw error
    throw new CairnError(
      'usage',
      `'${neutraliseLine(named)}' is no session and nothing to do. Did you mean 'cairn context ${meant}'? See: cairn context --help`,
    )
  }
}

/** Returns a `cairn context` command, ready to paste, for the same session in the same store. */
export type CommandText = (action: (typeof ACTIONS)[number], message: string) => string

/**
 * Returns a function that writes commands for a session as text to paste, without the id if the command would choose
 * that session by default.
 */
export const commandText = async (
  session: SessionSummary,
  named: string | undefined,
  options: CommonOptions,
  engine: Engine,
  { surroundings }: Context,
): Promise<CommandText> => {
  // Without a name, commands mean this session.
  const isMeant = named === undefined && options.workspace === undefined
  const shown = isMeant
    ? ''
    : shellOption('--session', (await shownIds([session], engine.store.sessions)).get(session.id) ?? session.id)
  return (action, message) =>
    shellCommand(
      `${programName(surroundings)} context ${action}`,
      message,
      `${shown}${storeOption(options, surroundings)}`,
    )
}

/** Least characters of a short id. */
const SHORTEST = 8

/**
 * Returns, for each id, the shortest beginning, of at least 8 characters, that differs from all other ids; the whole id
 * if another one starts with it.
 */
export const shortIds = (ids: readonly string[]): ReadonlyMap<string, string> => {
  const ordered = [...new Set(ids)].sort()
  return new Map(
    ordered.map((id, index) => {
      const needed =
        1 +
        Math.max(sharedLength(id, ordered[index - 1] ?? ''), sharedLength(id, ordered[index + 1] ?? ''), SHORTEST - 1)
      const short = id.slice(0, needed)
      return [id, short.isWellFormed() ? short : id]
    }),
  )
}

/** Returns how many characters two texts have in common at their beginning. */
const sharedLength = (left: string, right: string): number => {
  let length = 0
  while (length < left.length && left[length] === right[length]) length += 1
  return length
}

/** Returns, by id, a short beginning of each message's id that no other message has. */
export const namesOf = (messages: readonly ContextMessage[]): ReadonlyMap<string, string> =>
  shortIds(messages.map(({ id }) => id))
