/**
 * Lists the files that tools of agents read or edited, over all sessions. It counts columns of the index; no text of a
 * message is read.
 */
import { CairnError } from '../errors.ts'
import { relativePath } from '../file-activity/index.ts'
import { assertBound, assertLimit, assertObject, assertTextOrAbsent, shownValue } from '../input.ts'
import type { FileList, FileListQuery, FileListSort, FileUse, ListedFile } from '../ports/search-index.ts'
import { corpusLimits } from './conditions.ts'
import { selectCorpus, type Corpus } from './index/corpus.ts'
import { FILE_OPERATIONS } from './index/message-codec.ts'
import type { Segment } from './index/segment.ts'
import { visitTouches } from './index/touches.ts'
import type { RecallIndex, RecallSource } from './recall-source.ts'

/** What a list of files can be sorted by. */
export const FILE_LIST_SORTS: readonly FileListSort[] = ['edits', 'reads', 'sessions', 'last', 'path']

const ORDERS: readonly string[] = ['ascending', 'descending']
const DEFAULT_FILES = 100
const EDIT = FILE_OPERATIONS.indexOf('edit')
const READ = FILE_OPERATIONS.indexOf('read')

/** A file while its calls are counted. */
interface Tally {
  /** The whole path, or what is known of it. */
  readonly path: string
  workspace: string | null
  edits: number
  reads: number
  /** How many, and the number of the one that was counted last. */
  sessions: number
  lastSession: number
  lastEdit: LastCall | undefined
  lastRead: LastCall | undefined
}

/** A session whose calls count. */
interface CountedSession {
  readonly id: string
  readonly folder: string | null
  /** Files of its folder by their paths as calls write them; sessions of one folder share it, so that each is looked at once. */
  readonly files: Map<string, Tally>
  /** The same by the numbers of paths in segments. */
  readonly bySegment: Map<Segment, Tally[]>
}

/** The newest of a file's calls so far. */
interface LastCall {
  sessionId: string
  seq: number
  /** ms; -Infinity when not known. */
  at: number
}

/** @throws CairnError `invalid-input` */
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

/** The files of a query, sorted, and how many match. Time grows with the touches that the index holds. */
export const listFiles = async (source: RecallSource, query: FileListQuery): Promise<FileList> => {
  const index = await source.open({ workspace: query.workspace, agent: query.agent, branch: query.branch })
  const corpus = selectCorpus(index.view, corpusLimits(query, index))
  const bySession = touchesBySession(index, corpus)
  const sessions = await countedSessions(source, [...bySession.keys()], query.workspaces)
  const files = tallies(bySession, sessions)
  const wanted = [...files.values()].filter(pathTest(query.text))
  const { sort = 'edits', offset = 0, limit = DEFAULT_FILES } = query
  const { order = sort === 'path' ? 'ascending' : 'descending' } = query
  return {
    files: wanted
      .sort(comparison(sort, order))
      .slice(offset, offset + limit)
      .map(listedFile),
    total: wanted.length,
  }
}

/** The touches of a session that count, each as its segment and its number there. */
interface SessionTouches {
  readonly segments: Segment[]
  readonly touches: number[]
}

/** The edits and reads of the corpus, by the numbers of their sessions. */
const touchesBySession = ({ view, onBranch }: RecallIndex, corpus: Corpus): ReadonlyMap<number, SessionTouches> => {
  const bySession = new Map<number, SessionTouches>()
  let [last, own]: [number, SessionTouches | undefined] = [-1, undefined]
  visitTouches(view, corpus, undefined, (segment, touch, session) => {
    const operation = segment.touchOperation[touch]
    if (operation !== EDIT && operation !== READ) return
    // Those of a session mostly come one after the other.
    if (session !== last) {
      last = session
      own = onBranch?.has(session) === false ? undefined : (bySession.get(session) ?? { segments: [], touches: [] })
      if (own !== undefined) bySession.set(session, own)
    }
    own?.segments.push(segment)
    own?.touches.push(touch)
  })
  return bySession
}

/** The files that these sessions edited or read, by their whole paths. */
const tallies = (
  bySession: ReadonlyMap<number, SessionTouches>,
  sessions: ReadonlyMap<number, CountedSession>,
): ReadonlyMap<string, Tally> => {
  const files = new Map<string, Tally>()
  // One session after the other: a file knows the last one that it counted, and counts it once.
  for (const [number, session] of sessions) {
    const { segments, touches } = bySession.get(number) ?? { segments: [], touches: [] }
    let segmentNow: Segment | undefined
    let known: Tally[] = []
    for (const [index, segment] of segments.entries()) {
      if (segment !== segmentNow) [segmentNow, known] = [segment, knownFiles(session, segment)]
      const touch = touches[index] as number
      const path = segment.touchPath[touch] as number
      const file = (known[path] ??= fileOf(files, session, segment.paths[path] ?? ''))
      if (file.lastSession !== number) {
        file.lastSession = number
        file.sessions += 1
      }
      addCall(file, segment, touch, session.id)
    }
  }
  return files
}

/** The files of a session's folder, by the numbers that their paths have in a segment, as far as they were looked at. */
const knownFiles = ({ bySegment }: CountedSession, segment: Segment): Tally[] => {
  const known = bySegment.get(segment) ?? []
  bySegment.set(segment, known)
  return known
}

