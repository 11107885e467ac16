/**
 * Cursor: one SQLite database for all sessions of a user, `User/globalStorage/state.vscdb`. Its texts are taken; of tokens
 * it tells nothing that holds (version 3 writes 0), of caching and costs nothing at all, so there are no requests.
 */
import { stringOf } from '../json.ts'
import { cursorRecords } from './cursor-editor-database.ts'
import { CURSOR, cursorParser } from './cursor-editor-messages.ts'
import type { ImportEnvironment, Importer } from './importer.ts'
import { databaseFacts } from './opencode-database.ts'

const DATABASE = /[/\\]Cursor[/\\]User[/\\]globalStorage[/\\]state\.vscdb$/
const ANY_DATABASE = /\.vscdb$/
const LOG = /^(.*\.vscdb)-wal$/
const SIDECARS =
  /[/\\]Cursor[/\\]User[/\\].*(?:state\.vscdb(?:\.backup)?|workspace\.json)$|\.vscdb-(?:wal|shm|journal)$/

/** The folder of Cursor's settings and data on this platform; it need not exist. */
const userFolder = ({ home, platform, variables }: ImportEnvironment): string => {
  if (platform === 'win32') return `${stringOf(variables.APPDATA) ?? `${home}/AppData/Roaming`}/Cursor/User`
  if (platform === 'darwin') return `${home}/Library/Application Support/Cursor/User`
  return `${stringOf(variables.XDG_CONFIG_HOME) ?? `${home}/.config`}/Cursor/User`
}

/** The importer of Cursor's sessions. */
export const cursorImporter: Importer = {
  agent: CURSOR,
  workspaces: 'folder',
  transcriptFolders: (environment) => {
    const database = `${userFolder(environment)}/globalStorage/state.vscdb`
    return [database, `${database}-wal`]
  },
  recognise: (path, isAgentGiven = false) => {
    if (DATABASE.test(path) || (isAgentGiven && ANY_DATABASE.test(path))) return 'transcript'
    return SIDECARS.test(path) ? 'sidecar' : 'unknown'
  },
  // A database has no lines.
  sniff: () => false,
  format: () => 'records',
  facts: databaseFacts,
  transcriptOf: (path) => LOG.exec(path)?.[1],
  records: cursorRecords,
  parser: () => cursorParser,
}
