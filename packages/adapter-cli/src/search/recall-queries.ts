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

export type RecallGrouping = 'message' | 'session'

export const ROLES: readonly Role[] = ['user', 'assistant', 'system', 'tool']

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

export type QueryLine =
  | { readonly ok: true; readonly line: number; readonly query: RecallQuery }
  | { readonly ok: false; readonly line: number; readonly id: string | number | null; readonly problem: string }

/**
 * A time in ms from a number or a text; undefined for anything else. Throws `invalid-input` for a text that is no time.
 */
const timeOf = (value: unknown, edge: 'since' | 'until', timeZone: string, now: number): number | undefined => {
  if (typeof value === 'number') return value
  const text = stringOf(value)
  return text === undefined ? undefined : parseTime(text, timeZone, edge, now)
}

/** The id of a query; null where it is neither text nor number. */
const idOf = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null

/** Whether a value is the name of a role. */
const isRole = (value: unknown): value is Role => ROLES.some((role) => role === value)

/** The value of `by`; undefined where it is not given. Throws `invalid-input` for an unknown one. */
const groupingOf = (value: unknown): RecallGrouping | undefined => {
  if (value === undefined || value === null) return undefined
  if (value !== 'message' && value !== 'session')
    throw new CairnError('invalid-input', '"by" must be "message" or "session"')
  return value
}

/** The value of `role`; undefined where it is not given. Throws `invalid-input` for an unknown one. */
const roleOf = (value: unknown): Role | undefined => {
  if (value === undefined || value === null) return undefined
  if (!isRole(value)) throw new CairnError('invalid-input', `"role" must be one of ${ROLES.join(', ')}`)
  return value
}

/** Throws `invalid-input` for conditions that exclude each other. */
const checkConditions = ({ by, role, author, branch, onlyBranch }: Partial<RecallQuery>): void => {
  for (const [name, value] of Object.entries({ role, author }))
    if (value !== undefined && by === 'session')
      throw new CairnError('invalid-input', `"${name}" goes with messages, not with "by": "session"`)
  if (branch !== undefined && onlyBranch !== undefined)
    throw new CairnError('invalid-input', 'it has both "branch" and "onlyBranch"; give one of them')
}

/** The query of a parsed line. Throws `invalid-input` with what is wrong with it. */
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

/** The query of a line, or what is wrong with it. */
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

/** Standard input by lines. */
const standardInputLines = (): AsyncIterable<string> =>
  createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })

/** Opens the file. Rejects with `usage` when it can't be read or is a folder. */
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
 * The queries of a file in order, each with its own options, for `-` of standard input; empty lines are skipped.
 * Rejects with `usage` when the file can't be read, and at a line that is no query.
 */
export async function* readQueries(path: string, timeZone: string, now: number): AsyncGenerator<QueryLine> {
  const lines = path === '-' ? standardInputLines() : (await opened(path)).readLines()
  let number = 0
  for await (const text of lines) {
    number++
    if (text.trim() !== '') yield parseLine(text, number, timeZone, now)
  }
}
