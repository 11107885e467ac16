/** What a session file of Continue has beside its history, and what the list of sessions beside it adds: when it began. */
import { arrayOf, objectOf, parseJson, stringOf, type JsonValue } from '../json.ts'
import type { FileSystem } from '../ports/file-system.ts'
import { unpackingOf } from './import-cursor.ts'
import { baseName, optional } from './importer.ts'
import { fieldsBeside } from './json-elements.ts'
import { parseTime } from './line-values.ts'

/** The field of a session file that holds its messages. */
export const HISTORY = 'history'

/** Titles that Continue gives before it knows a better one. */
const NO_TITLES: ReadonlySet<string> = new Set(['Untitled Session', 'New Session'])

export interface FieldsBeside {
  readonly session?: string
  readonly title?: string
  /** The working folder, absolute. */
  readonly folder?: string
  /** The editor's mode: chat, agent, plan. */
  readonly mode?: string
  /** When its first message was saved, ms. */
  readonly startedAt?: number
}

/**
 * Reads what a session's file has besides its history: id, title, folder, mode; and when it began, by the list of
 * sessions beside it. What is missing is left out; of a damaged file all is. Never rejects. A session without an id has
 * the file's name.
 * @returns JSON for {@link parseFieldsBeside}
 */
export const readSessionContext = async (
  path: string,
  fileSystem: Pick<FileSystem, 'read' | 'readText'>,
): Promise<JsonValue> => {
  try {
    const { sessionId, title, workspaceDirectory, mode } = await fieldsBeside(
      fileSystem.read(path, 0, unpackingOf(path)),
      HISTORY,
    )
    const session = stringOf(sessionId) ?? baseName(path)
    return {
      session,
      title,
      workspaceDirectory,
      mode,
      startedAt: await startOf(session, path.replace(/[^/\\]+$/, 'sessions.json'), fileSystem),
    }
  } catch {
    // What is wrong with the file is told when its history is read.
    return {}
  }
}

/**
 * What `readSessionContext` gave, checked: default titles left out, the folder as a path. Never throws. Absent where
 * nothing is told.
 */
export const parseFieldsBeside = (value: JsonValue | undefined): FieldsBeside => {
  const { session, title, workspaceDirectory, mode, startedAt } = objectOf(value)
  const given = stringOf(title)
  const folder = stringOf(workspaceDirectory)
  return {
    ...optional('session', stringOf(session)),
    ...optional('title', given === undefined || NO_TITLES.has(given) ? undefined : given),
    ...optional('folder', folder === undefined ? undefined : pathOf(folder)),
    ...optional('mode', stringOf(mode)),
    ...optional('startedAt', typeof startedAt === 'number' ? startedAt : undefined),
  }
}

/**
 * The path of a folder: of an address (`file:///c%3A/work`, as the editor names folders) decoded, any other text as it
 * is. A drive's path has no `/` before it.
 */
export const pathOf = (folder: string): string => {
  const encoded = /^file:\/\/(\/.*)$/.exec(folder)?.[1]
  if (encoded === undefined) return folder
  let path = encoded
  try {
    path = decodeURIComponent(encoded)
  } catch {
    // An address that is not well encoded is taken as it stands.
  }
  return path.replace(/^\/([A-Za-z]:)/, '$1')
}

/**
 * When a session began, by the list of sessions; undefined where that does not tell. In ms; a damaged or missing list
 * tells nothing.
 */
const startOf = async (
  session: string,
  list: string,
  fileSystem: Pick<FileSystem, 'readText'>,
): Promise<number | undefined> => {
  try {
    const text = await fileSystem.readText(list)
    const found = arrayOf(parseJson(text ?? '')?.value).find((item) => objectOf(item).sessionId === session)
    const { dateCreated } = objectOf(found)
    return (
      parseTime(typeof dateCreated === 'string' && /^\d+$/.test(dateCreated) ? Number(dateCreated) : dateCreated) ??
      undefined
    )
  } catch {
    return undefined
  }
}
