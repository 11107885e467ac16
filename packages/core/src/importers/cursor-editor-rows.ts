/**
 * The queries to Cursor's database: the table `cursorDiskKV`, whose values are JSON. Its keys are asked for by their range,
 * so that the index is used: such a database may have a hundred gigabytes, and logins in other rows, which are not read.
 */
import { CairnError } from '../errors.ts'
import { arrayOf, objectOf, parseJson, stringOf, type JsonObject } from '../json.ts'
import type { DatabaseRow, DatabaseSnapshot } from '../ports/database-file.ts'
import { optional } from './importer.ts'

/** Characters of a text, and of what a tool was given or gave, that are taken; messages hold whole files besides. */
const LONGEST_TEXT = 4 << 20
const LONGEST_TOOL_TEXT = 1 << 20

/** A session as its own row has it. */
export interface ComposerRow {
  readonly id: string
  readonly name: string | undefined
  /** The ids of its messages in order. */
  readonly messages: readonly string[]
  /** The messages themselves stand in the session's row, as in early versions. */
  readonly isWhole: boolean
  readonly isRunning: boolean
  readonly workspace: string | undefined
  readonly parent: string | undefined
  readonly model: string | undefined
  readonly mode: string | undefined
  readonly branch: string | undefined
  /** Last change, ms; 0 where it is not told. */
  readonly changedAt: number
}

/**
 * Does nothing for a database of Cursor's.
 * @throws CairnError `invalid-input`, which names the file, for any other database
 */
export const assertCursor = (database: DatabaseSnapshot, path: string): void => {
  const found = database.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'cursorDiskKV'")
  if (found.length === 0) throw new CairnError('invalid-input', `${path}: not a database of Cursor`)
}

/**
 * The sessions whose rows were written after a row id (0: all of them), in the order in which they were, with those row
 * ids.
 */
export const changedComposers = (
  database: DatabaseSnapshot,
  after: number,
): readonly { readonly id: string; readonly row: number }[] =>
  database
    .rows(
      "SELECT key, rowid AS row FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' AND rowid > ? ORDER BY rowid",
      [after],
    )
    .map(({ key, row }) => ({ id: String(key).slice('composerData:'.length), row: Number(row) }))

const COMPOSER = `SELECT
  json_extract(v, '$.name') AS name, json_extract(v, '$.status') AS status,
  json_extract(v, '$.unifiedMode') AS mode, json_extract(v, '$.modelConfig.modelName') AS model,
  json_extract(v, '$.lastUpdatedAt') AS changed, json_extract(v, '$.subagentInfo.parentComposerId') AS parent,
  json_extract(v, '$.workspaceIdentifier') AS workspace,
  json_extract(v, '$.trackedGitRepos[0].branches[0].branchName') AS branch,
  json_extract(v, '$.fullConversationHeadersOnly') AS headers,
  coalesce(json_array_length(v, '$.conversation'), 0) AS whole
  FROM (SELECT CAST(value AS TEXT) AS v FROM cursorDiskKV WHERE key = ?) WHERE json_valid(v)`

/**
 * A session; undefined for one that is gone or whose row is not valid JSON. `changedAt` is 0 where it is not told, ms.
 */
export const composerRow = (database: DatabaseSnapshot, id: string): ComposerRow | undefined => {
  const [row] = database.rows(COMPOSER, [`composerData:${id}`])
  if (row === undefined) return undefined
  const headers = arrayOf(parsed(row.headers)).flatMap((header) => stringOf(objectOf(header).bubbleId) ?? [])
  const isWhole = headers.length === 0 && Number(row.whole) > 0
  return {
    id,
    name: textOf(row.name),
    messages: isWhole ? Array.from({ length: Number(row.whole) }, (_, index) => String(index)) : headers,
    isWhole,
    isRunning: row.status === 'generating',
    workspace: folderOf(objectOf(parsed(row.workspace))),
    parent: textOf(row.parent),
    model: textOf(row.model),
    mode: textOf(row.mode),
    branch: textOf(row.branch),
    changedAt: typeof row.changed === 'number' ? row.changed : 0,
  }
}

