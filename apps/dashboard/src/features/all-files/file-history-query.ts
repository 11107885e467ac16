/** Asks the store who edited, read and named one file, over all sessions. */
import type { FileTouch, SessionSummary, Store } from '@cairn/core'
import { z } from 'zod'
import { lastPage } from '../../components/pager.tsx'
import { sessionRow } from '../sessions/session-row.ts'
import { FILE_PAGE_ROWS } from './page-sizes.ts'

/** Which file is asked for, as the procedure takes it. */
export const fileHistoryInput = z.object({
  path: z.string().min(1).max(4_000),
  /** What `path` is relative to; null: not known. */
  folder: z.string().max(4_000).nullable(),
  /** Calls that only read or named it are left out. */
  isEditsOnly: z.boolean(),
  page: z.int().min(1).max(1_000_000),
})
/** Which file is asked for. */
export type FileHistoryInput = z.infer<typeof fileHistoryInput>

/** A call that used the file, or a message that named it. */
export interface FileUseRow extends Pick<FileTouch, 'operation' | 'seq' | 'at' | 'sessionId'> {
  readonly agent: string
  readonly title: string
  readonly branch: string | null
}

/** How often an agent edited the file, and in how many sessions. */
interface FileEditor {
  readonly agent: string
  readonly edits: number
  readonly sessions: number
}

/** A page of what was done with a file, newest first. */
export interface FileHistory {
  readonly rows: readonly FileUseRow[]
  /** From 1. */
  readonly page: number
  /** Of all pages. */
  readonly count: number
  readonly edits: number
  readonly reads: number
  readonly sessions: number
  /** The most edits first. */
  readonly editors: readonly FileEditor[]
  /** Only the newest {@link MOST_TOUCHES} uses of files with this name were looked at. */
  readonly isCut: boolean
}

/** The newest so many uses of a file's name are looked at. */
const MOST_TOUCHES = 10_000

const IS_WHOLE = /^(?:\/|[A-Za-z]:\/)/

/** Returns a path with `/`, whole if it or its folder is. A relative path stays so without a folder. */
const wholePath = (path: string, folder: string | null): string => {
  const plain = path.replaceAll('\\', '/')
  if (folder === null || IS_WHOLE.test(plain)) return plain
  return `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/${plain}`
}

/** Returns the agents that edited the file, the most edits first. Those with as many come by name. */
const editorsOf = (rows: readonly FileUseRow[]): readonly FileEditor[] => {
  const byAgent = Map.groupBy(
    rows.filter(({ operation }) => operation === 'edit'),
    ({ agent }) => agent,
  )
  return [...byAgent]
    .map(([agent, edits]) => ({
      agent,
      edits: edits.length,
      sessions: new Set(edits.map(({ sessionId }) => sessionId)).size,
    }))
    .toSorted((left, right) => right.edits - left.edits || (left.agent < right.agent ? -1 : 1))
}

/**
 * Returns a page of the calls that edited, read or named a file, in any session; those that failed as well, since that
 * is not in the index. A page beyond the last is the last. Rejects as the store does. Uses beyond the newest
 * `MOST_TOUCHES` are not counted.
 */
export const fileHistory = async (
  { search, sessions }: Pick<Store, 'search' | 'sessions'>,
  { path, folder, isEditsOnly, page: wanted }: FileHistoryInput,
): Promise<FileHistory> => {
  const whole = wholePath(path, folder)
  const touches = await search.touches({ file: path, limit: MOST_TOUCHES })
  const known = new Map<string, SessionSummary | undefined>()
  for (const { sessionId } of touches) if (!known.has(sessionId)) known.set(sessionId, await sessions.get(sessionId))
  // The same path in another folder is another file.
  const rows = touches.flatMap((touch): readonly FileUseRow[] => {
    const session = known.get(touch.sessionId)
    if (session === undefined || wholePath(touch.path, session.workspace) !== whole) return []
    const { operation, seq, at, sessionId } = touch
    const { agent, title, branch } = sessionRow(session)
    return [{ operation, seq, at, sessionId, agent, title, branch }]
  })
  const chosen = isEditsOnly ? rows.filter(({ operation }) => operation === 'edit') : rows
  const page = Math.min(wanted, lastPage(FILE_PAGE_ROWS, chosen.length))
  return {
    rows: chosen.slice((page - 1) * FILE_PAGE_ROWS, page * FILE_PAGE_ROWS),
    page,
    count: chosen.length,
    edits: rows.filter(({ operation }) => operation === 'edit').length,
    reads: rows.filter(({ operation }) => operation === 'read').length,
    sessions: new Set(rows.map(({ sessionId }) => sessionId)).size,
    editors: editorsOf(rows),
    isCut: touches.length === MOST_TOUCHES,
  }
}
