/**
 * What is known about a file: sessions that touched it, files edited in them, symbols in its edits, commits after them,
 * entries that cite it.
 */
import type { FileTouch } from '../ports/search-index.ts'
import type { SessionSummary } from '../ports/session-storage.ts'
import type { LogEntry } from '../session-log.ts'
import { relativePath } from '../file-activity/file-activity.ts'
import { unifyHashes, commitNode, commitsReported } from './commits.ts'
import type { GraphNode, GraphRelation } from './graph.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { latest, newestFirst } from './links.ts'
import { fileMentions, type FileMentions } from './file-mentions.ts'
import { citedPath, endsWithPath, isAbsolute, looksLikePath, mayBeSameFile, plainPath } from './paths.ts'
import {
  addSymbols,
  editsIn,
  entryNode,
  fileNode,
  firstDistinct,
  messageNode,
  sessionNodeById,
  touchesIn,
  type Question,
} from './question.ts'
import { wholeWordPattern } from './symbols.ts'

/** The relation between session and file for each operation. */
export const RELATION_BY_OPERATION: Readonly<Record<FileTouch['operation'], GraphRelation>> = {
  edit: 'edited',
  read: 'read',
  mention: 'mentions',
}

interface NamedTouch {
  readonly touch: FileTouch
  /** Relative to the session's folder if inside it. */
  readonly name: string
  readonly session: SessionSummary | undefined
}

/**
 * The node of a file. Adds to the question's links its sessions, companion files, symbols, commits and entries.
 * Undefined if no call touched it and no message or memory entry names it. `isExplicit` means that the query says it is
 * a file; otherwise, a bare name (no `/`) that occurs only in messages does not count. Where a query has times, a file
 * known only from another time gets a node, without links.
 */
export const aboutFile = async (
  text: string,
  question: Question,
  isExplicit = false,
): Promise<GraphNode | undefined> => {
  const path = plainPath(text)
  if (path === '') return undefined
  const all = await findTouches(path, question)
  const touches = touchesOfOneFile(path, all)
  const entries = await addCitations(path, touches, question)
  const found = looksLikePath(path) ? await fileMentions(path, question) : { hits: [], isCut: false }
  const mentions = withoutTouchMessages(found, all)
  if (
    touches.length === 0 &&
    !entries &&
    !(mentions.hits.length > 0 && (isExplicit || path.includes('/'))) &&
    !(hasTimes(question) && (await isKnown(path, { ...question, period: anyTimePeriod(question) }, isExplicit)))
  )
    return undefined
  for (const { touch } of touches)
    question.links.add(RELATION_BY_OPERATION[touch.operation], sessionNodeById(touch.sessionId, touch.at), touch.at)
  addMentions(mentions, path, question)
  const edits = touches.filter(({ touch }) => touch.operation === 'edit')
  await Promise.all([
    addCompanions(edits, path, question),
    addEdits(edits, path, question),
    addCommits(edits, question),
  ])
  return nodeOfFile(path, touches, mentions)
}

const isKnown = async (path: string, question: Question, isExplicit: boolean): Promise<boolean> =>
  (await findTouches(path, question)).length > 0 ||
  (looksLikePath(path) && (isExplicit || path.includes('/')) && (await fileMentions(path, question)).hits.length > 0)

/** The mentions without those in calls that touch the file, and in the results of these, which mention it, too. */
const withoutTouchMessages = ({ hits, isCut }: FileMentions, touches: readonly NamedTouch[]): FileMentions => {
  const touching = new Set(touches.map(({ touch: { sessionId, seq } }) => `${sessionId}#${seq}`))
  return {
    hits: hits.filter(
      ({ sessionId, seq, role }) =>
        !touching.has(`${sessionId}#${seq}`) && !(role === 'tool' && touching.has(`${sessionId}#${seq - 1}`)),
    ),
    isCut,
  }
}

/**
 * Links the sessions of all these mentions, and the messages of the newest `GRAPH_LIMITS.messages`, each labelled with
 * the line that has the file's name.
 */
