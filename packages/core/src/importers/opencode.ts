/**
 * OpenCode: a database from 1.2 on (`opencode.db`), before that a file for each session, message and part; and the files
 * that `opencode export` writes. A message has the same id in all of them, so that it is taken in once.
 */
import { stringOf, type JsonObject } from '../json.ts'
import {
  optional,
  type ImportEnvironment,
  type Importer,
  type Recognition,
  type RecordBatch,
  type RecordRequest,
} from './importer.ts'
import { databaseFacts, databaseRecords } from './opencode-database.ts'
import { exportedSession, isExport, isExportText } from './opencode-export.ts'
import { OPENCODE, messageParser } from './opencode-messages.ts'
import { SESSION_FILE, storedSessionFacts, storedSessionRecords } from './opencode-storage.ts'

/** Versions that are not released yet keep a database of their own, such as `opencode-dev.db`. */
const DATABASE = /(?:^|[/\\])opencode[^/\\]*\.db$/
const ANY_DATABASE = /\.(?:db|sqlite3?)$/
const BESIDE_DATABASE = /^(.*\.(?:db|sqlite3?))-(?:wal|shm|journal)$/
const LOG = /^(.*\.(?:db|sqlite3?))-wal$/
const SIDECARS =
  /[/\\]storage[/\\](?:message|part|project|session_diff|session_share|share|todo|permission)[/\\][^/\\]+(?:[/\\][^/\\]+)?\.json$|[/\\]storage[/\\]migration$/

const isDatabase = (path: string): boolean => ANY_DATABASE.test(path)
const isStored = (path: string): boolean => SESSION_FILE.test(path)

const dataFolder = ({ home, variables }: ImportEnvironment): string =>
  `${stringOf(variables.XDG_DATA_HOME) ?? `${home}/.local/share`}/opencode`

/** The database, also where a variable names another one: absolute, or in the data folder. */
const databasePath = (environment: ImportEnvironment): string => {
  const named = stringOf(environment.variables.OPENCODE_DB)
  const folder = dataFolder(environment)
  if (named === undefined || named === ':memory:') return `${folder}/opencode.db`
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(named) ? named : `${folder}/${named}`
}

/**
 * What a file of this path is to OpenCode, by its name alone. `isAgentGiven`: the user said that it is OpenCode's; then
 * any database counts.
 */
const recognise = (path: string, isAgentGiven = false): Recognition => {
  if (isStored(path) || DATABASE.test(path) || (isAgentGiven && isDatabase(path))) return 'transcript'
  return SIDECARS.test(path) || BESIDE_DATABASE.test(path) ? 'sidecar' : 'unknown'
}

const records = (request: RecordRequest): AsyncIterable<RecordBatch> =>
  isStored(request.path) ? storedSessionRecords(request) : databaseRecords(request)

/** What an export's messages don't repeat of their session. */
const exportContext = ({ id, title, directory, parentID }: JsonObject): JsonObject => ({
  ...optional('id', stringOf(id)),
  ...optional('title', stringOf(title)),
  ...optional('directory', stringOf(directory)),
  ...optional('parentID', stringOf(parentID)),
})

/** Imports OpenCode's sessions. */
export const openCodeImporter: Importer = {
  agent: OPENCODE,
  workspaces: 'folder',
  transcriptFolders: (environment) => {
    const database = databasePath(environment)
    return [database, `${database}-wal`, `${dataFolder(environment)}/storage/session`]
  },
  recognise,
  sniff: isExport,
  sniffDocument: isExportText,
  format: (path) => (isStored(path) || isDatabase(path) ? 'records' : 'elements'),
  arrayField: 'messages',
  facts: (facts, fileSystem) =>
    isStored(facts.path)
      ? storedSessionFacts(facts, fileSystem)
      : isDatabase(facts.path)
        ? databaseFacts(facts, fileSystem)
        : Promise.resolve(facts),
  transcriptOf: (path) => LOG.exec(path)?.[1],
  records,
  context: async (path, fileSystem) =>
    isStored(path) || isDatabase(path) ? {} : exportContext((await exportedSession(path, fileSystem)) ?? {}),
  parser: messageParser,
}
