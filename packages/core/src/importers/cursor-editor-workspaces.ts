/** Which folder each session of Cursor worked in: versions before 3 keep that in a database for each folder. */
import { arrayOf, objectOf, parseJsonObject, stringOf } from '../json.ts'
import type { RecordFileSystem } from './importer.ts'

const GLOBAL = /[/\\]globalStorage[/\\][^/\\]+$/
const LISTED = "SELECT CAST(value AS TEXT) AS value FROM ItemTable WHERE key = 'composer.composerData'"

/**
 * Folders by session; none of a folder whose database can't be read. An empty map for a database that is not in the
 * editor's global folder. Never rejects.
 */
export const findWorkspaces = async (
  database: string,
  fileSystem: RecordFileSystem,
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  if (!GLOBAL.test(database)) return found
  const storages = await fileSystem.list(database.replace(GLOBAL, '/workspaceStorage')).catch(() => [])
  for (const { path, kind } of storages) {
    if (kind !== 'directory') continue
    try {
      const folder = folderOfUri(
        stringOf(parseJsonObject((await fileSystem.readText(`${path}/workspace.json`)) ?? '').folder),
      )
      if (folder === undefined) continue
      for (const id of await sessionsIn(`${path}/state.vscdb`, fileSystem)) found.set(id, folder)
    } catch {
      // Its sessions are taken in all the same, without their folder.
    }
  }
  return found
}

/** The sessions that a folder's database lists; none where there is none. */
const sessionsIn = async (path: string, fileSystem: RecordFileSystem): Promise<readonly string[]> => {
  if ((await fileSystem.stat(path))?.kind !== 'file') return []
  return fileSystem.readDatabase(path, (database) => {
    const [row] = database.rows(LISTED)
    const { allComposers } = parseJsonObject(typeof row?.value === 'string' ? row.value : '')
    return arrayOf(allComposers).flatMap((composer) => stringOf(objectOf(composer).composerId) ?? [])
  })
}

/**
 * The path of a `file:` URI; a folder on another machine has none. Undefined for it and for any other address. A path
 * of Windows has backslashes. Throws a URIError for one that is badly encoded.
 */
const folderOfUri = (uri: string | undefined): string | undefined => {
  const path = /^file:\/\/(\/.*)$/.exec(uri ?? '')?.[1]
  if (path === undefined) return undefined
  const decoded = decodeURIComponent(path)
  return /^\/[A-Za-z]:/.test(decoded) ? decoded.slice(1).replaceAll('/', '\\') : decoded
}
