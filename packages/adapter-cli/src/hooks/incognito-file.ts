/** The record of incognito sessions on disk: read completely, appended line by line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { INCOGNITO_FILE, incognitoLine, parseIncognito } from '@cairn/core/hooks'
import type { IncognitoRecord, IncognitoSession } from '@cairn/core/hooks'
import { appendText, codeOf, dataFolder } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'

const recordPath = (surroundings: Surroundings): string => join(dataFolder(surroundings), INCOGNITO_FILE)

/**
 * The sessions marked incognito; empty without a record.
 * @throws the system's error for an unreadable record, because it is unknown then whether a session is marked
 */
export const readIncognitoFile = (surroundings: Surroundings): IncognitoRecord => {
  try {
    return parseIncognito(readFileSync(recordPath(surroundings), 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return parseIncognito('')
    throw error
  }
}

/** Marks a session permanently; on disk when it returns. @throws the system's error if it can't be written */
export const markIncognito = (surroundings: Surroundings, session: IncognitoSession, now = Date.now()): void => {
  if (readIncognitoFile(surroundings).has(session.agent, session.session)) return
  appendText(recordPath(surroundings), incognitoLine(session, now))
}