/** The SQL for a text of the JSON `v`, of which at most so many characters are taken. */
const short = (value: string, longest: number): string => `substr(json_extract(v, '${value}'), 1, ${longest})`
const MESSAGE = `SELECT
  json_extract(v, '$.bubbleId') AS id, json_extract(v, '$.type') AS type, json_extract(v, '$.createdAt') AS at,
  ${short('$.text', LONGEST_TEXT)} AS text, ${short('$.thinking.text', LONGEST_TEXT)} AS thinking,
  json_extract(v, '$.toolFormerData.toolCallId') AS call, json_extract(v, '$.toolFormerData.name') AS name,
  json_extract(v, '$.toolFormerData.status') AS status,
  ${short('$.toolFormerData.rawArgs', LONGEST_TOOL_TEXT)} AS args,
  ${short('$.toolFormerData.params', LONGEST_TOOL_TEXT)} AS params,
  ${short('$.toolFormerData.result', LONGEST_TOOL_TEXT)} AS result
  FROM`
const OWN_MESSAGE = `${MESSAGE} (SELECT CAST(value AS TEXT) AS v FROM cursorDiskKV WHERE key = ?) WHERE json_valid(v)`
const WHOLE_MESSAGE = `${MESSAGE} (SELECT json_extract(CAST(value AS TEXT), '$.conversation[' || ? || ']') AS v FROM cursorDiskKV
  WHERE key = ?) WHERE json_valid(v)`

/**
 * A message as a record holds it, long texts cut; undefined for one that is not there or not valid JSON. `id` is the
 * message's own, or its index where the session's row holds the messages (`isWhole`).
 */
export const messageOf = (
  database: DatabaseSnapshot,
  { id: composer, isWhole }: Pick<ComposerRow, 'id' | 'isWhole'>,
  id: string,
): JsonObject | undefined => {
  const [row] = isWhole
    ? database.rows(WHOLE_MESSAGE, [id, `composerData:${composer}`])
    : database.rows(OWN_MESSAGE, [`bubbleId:${composer}:${id}`])
  return row === undefined ? undefined : messageRecord(row, isWhole ? (textOf(row.id) ?? `${composer}.${id}`) : id)
}

/**
 * Whether there is a row for a message at all: Cursor lists some that it has not kept. True where the session holds
 * its messages itself.
 */
export const isThere = (
  database: DatabaseSnapshot,
  { id: composer, isWhole }: Pick<ComposerRow, 'id' | 'isWhole'>,
  id: string,
): boolean =>
  isWhole ||
  database.rows('SELECT 1 AS one FROM cursorDiskKV WHERE key = ? AND value IS NOT NULL', [`bubbleId:${composer}:${id}`])
    .length > 0

/** The record of a message's row; the tool is absent where it called none. */
const messageRecord = (row: DatabaseRow, id: string): JsonObject => {
  const { type = null, at = null, text = null, thinking = null, name, call, status, args, params, result } = row
  const tool = textOf(name)
  return {
    id,
    type,
    at,
    text,
    thinking,
    ...(tool === undefined
      ? {}
      : {
          tool: {
            name: tool,
            ...optional('id', textOf(call)),
            ...optional('status', textOf(status)),
            ...optional('input', textOf(args) ?? textOf(params)),
            ...optional('result', textOf(result)),
          },
        }),
  }
}

/**
 * The path of a workspace as the editor names it; of one of several folders, the folder of the file that lists them.
 * Undefined if it names none.
 */
const folderOf = ({ uri, configPath }: JsonObject): string | undefined => {
  const { fsPath, path } = objectOf(uri ?? configPath)
  const found = stringOf(fsPath) ?? stringOf(path)
  return found?.replace(/[/\\][^/\\]+\.code-workspace$/, '')
}

const parsed = (value: DatabaseRow[string] | undefined) =>
  typeof value === 'string' ? (parseJson(value)?.value ?? null) : null

const textOf = (value: DatabaseRow[string] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
