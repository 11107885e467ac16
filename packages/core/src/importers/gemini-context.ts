/**
 * What lies around a chat of Gemini CLI: `projects.json` names the folder of each project, `.project_root` that of the
 * chat's own. Of a chat that is one document, as older versions wrote it, also the fields beside its messages.
 */
import { objectOf, parseJsonObject, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { FileSystem } from '../ports/file-system.ts'
import { optional } from './importer.ts'
import { unpackingOf } from './import-cursor.ts'
import { fieldsBeside } from './json-elements.ts'

/** The field of a document that holds its messages. */
export const MESSAGES = 'messages'

/** Names by which a chat's file lies in its project's folder, as `<project>/chats/<file>` or `<project>/chats/<session>/<file>`. */
const IN_CHATS = /^(.*?)([^/\\]+)[/\\]chats[/\\](?:[^/\\]+[/\\])?[^/\\]+$/

/**
 * Reads what lies beside a chat's file: the folder of its project, and in a document its header. What is missing or
 * damaged is left out. Never rejects.
 * @returns JSON for {@link parseChatContext}
 */
export const readChatContext = async (
  path: string,
  isDocument: boolean,
  fileSystem: Pick<FileSystem, 'read' | 'readText'>,
): Promise<JsonValue> => {
  const [, parent = '', name = ''] = IN_CHATS.exec(path) ?? []
  const projects = parent === '' ? {} : await readProjects(parent, fileSystem)
  const named = Object.keys(projects).find((folder) => projects[folder] === name)
  const marked = parent === '' ? undefined : await textAt(`${parent}${name}/.project_root`, fileSystem)
  return {
    folders: Object.keys(projects),
    ...optional('folder', named ?? stringOf(marked?.trim())),
    ...(isDocument ? { header: await readHeader(path, fileSystem) } : {}),
  }
}

/** What {@link readChatContext} found. */
export interface ChatContext {
  /** All folders of projects that are known, absolute. */
  readonly folders: readonly string[]
  /** That of the chat's project, absolute. */
  readonly folder?: string
  /** The fields of a document beside its messages. */
  readonly header?: JsonObject
}

/** Takes the context back from JSON. Never throws: what is of another form is left out. */
export const parseChatContext = (value: JsonValue | undefined): ChatContext => {
  const { folders, folder, header } = objectOf(value)
  return {
    folders: Array.isArray(folders) ? folders.filter((each: JsonValue) => typeof each === 'string') : [],
    ...optional('folder', stringOf(folder)),
    ...(header === undefined ? {} : { header: objectOf(header) }),
  }
}

/**
 * The names of projects by their folders, from the `projects.json` above `parent`, Gemini's folder `tmp/` with a slash
 * at its end. Empty if there is no such file, or it is damaged.
 */
const readProjects = async (parent: string, fileSystem: Pick<FileSystem, 'readText'>): Promise<JsonObject> => {
  const text = await textAt(`${parent.replace(/[^/\\]+[/\\]$/, '')}projects.json`, fileSystem)
  return objectOf(parseJsonObject(text ?? '').projects)
}

/** The fields of a session beside its messages; none if the file can't be read. */
const readHeader = async (path: string, fileSystem: Pick<FileSystem, 'read'>): Promise<JsonObject> => {
  try {
    return await fieldsBeside(fileSystem.read(path, 0, unpackingOf(path)), MESSAGES)
  } catch {
    // What is wrong with the file is told when its messages are read.
    return {}
  }
}

/** The text of a file; undefined if it can't be read. */
const textAt = async (path: string, fileSystem: Pick<FileSystem, 'readText'>): Promise<string | undefined> => {
  try {
    return await fileSystem.readText(path)
  } catch {
    return undefined
  }
}
