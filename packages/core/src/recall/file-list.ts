/**
 * Lists the files that tools of agents read or edited, over all sessions. It counts columns of the index; no text of a
 * message is read.
 */
import { CairnError } from '../errors.ts'
import { relativePath } from '../file-activity/index.ts'
import { assertBound, assertLimit, assertObject, assertTextOrAbsent, shownValue } from '../input.ts'
import type { FileList, FileListQuery, FileListSort, FileUse, ListedFile } from '../ports/search-index.ts'
import { corpusLimits } from './conditions.ts'
import { selectCorpus } from './index/corpus.ts'
import { FILE_OPERATIONS } from './index/message-codec.ts'
import { visitFileTouches } from './index/touches.ts'
import type { RecallSource } from './recall-source.ts'

/** What a list of files can be sorted by. */
export const FILE_LIST_SORTS: readonly FileListSort[] = ['edits', 'reads', 'sessions', 'last', 'path']

const ORDERS: readonly string[] = ['ascending', 'descending']
const DEFAULT_FILES = 100
const EDIT = FILE_OPERATIONS.indexOf('edit')
const READ = FILE_OPERATIONS.indexOf('read')

/** Calls of one kind for one file, and the newest of them. */
interface Calls {
  count: number
  /** ms; -Infinity when not known. */
  at: number
  seq: number
}

/** What one session did with one path, as its calls write it. */
interface PathCalls {
  readonly edits: Calls
  readonly reads: Calls
}

/** A file while its sessions are added up. */
interface Tally {
  /** The whole path, or what is known of it. */
  readonly path: string
  workspace: string | null
  edits: number
  reads: number
  readonly sessions: Set<string>
  lastEdit: LastCall | undefined
  lastRead: LastCall | undefined
}

interface LastCall {
  readonly sessionId: string
  readonly seq: number
  readonly at: number
}

/**
 * Checks the query of a list of files. Every condition may be left out.
 * @throws CairnError `invalid-input`
 */
export const assertFileListQuery = (query: FileListQuery): void => {
  assertObject(query, 'What files are listed by')
  assertTextOrAbsent(query.workspace, 'The workspace whose files are listed')
  if (query.workspaces !== undefined && !Array.isArray(query.workspaces))
    throw new CairnError('invalid-input', 'The folders whose files are listed must be a list of paths.')
  assertTextOrAbsent(query.agent, 'The agent whose files are listed')
  assertTextOrAbsent(query.branch, 'The branch whose files are listed')
  assertTextOrAbsent(query.text, 'The words of the paths that are listed')
  assertBound(query.since, 'The time from which on files are listed')
  assertBound(query.until, 'The time before which files are listed')
  assertLimit(query.limit, 'The number of files', 0)
  assertLimit(query.offset, 'The number of files that are left out', 0)
  const { sort, order } = query
  if (sort !== undefined && !FILE_LIST_SORTS.includes(sort))
    throw new CairnError(
      'invalid-input',
      `Files are sorted by ${FILE_LIST_SORTS.join(', ')}, and ${shownValue(sort)} is none of these.`,
    )
  if (order !== undefined && !ORDERS.includes(order))
    throw new CairnError('invalid-input', `The order of files is ascending or descending, not ${shownValue(order)}.`)
}

/**
 * The files of a query that tools edited or read (those only mentioned are left out), sorted (default: by edits,
 * descending), at most `limit` (default 100), and how many match in all. The query is not checked here: see {@link
 * assertFileListQuery}. Time grows with the touches that the index holds. Rejects as the source does.
 */
export const listFiles = async (source: RecallSource, query: FileListQuery): Promise<FileList> => {
  const index = await source.open({ workspace: query.workspace, agent: query.agent, branch: query.branch })
  const bySession = new Map<number, Map<string, PathCalls>>()
  visitFileTouches(index.view, selectCorpus(index.view, corpusLimits(query, index)), undefined, (touch) => {
    const { path, operation, session } = touch
    if ((operation !== EDIT && operation !== READ) || index.onBranch?.has(session) === false) return
    let paths = bySession.get(session)
    if (paths === undefined) bySession.set(session, (paths = new Map<string, PathCalls>()))
    let calls = paths.get(path)
    if (calls === undefined) paths.set(path, (calls = { edits: noCalls(), reads: noCalls() }))
    addCall(operation === EDIT ? calls.edits : calls.reads, touch)
  })
  const numbers = [...bySession.keys()]
  const [sessions, folders] = [await source.sessions(numbers), await source.folders(numbers)]
  const within = query.workspaces === undefined ? undefined : new Set<string | null>(query.workspaces)
  const files = new Map<string, Tally>()
  for (const [number, paths] of bySession) {
    const session = sessions.get(number)
    const folder = folders.get(number) ?? null
    if (session === undefined || (within !== undefined && !within.has(folder))) continue
    addSession(files, { id: session.id, folder }, paths)
  }
  const wanted = [...files.values()].filter(pathTest(query.text))
  const { sort = 'edits', offset = 0, limit = DEFAULT_FILES } = query
  const { order = sort === 'path' ? 'ascending' : 'descending' } = query
  return {
    files: wanted
      .map((tally) => ({ wholePath: tally.path, file: listedFile(tally) }))
      .sort(fileOrder(sort, order))
      .slice(offset, offset + limit)
      .map(({ file }) => file),
    total: wanted.length,
  }
}

