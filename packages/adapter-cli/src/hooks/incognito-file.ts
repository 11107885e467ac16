/** The record of incognito sessions on disk: read completely, appended line by line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { INCOGNITO_FILE, incognitoLine, parseIncognito } from '@cairn/core/hooks'
import type { IncognitoRecord, IncognitoSession } from '@cairn/core/hooks'
import { appendText, codeOf, dataFolder } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'

/** The file that lists incognito sessions. */
const recordPath = (surroundings: Surroundings): string => join(dataFolder(surroundings), INCOGNITO_FILE)

/**
 * Returns the sessions marked incognito; none without a file.
 * @throws the system's error if it can't be read, because then it is unknown whether a session is marked
 */
export const readIncognitoFile = (surroundings: Surroundings): IncognitoRecord => {
  try {
    return parseIncognito(readFileSync(recordPath(surroundings), 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return parseIncognito('')
    throw error
  }
}

/**
 * Marks a session as incognito permanently; the mark is on disk when it returns. Does nothing if it is marked already.
 * @throws the system's error if it can't be written
 */
export const markIncognito = (surroundings: Surroundings, session: IncognitoSession, now = Date.now()): void => {
  if (readIncognitoFile(surroundings).has(session.agent, session.session)) return
  appendText(recordPath(surroundings), incognitoLine(session, now))
}