/** The sessions that still exist, of these folders alone where some are named, by number. */
const countedSessions = async (
  source: RecallSource,
  numbers: readonly number[],
  workspaces: FileListQuery['workspaces'],
): Promise<ReadonlyMap<number, CountedSession>> => {
  const [sessions, folders] = [await source.sessions(numbers), await source.folders(numbers)]
  const within = workspaces === undefined ? undefined : new Set<string | null>(workspaces)
  const ofFolders = new Map<string | null, Pick<CountedSession, 'files' | 'bySegment'>>()
  const counted = new Map<number, CountedSession>()
  for (const number of numbers) {
    const session = sessions.get(number)
    const folder = folders.get(number) ?? null
    if (session === undefined || (within !== undefined && !within.has(folder))) continue
    const ofFolder = ofFolders.get(folder) ?? {
      files: new Map<string, Tally>(),
      bySegment: new Map<Segment, Tally[]>(),
    }
    ofFolders.set(folder, ofFolder)
    counted.set(number, { id: session.id, folder, ...ofFolder })
  }
  return counted
}

/** The tally of the file that a session's call names; a new one is added to `files`, which has them by whole path. */
const fileOf = (files: Map<string, Tally>, { folder, files: known }: CountedSession, written: string): Tally => {
  const before = known.get(written)
  if (before !== undefined) return before
  const root = folder?.replaceAll('\\', '/').replace(/\/+$/, '') ?? ''
  const name = relativePath(written, folder ?? undefined)
  const isInside = folder !== null && !/^(?:\/|[A-Za-z]:\/|~)/.test(name)
  const path = isInside ? `${root}/${name}` : name
  const file = files.get(path) ?? emptyTally(path)
  files.set(path, file)
  known.set(written, file)
  if (isInside && (file.workspace === null || folder.length > file.workspace.length)) file.workspace = folder
  return file
}

const emptyTally = (path: string): Tally => ({
  path,
  workspace: null,
  edits: 0,
  reads: 0,
  sessions: 0,
  lastSession: -1,
  lastEdit: undefined,
  lastRead: undefined,
})

/** Counts a call of a session for a file. */
const addCall = (file: Tally, segment: Segment, touch: number, sessionId: string): void => {
  const message = segment.touchMessage[touch] as number
  const [seq, time] = [segment.seq[message] as number, segment.at[message] as number]
  const at = Number.isNaN(time) ? -Infinity : time
  if (segment.touchOperation[touch] === EDIT) {
    file.edits += 1
    file.lastEdit = laterCall(file.lastEdit, at, seq, sessionId)
  } else {
    file.reads += 1
    file.lastRead = laterCall(file.lastRead, at, seq, sessionId)
  }
}

/** `known`, changed if the call is later. Of two at the same time that of the session whose id sorts first, so that all stores agree. */
const laterCall = (known: LastCall | undefined, at: number, seq: number, sessionId: string): LastCall => {
  if (known === undefined) return { sessionId, seq, at }
  const isLater =
    at === known.at ? (known.sessionId === sessionId ? seq > known.seq : sessionId < known.sessionId) : at > known.at
  if (isLater) [known.sessionId, known.seq, known.at] = [sessionId, seq, at]
  return known
}

/** A test for files whose path contains every word, ignoring case. */
const pathTest = (text = ''): ((file: Tally) => boolean) => {
  const words = text
    .toLowerCase()
    .replaceAll('\\', '/')
    .split(/\s+/)
    .filter((word) => word !== '')
  return ({ path }) => words.length === 0 || words.every((word) => path.toLowerCase().includes(word))
}

/** Equal ones: the last edited first, then by path. */
const comparison = (sort: FileListSort, order: 'ascending' | 'descending') => {
  const direction = order === 'ascending' ? -1 : 1
  const byPath = (left: Tally, right: Tally): number => (left.path === right.path ? 0 : left.path < right.path ? -1 : 1)
  const value = ({ edits, reads, sessions, lastEdit }: Tally): number =>
    sort === 'edits' ? edits : sort === 'reads' ? reads : sort === 'sessions' ? sessions : timeOf(lastEdit)
  return (left: Tally, right: Tally): number => {
    if (sort === 'path') return -direction * byPath(left, right)
    // Files that were never edited have no last edit: they come last in either direction.
    if (sort === 'last' && (left.lastEdit === undefined) !== (right.lastEdit === undefined))
      return left.lastEdit === undefined ? 1 : -1
    return (
      direction * compare(value(right), value(left)) ||
      compare(timeOf(right.lastEdit), timeOf(left.lastEdit)) ||
      byPath(left, right)
    )
  }
}

const timeOf = (call: LastCall | undefined): number => call?.at ?? -Infinity

/** Unlike a difference, right for two that are infinite. */
const compare = (left: number, right: number): number => (left === right ? 0 : left < right ? -1 : 1)

const listedFile = ({ path, workspace, edits, reads, sessions, lastEdit, lastRead }: Tally): ListedFile => ({
  path: relativePath(path, workspace ?? undefined),
  workspace,
  edits,
  reads,
  sessions,
  lastEdit: fileUse(lastEdit),
  lastRead: fileUse(lastRead),
})

const fileUse = (call: LastCall | undefined): FileUse | null =>
  call === undefined ? null : { ...call, at: Number.isFinite(call.at) ? call.at : null }
