/** `cairn hook incognito`: a person, or a program that runs an agent, marks a session. */
import { CairnError, messageOf } from '@cairn/core'
import { isUuid } from '@cairn/core/hooks'
import { dataFolder } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'
import { openHookStore } from './hook-store.ts'
import type { HookStore } from './hook-store.ts'
import { readHookSettings } from './hook-settings.ts'
import { markIncognito } from './incognito-file.ts'

/** The arguments of `cairn hook incognito`. */
interface IncognitoCall {
  readonly agent: string
  readonly session: string | undefined
  readonly json: boolean
}

/**
 * Marks a session incognito permanently, by the agent's id or its beginning, and returns the text to print. Rejects
 * with one sentence if no session is named, the beginning fits none or several, or the mark can't be written.
 */
export const markBySession = async (
  { agent, session, json }: IncognitoCall,
  surroundings: Surroundings,
): Promise<string> => {
  const given = session?.trim() ?? ''
  if (given === '')
    throw new CairnError(
      'usage',
      "Which session? Name the agent's own id: cairn hook incognito --session <id> --agent <name>",
    )
  // As the store names it, which has the agent's name before.
  const named = given.startsWith(`${agent}:`) ? given.slice(agent.length + 1) : given
  // First of all, as the store may not answer in time; what is only the beginning of an id is looked up before.
  const isBeginning = WITH_UUIDS.includes(agent) && !isUuid(named)
  if (!isBeginning) mark(agent, named, surroundings)
  const stored = await storedIds(agent, named, surroundings)
  const id = wholeId(agent, named, stored)
  if (isBeginning || id !== named) mark(agent, id, surroundings)
  const isStored = stored.includes(id)
  if (json) return `${JSON.stringify({ agent, session: id, marked: true, stored: isStored })}\n`
  const rest = isStored
    ? ` What was taken in of it before is still in the store; cairn session delete ${agent}:${id} removes it.`
    : ''
  return `Nothing of ${agent}:${id} is taken in from now on.${rest}\n`
}

/**
 * Marks the session with the agent's own id `session` as incognito, for good.
 * @throws CairnError `invalid-input` if that can't be written
 */
const mark = (agent: string, session: string, surroundings: Surroundings): void => {
  try {
    markIncognito(surroundings, { agent, session })
  } catch (error) {
    throw new CairnError(
      'invalid-input',
      `The session could not be marked in ${dataFolder(surroundings)}: ${messageOf(error)}. It is taken in as before.`,
      { cause: error },
    )
  }
}

/** Agents whose ids are always UUIDs, so that a part of one would mark nothing without anybody noticing. */
const WITH_UUIDS: readonly string[] = ['claude-code', 'codex']

/**
 * The complete id, of which a person may have given the beginning; `stored`: the ids in the store that begin with it. A
 * UUID is taken as it is, in lower case, and so is, unchanged, an unknown id of an agent whose ids are no UUIDs.
 * @throws CairnError `ambiguous` if several sessions match, `not-found` if it can't be determined
 */
const wholeId = (agent: string, named: string, stored: readonly string[]): string => {
  if (stored.includes(named)) return named
  if (isUuid(named)) return named.toLowerCase()
  const [only, ...others] = stored
  if (others.length > 0)
    throw new CairnError(
      'ambiguous',
      `Several sessions of ${agent} begin with '${named}', such as ${stored.slice(0, 2).join(' and ')}; nothing was marked. Name the whole id.`,
    )
  if (only !== undefined) return only
  if (WITH_UUIDS.includes(agent))
    throw new CairnError(
      'not-found',
      `'${named}' is no whole id of ${agent}, and no session in the store begins with it; nothing was marked. Name the whole id, which is also the name of its transcript.`,
    )
  return named
}

/**
 * Returns the agent's own ids of the sessions in the store that match an id or its beginning; empty if the store can't
 * be read.
 */
const storedIds = async (agent: string, named: string, surroundings: Surroundings): Promise<readonly string[]> => {
  const { store } = readHookSettings(surroundings, undefined)
  try {
    const opened = await openHookStore(store)
    try {
      return opened === undefined ? [] : await idsOf(opened, agent, named)
    } finally {
      await opened?.close()
    }
  } catch {
    return []
  }
}

/**
 * Returns the agent's own ids of the sessions whose id begins with `named`, at most three; the one alone that has
 * exactly this id.
 */
const idsOf = async ({ sessions }: HookStore, agent: string, named: string): Promise<readonly string[]> => {
  const wanted = isUuid(named) ? named.toLowerCase() : named
  const exact = await sessions.get(`${agent}:${wanted}`)
  const found = exact === undefined ? await sessions.resolve(`${agent}:${wanted}`, 3) : [exact]
  return found.map(({ externalId }) => externalId)
}