const addMentions = ({ hits }: FileMentions, path: string, { links }: Question): void => {
  for (const { sessionId, at } of hits) links.add('mentions', sessionNodeById(sessionId, at), at)
  const name = path.split('/').at(-1) ?? path
  for (const { sessionId, seq, text, at } of hits.slice(0, GRAPH_LIMITS.messages))
    links.add(
      'mentions',
      messageNode(sessionId, seq, text.split('\n').find((line) => line.includes(name)) ?? text, at),
      at,
    )
}

const hasTimes = ({ period: { since, until } }: Question): boolean => since !== undefined || until !== undefined

/** The query without its time range: a file untouched in that range is still known. */
const anyTimePeriod = ({ period: { workspace } }: Question): Question['period'] =>
  workspace === undefined ? {} : { workspace }

/**
 * What was done to a file, each touch once, newest first. An absolute path is also looked up by its last two parts and
 * its name, because agents mostly write paths relative to their session's folder; only touches that mean it are kept.
 * A relative one is taken by its end, so touches of several files may come.
 */
const findTouches = async (path: string, question: Question): Promise<readonly NamedTouch[]> => {
  const parts = path.split('/')
  const ends = isAbsolute(path) ? [path, parts.slice(-2).join('/'), parts.slice(-1).join('/')] : [path]
  const found = await Promise.all(
    firstDistinct(ends, ends.length).map((end) =>
      question.search.touches({ file: end, ...question.period, limit: GRAPH_LIMITS.touches }),
    ),
  )
  const touches = await named(found.flat(), question)
  const wanted = isAbsolute(path)
    ? touches.filter((touch) => absolute(touch) === path || endsWithPath(plainPath(touch.touch.path), path))
    : touches
  const different = new Map(
    wanted.map((touch) => [
      `${touch.touch.sessionId}#${touch.touch.seq} ${touch.touch.operation} ${touch.touch.path}`,
      touch,
    ]),
  )
  return [...different.values()].sort((left, right) => newestFirst(left.touch, right.touch))
}

/**
 * The touches with their file's path below the workspace. Only the first sessions are looked up; for others the path
 * stays.
 */
const named = async (touches: readonly FileTouch[], { session }: Question): Promise<readonly NamedTouch[]> => {
  const ids = new Set(
    firstDistinct(
      touches.map(({ sessionId }) => sessionId),
      GRAPH_LIMITS.namedSessions,
    ),
  )
  return Promise.all(
    touches.map(async (touch) => {
      const its = ids.has(touch.sessionId) ? await session(touch.sessionId) : undefined
      return { touch, name: relativePath(plainPath(touch.path), its?.workspace ?? undefined), session: its }
    }),
  )
}

/**
 * The touches of the file at exactly this path, if there are any (`src/a.ts` without `test/src/a.ts`); otherwise all.
 */
const touchesOfOneFile = (path: string, touches: readonly NamedTouch[]): readonly NamedTouch[] => {
  const exact = touches.filter(({ touch, name }) => name === path || plainPath(touch.path) === path)
  if (exact.length === 0) return touches
  const paths = new Set(exact.map(absolute))
  return touches.filter((touch) => exact.includes(touch) || paths.has(absolute(touch)))
}

/** The file's absolute path if its session's workspace is known; otherwise as it was recorded. */
const absolute = ({ touch, session }: NamedTouch): string => {
  const path = plainPath(touch.path)
  return isAbsolute(path) || session?.workspace === null || session === undefined
    ? path
    : `${plainPath(session.workspace)}/${path}`
}

/**
 * The node of a file; its label says in how many messages it is named, and which files are meant if several are. Its
 * time is that of the newest touch or mention.
 */
const nodeOfFile = (path: string, touches: readonly NamedTouch[], { hits, isCut }: FileMentions): GraphNode => {
  const names = firstDistinct(
    touches.map(({ name }) => name),
    GRAPH_LIMITS.touches,
  )
  const [only] = names
  const [newest] = touches
  const file = fileNode(
    names.length === 1 && only !== undefined ? only : path,
    latest(newest?.touch.at ?? null, hits[0]?.at ?? null),
  )
  const node =
    hits.length === 0
      ? file
      : {
          ...file,
          label: `${file.label} (named in ${isCut ? 'at least ' : ''}${hits.length} ${hits.length === 1 ? 'message' : 'messages'})`,
        }
  return names.length > 1
    ? {
        ...node,
        label: `${node.label} (${names.length} files: ${names.slice(0, GRAPH_LIMITS.named).join(', ')}${names.length > GRAPH_LIMITS.named ? ', …' : ''})`,
      }
    : node
}

