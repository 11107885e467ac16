/** The record of incognito sessions on this machine's disk: read whole, added to a line at a time. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { INCOGNITO_FILE, incognitoLine, parseIncognito } from '@cairn/core/hooks'
import type { IncognitoRecord, IncognitoSession } from '@cairn/core/hooks'
import { appendText, codeOf, dataFolder } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'

const recordPath = (surroundings: Surroundings): string => join(dataFolder(surroundings), INCOGNITO_FILE)

/**
 * The sessions that are marked incognito; none where there is no record.
 * @throws what the system says of a record that is there and can't be read: whether a session is marked is not known
 * then
 */
export const readIncognitoFile = (surroundings: Surroundings): IncognitoRecord => {
  try {
    return parseIncognito(readFileSync(recordPath(surroundings), 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return parseIncognito('')
    throw error
  }
}

/** Marks a session for ever, on disk when it returns. @throws what the system says where it can't be written */
export const markIncognito = (surroundings: Surroundings, session: IncognitoSession, now = Date.now()): void => {
  if (readIncognitoFile(surroundings).has(session.agent, session.session)) return
  appendText(recordPath(surroundings), incognitoLine(session, now))
}
