/** A session's files as its page and its export show them: what the context holds, and what was done with each, in one row. */
import type { FileActivity, FileInContext, FileState, SessionFiles } from '@cairn/core'
import { sortedRows } from '../../components/sorting.ts'
import type { Order, SortValue } from '../../components/sorting.ts'
import type { LastUses } from './files-log.ts'
import type { FileSort, FileStateChoice } from './sorts.ts'

/** A way in which a file came up, in words, with its latest time (ms; null where the log has none). */
export interface FileSourceView {
  readonly name: string
  readonly at: number | null
  /** The session's entry that did it; absent where that is not known, or it was nobody of the session. */
  readonly seq?: number
}

/** What was done with a file. */
type Counts = Pick<FileActivity, 'reads' | 'rereads' | 'edits' | 'failures' | 'readTokens' | 'rereadTokens'>

/** A file of a session as a row of the table. */
export interface FileRow extends Counts {
  readonly path: string
  /** Null: every call for it failed, so it was never in the context. */
  readonly state: FileState | null
  readonly sources: readonly FileSourceView[]
  /** Its content was in the context at some time. */
  readonly wasHeld: boolean
  /** Of a stale file, who changed it and when; null for all others. */
  readonly change: FileSourceView | null
  /** When it came up last, ms. */
  readonly usedAt: number | null
}

const NO_COUNTS: Counts = { reads: 0, rereads: 0, edits: 0, failures: 0, readTokens: 0, rereadTokens: 0 }

/** What a tracker knows of a file, and who changed it besides the agent. */
export type FileWithChangers = FileInContext & {
  readonly changers: readonly (string | null)[]
  readonly lastUses: LastUses
}

const DONE_BY: Readonly<Record<string, string>> = {
  person: 'edited by a person',
  subagent: 'edited by a subagent',
  formatter: 'changed by a formatter',
  git: 'changed by git',
  restored: 'restored',
  'agent-tool': 'changed by a command of an agent',
  agent: 'edited by another agent',
  unsure: 'changed, not known by whom',
}

/**
 * Returns what was done to a file and by whom, as a phrase: `edited by a person`, `changed by git`, `restored`. A name
 * that is not one of the verdicts is an agent's (`edited by cline`); null is `changed, not known by whom`.
 */
const doneBy = (by: string | null): string => {
  const verdict = by ?? 'unsure'
  return Object.hasOwn(DONE_BY, verdict) ? (DONE_BY[verdict] ?? verdict) : `edited by ${verdict}`
}

/**
 * Returns the ways in which a file came up, with their times. An edit from outside names who did it, and has no entry.
 */
const sourcesOf = (file: FileWithChangers): readonly FileSourceView[] =>
  file.sources.flatMap((source): readonly FileSourceView[] => {
    const seq = source === 'external-edit' ? undefined : file.lastUses[source]
    const entry = seq === undefined ? {} : { seq }
    if (source === 'read') return [{ name: 'read', at: file.readAt, ...entry }]
    if (source === 'edit') return [{ name: 'edited by the agent', at: file.editAt, ...entry }]
    if (source === 'mention') return [{ name: 'mentioned', at: file.mentionAt, ...entry }]
    // Its records may be older than what is kept of them.
    const changers = file.changers.length === 0 ? [null] : file.changers
    return [{ name: changers.map(doneBy).join(', '), at: file.externalEditAt }]
  })

/**
 * Returns who changed a stale file since the agent knew it, on disk or by the log; null for others, or if none is
 * known.
 */
const changeOf = ({ state, disk, changedBy }: FileInContext): FileSourceView | null => {
  if (state !== 'stale') return null
  if (disk !== null && disk.verdict !== null) {
    const at = disk.other?.at ?? disk.modifiedAt
    const who = disk.other === null ? doneBy(disk.verdict) : `edited by ${disk.other.agent}, another session`
    if (disk.state !== 'gone') return { name: who, at }
    const gone = 'deleted or moved on the disk'
    return { name: disk.other === null ? `${gone}, not known by whom` : `${gone}; ${who}`, at }
  }
  if (changedBy === null) return null
  const isOwn = changedBy.source === 'edit' && changedBy.by === undefined
  return {
    name: isOwn ? 'edited by the agent in messages that left the context' : doneBy(changedBy.by ?? null),
    at: changedBy.at,
  }
}

/** Returns the latest of the times; null if none is known. */
const latest = (times: readonly (number | null)[]): number | null =>
  times.reduce((last, at) => (at !== null && (last === null || at > last) ? at : last), null)

/**
 * Returns all files of a session, each once: those of its context in the order given, then those for which every call
 * failed. A file of the context has the counts of its calls.
 */
export const fileRows = (files: readonly FileWithChangers[], activity: SessionFiles): readonly FileRow[] => {
  const counts = new Map(activity.files.map((file) => [file.path, file]))
  const rows = files.map((file): FileRow => {
    const done = counts.get(file.path)
    counts.delete(file.path)
    const { readAt, editAt, mentionAt, externalEditAt } = file
    return {
      ...countsOf(done),
      path: file.path,
      state: file.state,
      sources: sourcesOf(file),
      wasHeld: file.sources.includes('read') || file.sources.includes('edit'),
      change: changeOf(file),
      usedAt: latest([readAt, editAt, mentionAt, externalEditAt, done?.lastAt ?? null]),
    }
  })
  const others = [...counts.values()].map((done): FileRow => ({
    ...countsOf(done),
    path: done.path,
    state: null,
    sources: [],
    wasHeld: false,
    change: null,
    usedAt: done.lastAt,
  }))
  return [...rows, ...others]
}

/** Returns what was done with a file, without its path; all 0 if undefined. */
const countsOf = (done: FileActivity | undefined): Counts => {
  if (done === undefined) return NO_COUNTS
  const { reads, rereads, edits, failures, readTokens, rereadTokens } = done
  return { reads, rereads, edits, failures, readTokens, rereadTokens }
}

/** What should be looked at first has the largest number. */
const STATE_RANKS: Readonly<Record<FileState, number>> = { stale: 3, active: 2, removed: 1 }

/** Returns what a row is sorted by; null if it is not known. States are ranked, not sorted by name. */
const sortValue = (row: FileRow, sort: FileSort): SortValue => {
  if (sort !== 'state') return row[sort]
  return row.state === null ? null : STATE_RANKS[row.state]
}

/** Returns the choice of state that a row belongs to. */
export const stateOf = ({ state }: Pick<FileRow, 'state'>): Exclude<FileStateChoice, 'all'> => state ?? 'failed'

/** Returns the rows of a state, sorted, as a new list; equal ones keep their order. */
export const sortedFiles = (
  rows: readonly FileRow[],
  { sort, order, state }: { readonly sort: FileSort; readonly order: Order; readonly state: FileStateChoice },
): readonly FileRow[] =>
  sortedRows(state === 'all' ? rows : rows.filter((row) => stateOf(row) === state), order, (row) =>
    sortValue(row, sort),
  )

/** What rows add up to. */
export interface FileTotals extends Counts {
  readonly files: number
}

/** Returns the sums of rows; all 0 without rows. */
export const fileTotals = (rows: readonly FileRow[]): FileTotals => {
  const sum = (field: keyof Counts): number => rows.reduce((total, row) => total + row[field], 0)
  return {
    files: rows.length,
    reads: sum('reads'),
    rereads: sum('rereads'),
    edits: sum('edits'),
    failures: sum('failures'),
    readTokens: sum('readTokens'),
    rereadTokens: sum('rereadTokens'),
  }
}