/**
 * Links entries that cite the file in their examples, or mention its path in their text; returns whether there are any.
 * Only in the period, and of the query's workspace, else of those of the sessions that touched it, else of all.
 */
const addCitations = async (path: string, touches: readonly NamedTouch[], question: Question): Promise<boolean> => {
  // A word that happens to be a file's name says nothing about the file.
  const name = looksLikePath(path) ? wholeWordPattern(path) : undefined
  const sessions = touches.flatMap(({ session }) => session ?? [])
  const found = (await question.entriesOf(sessions)).filter((entry) => question.isInPeriod(entry.lastConfirmedAt))
  let isAny = false
  for (const entry of found) {
    const isCited = entry.examples.some((example) => isSameFile(citedPath(example), path, touches))
    if (!isCited && name?.test(entry.text) !== true) continue
    isAny = true
    question.links.add(isCited ? 'cites' : 'mentions', entryNode(entry), entry.lastConfirmedAt)
  }
  return isAny
}

const isSameFile = (cited: string | undefined, path: string, touches: readonly NamedTouch[]): boolean =>
  cited !== undefined &&
  (endsWithPath(cited, path) || mayBeSameFile(path, cited) || touches.some(({ name }) => name === cited))

/**
 * Links other files that were edited in the newest sessions that edited this one; nothing unless files are asked for.
 */
const addCompanions = async (
  edits: readonly NamedTouch[],
  path: string,
  { links, search, session, period }: Question,
): Promise<void> => {
  if (!links.wants('file')) return
  const own = new Set(edits.map(({ name }) => name))
  const bySession = await touchesIn(newestSessions(edits), { search, period })
  for (const [sessionId, touches] of bySession) {
    const its = await session(sessionId)
    const companions = new Map<string, FileTouch>()
    for (const touch of touches) {
      const name = relativePath(plainPath(touch.path), its?.workspace ?? undefined)
      if (touch.operation === 'edit' && !own.has(name) && name !== path && !companions.has(name))
        companions.set(name, touch)
    }
    for (const [name, { at }] of companions) links.add('edited-with', fileNode(name, at), at)
  }
}

/** Links symbols in the newest `GRAPH_LIMITS.edits` edits of the file; nothing unless symbols are asked for. */
const addEdits = async (edits: readonly NamedTouch[], path: string, question: Question): Promise<void> => {
  if (!question.links.wants('symbol')) return
  const found = await Promise.all(
    edits.slice(0, GRAPH_LIMITS.edits).map(async ({ touch: { sessionId, seq, path: written } }) => {
      const [entry] = await question.sessions.read(sessionId, { fromSeq: seq, limit: 1 })
      const own = editsIn(entry, plainPath(written))
      return own.length > 0 ? own : editsIn(entry, path)
    }),
  )
  addSymbols(question, found.flat())
}

/**
 * Links commits that the newest sessions made after their last edit of the file, within the next `GRAPH_LIMITS.near`
 * entries and the period; not what is only mentioned. Nothing unless commits are asked for.
 */
const addCommits = async (edits: readonly NamedTouch[], { links, sessions, isInPeriod }: Question): Promise<void> => {
  if (!links.wants('commit')) return
  const logs = await Promise.all(
    newestSessions(edits).map(async (sessionId): Promise<readonly LogEntry[]> => {
      const last = Math.max(...edits.flatMap(({ touch }) => (touch.sessionId === sessionId ? [touch.seq] : [])))
      return sessions.read(sessionId, { fromSeq: last, limit: GRAPH_LIMITS.near, kinds: ['message'] })
    }),
  )
  for (const commit of unifyHashes(logs.flatMap(commitsReported)))
    if (commit.made && isInPeriod(commit.at)) links.add('committed', commitNode(commit), commit.at)
}

/** The sessions of the touches, in their order, each once, at most `GRAPH_LIMITS.sessions`. */
const newestSessions = (touches: readonly NamedTouch[]): readonly string[] =>
  firstDistinct(
    touches.map(({ touch }) => touch.sessionId),
    GRAPH_LIMITS.sessions,
  )
