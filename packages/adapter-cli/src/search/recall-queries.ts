/**
 * Reads the file of `recall --queries`: JSON Lines, a query each. A line that is no query becomes a problem; the others
 * are answered.
 */
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { CairnError, isJsonObject, parseTime, stringOf } from '@cairn/core'
import type { JsonObject, Role } from '@cairn/core'
import { definedValues } from '../options/defined-values.ts'
import { pathProblem } from '../path-problems.ts'

/** What a search returns: messages or sessions. */
export type RecallGrouping = 'message' | 'session'

/** The roles that messages can be filtered by. */
export const ROLES: readonly Role[] = ['user', 'assistant', 'system', 'tool']

/** A query from a file, with its own options; times in ms. */
export interface RecallQuery {
  readonly id: string | number | null
  readonly query: string
  readonly by?: RecallGrouping
  readonly workspace?: string
  readonly branch?: string
  readonly onlyBranch?: string
  readonly agent?: string
  readonly role?: Role
  readonly author?: string
  readonly file?: string
  readonly since?: number
  readonly until?: number
}

/** A line of a file of queries: a query, or what is wrong with it. */
export type QueryLine =
  | { readonly ok: true; readonly line: number; readonly query: RecallQuery }
  | { readonly ok: false; readonly line: number; readonly id: string | number | null; readonly problem: string }

/**
 * A time in ms from a number, which is taken as it is, or a text; undefined for anything else.
 * @throws CairnError `usage` for a text that is not a time
 */
const timeOf = (value: unknown, edge: 'since' | 'until', timeZone: string, now: number): number | undefined => {
  if (typeof value === 'number') return value
  const text = stringOf(value)
  return text === undefined ? undefined : parseTime(text, timeZone, edge, now)
}

/** The id of a query; null if it is neither text nor number. */
const idOf = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null

/** Whether a value is the name of a role. */
const isRole = (value: unknown): value is Role => ROLES.some((role) => role === value)

/**
 * The value of `by`; undefined if it is not given.
 * @throws CairnError `invalid-input` for an unknown one
 */
const groupingOf = (value: unknown): RecallGrouping | undefined => {
  if (value === undefined || value === null) return undefined
  if (value !== 'message' && value !== 'session')
    throw new CairnError('invalid-input', '"by" must be "message" or "session"')
  return value
}

/**
 * The value of `role`; undefined if it is not given.
 * @throws CairnError `invalid-input` for an unknown one
 */
const roleOf = (value: unknown): Role | undefined => {
  if (value === undefined || value === null) return undefined
  if (!isRole(value)) throw new CairnError('invalid-input', `"role" must be one of ${ROLES.join(', ')}`)
  return value
}

/**
 * Does nothing if conditions can be combined.
 * @throws CairnError `invalid-input` if they exclude each other
 */
const checkConditions = ({ by, role, author, branch, onlyBranch }: Partial<RecallQuery>): void => {
  for (const [name, value] of Object.entries({ role, author }))
    if (value !== undefined && by === 'session')
      throw new CairnError('invalid-input', `"${name}" goes with messages, not with "by": "session"`)
  if (branch !== undefined && onlyBranch !== undefined)
    throw new CairnError('invalid-input', 'it has both "branch" and "onlyBranch"; give one of them')
}

/**
 * Returns the query in a parsed line; what it leaves out is undefined.
 * @throws CairnError with what is wrong with it: `usage` for a time, otherwise `invalid-input`
 */
const queryOf = (value: JsonObject, timeZone: string, now: number): RecallQuery => {
  const query = stringOf(value['query'])
  if (query === undefined) throw new CairnError('invalid-input', 'it has no "query"')
  const filters = definedValues({
    by: groupingOf(value['by']),
    role: roleOf(value['role']),
    author: stringOf(value['author']),
    file: stringOf(value['file']),
    workspace: stringOf(value['workspace']),
    branch: stringOf(value['branch']),
    onlyBranch: stringOf(value['onlyBranch']),
    agent: stringOf(value['agent']),
  })
  checkConditions(filters)
  return {
    id: idOf(value['id']),
    query,
    ...filters,
    ...definedValues({
      since: timeOf(value['since'], 'since', timeZone, now),
      until: timeOf(value['until'], 'until', timeZone, now),
    }),
  }
}

/** Returns the query in a line, or what is wrong with it, with its id if that could be read. Never throws. */
const parseLine = (text: string, line: number, timeZone: string, now: number): QueryLine => {
  let id: string | number | null = null
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return { ok: false, line, id, problem: 'it is not a JSON object' }
    id = idOf(value['id'])
    return { ok: true, line, query: queryOf(value, timeZone, now) }
  } catch (error) {
    return { ok: false, line, id, problem: CairnError.is(error) ? error.message : 'it is not valid JSON' }
  }
}

/** The lines of standard input. */
const standardInputLines = (): AsyncIterable<string> =>
  createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })

/** Opens a file, which the caller closes. Rejects with `usage` if it can't be read or is a folder. */
const opened = async (path: string): Promise<FileHandle> => {
  try {
    const file = await open(path)
    if (!(await file.stat()).isDirectory()) return file
    await file.close()
  } catch (cause) {
    throw new CairnError('usage', `The queries in ${path} can't be read: ${pathProblem(cause)}.`, { cause })
  }
  throw new CairnError('usage', `The queries in ${path} can't be read: that is a folder; name a file of JSON Lines.`)
}

/**
 * Yields the queries in a file, or in standard input for `-`, in order; blank lines are skipped. A line that is not a
 * query is yielded with its problem. Rejects with `usage` if the file can't be read.
 */
export async function* readQueries(path: string, timeZone: string, now: number): AsyncGenerator<QueryLine> {
  const lines = path === '-' ? standardInputLines() : (await opened(path)).readLines()
  let number = 0
  for await (const text of lines) {
    number++
    if (text.trim() !== '') yield parseLine(text, number, timeZone, now)
  }
}