const noCalls = (): Calls => ({ count: 0, at: -Infinity, seq: -1 })

/**
 * Counts a call in `calls`, which keep time and number of the latest: of several at the same time, of the one with the
 * highest number, in whatever order they are added. A call without a time (`at` NaN) is earlier than all that have one.
 */
const addCall = (calls: Calls, { seq, at }: { readonly seq: number; readonly at: number }): void => {
  const time = Number.isNaN(at) ? -Infinity : at
  calls.count += 1
  if (time < calls.at || (time === calls.at && seq < calls.seq)) return
  calls.at = time
  calls.seq = seq
}

/**
 * Adds a session's calls to the files. Paths inside its folder are put under the folder, so that sessions that write
 * them otherwise are counted for the same file; the innermost of the folders becomes the file's workspace. Calls
 * without a folder stay under their own path.
 */
const addSession = (
  files: Map<string, Tally>,
  { id, folder }: { readonly id: string; readonly folder: string | null },
  paths: ReadonlyMap<string, PathCalls>,
): void => {
  const root = folder?.replaceAll('\\', '/').replace(/\/+$/, '') ?? ''
  for (const [written, { edits, reads }] of paths) {
    const name = relativePath(written, folder ?? undefined)
    const isInside = folder !== null && !/^(?:\/|[A-Za-z]:\/|~)/.test(name)
    const path = isInside ? `${root}/${name}` : name
    let file = files.get(path)
    if (file === undefined) files.set(path, (file = emptyTally(path)))
    file.edits += edits.count
    file.reads += reads.count
    file.sessions.add(id)
    file.lastEdit = later(file.lastEdit, edits, id)
    file.lastRead = later(file.lastRead, reads, id)
    if (isInside && (file.workspace === null || folder.length > file.workspace.length)) file.workspace = folder
  }
}

/** A file that nothing touched. */
const emptyTally = (path: string): Tally => ({
  path,
  workspace: null,
  edits: 0,
  reads: 0,
  sessions: new Set(),
  lastEdit: undefined,
  lastRead: undefined,
})

/**
 * The newer call; of two at the same time that of the session whose id sorts first, so that all stores agree. The known
 * one where there is no call.
 */
const later = (known: LastCall | undefined, { count, at, seq }: Calls, sessionId: string): LastCall | undefined => {
  if (count === 0) return known
  if (known !== undefined && (known.at > at || (known.at === at && known.sessionId < sessionId))) return known
  return { sessionId, seq, at }
}

/**
 * A test for files whose path contains every word, ignoring case. All pass without words. `\` counts as `/`. `text`:
 * the words, between blanks.
 */
const pathTest = (text = ''): ((file: Tally) => boolean) => {
  const words = text
    .toLowerCase()
    .replaceAll('\\', '/')
    .split(/\s+/)
    .filter((word) => word !== '')
  return ({ path }) => words.length === 0 || words.every((word) => path.toLowerCase().includes(word))
}

/** A file of a list with its whole path, the folder included. */
export interface LocatedFile {
  readonly wholePath: string
  readonly file: ListedFile
}

/**
 * A comparison for sorting lists of files. Equal ones: the last edited first, then by whole path; never edited ones come
 * last when sorted by that, in either order.
 */
export const fileOrder = (
  sort: FileListSort,
  order: 'ascending' | 'descending',
): ((left: LocatedFile, right: LocatedFile) => number) => {
  const direction = order === 'ascending' ? -1 : 1
  const byPath = (left: LocatedFile, right: LocatedFile): number =>
    left.wholePath === right.wholePath ? 0 : left.wholePath < right.wholePath ? -1 : 1
  if (sort === 'path') return (left, right) => -direction * byPath(left, right)
  const value = (file: ListedFile): number => (sort === 'last' ? timeOf(file.lastEdit) : file[sort])
  return (left, right) => {
    const [one, other] = [left.file, right.file]
    if (sort === 'last' && (one.lastEdit === null) !== (other.lastEdit === null)) return one.lastEdit === null ? 1 : -1
    return (
      direction * compare(value(other), value(one)) ||
      compare(timeOf(other.lastEdit), timeOf(one.lastEdit)) ||
      byPath(left, right)
    )
  }
}

/** The time of a call; earlier than all where there is none, or it has no time. */
const timeOf = (use: FileUse | null): number => use?.at ?? -Infinity

const compare = (left: number, right: number): number => (left === right ? 0 : left < right ? -1 : 1)

/** A file as it is listed: its path relative to its workspace, if it has one. */
const listedFile = ({ path, workspace, edits, reads, sessions, lastEdit, lastRead }: Tally): ListedFile => ({
  path: relativePath(path, workspace ?? undefined),
  workspace,
  edits,
  reads,
  sessions: sessions.size,
  lastEdit: fileUse(lastEdit),
  lastRead: fileUse(lastRead),
})

const fileUse = (call: LastCall | undefined): FileUse | null =>
  call === undefined ? null : { ...call, at: Number.isFinite(call.at) ? call.at : null }
