/** `cairn hook incognito`: a person, or a program that runs an agent, marks a session. */
import { CairnError, messageOf } from '@cairn/core'
import { dataFolder } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'
import { openHookStore } from './hook-store.ts'
import { readHookSettings } from './hook-settings.ts'
import { markIncognito } from './incognito-file.ts'

interface IncognitoCall {
  readonly agent: string
  readonly session: string | undefined
  readonly json: boolean
}

/** Rejects with one sentence where no session is named, or the record can't be written. */
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
  const id = given.startsWith(`${agent}:`) ? given.slice(agent.length + 1) : given
  try {
    markIncognito(surroundings, { agent, session: id })
  } catch (error) {
    throw new CairnError(
      'invalid-input',
      `The session could not be marked in ${dataFolder(surroundings)}: ${messageOf(error)}. It is taken in as before.`,
      { cause: error },
    )
  }
  const stored = `${agent}:${id}`
  const isStored = await holds(stored, surroundings)
  if (json) return `${JSON.stringify({ agent, session: id, marked: true, stored: isStored })}\n`
  const rest = isStored
    ? ` What was taken in of it before is still in the store; cairn session delete ${stored} removes it.`
    : ''
  return `Nothing of ${stored} is taken in from now on.${rest}\n`
}

/** Whether the store has something of a session; false where it can't be asked. */
const holds = async (sessionId: string, surroundings: Surroundings): Promise<boolean> => {
  const { store } = readHookSettings(surroundings, undefined)
  try {
    const opened = await openHookStore(store)
    try {
      return (await opened?.sessions.get(sessionId)) !== undefined
    } finally {
      await opened?.close()
    }
  } catch {
    return false
  }
}
