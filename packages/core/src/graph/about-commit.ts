/** What is known about a commit: the session that made it, the files edited before it, sessions that name it, entries that were learnt from it. */
import type { SearchHit } from '../ports/search-index.ts'
import { relativePath } from '../tracking/file-activity.ts'
import { commitNode, commitsOf, isSameHash, type PlacedCommit } from './commits.ts'
import type { GraphNode } from './graph.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { newestFirst } from './links.ts'
import { plainPath } from './paths.ts'
import { entryNode, fileNode, sessionNamed, type Question } from './question.ts'

export const HASH = /^[0-9a-f]{7,40}$/i
const HASHES = /(?<![\w])[0-9a-f]{7,40}(?![\w])/g
/** Entries before a result among which its call is looked for. */
const UNTIL_CALL = 10

export const aboutCommit = async (text: string, question: Question): Promise<GraphNode | undefined> => {
  const hash = text.trim().toLowerCase()
  if (!HASH.test(hash)) return undefined
  const hits = await hitsOf(hash, question)
  const commits = (await Promise.all(hits.slice(0, GRAPH_LIMITS.sessions).map((hit) => reported(hash, hit, question)))).flat()
  const made = commits.find((commit) => commit.made) ?? commits[0]
  const makers = new Set(commits.filter((commit) => commit.made).map(({ sessionId }) => sessionId))
  for (const { sessionId, at } of hits) question.links.add(makers.has(sessionId) ? 'committed' : 'mentions', sessionNamed(sessionId, at), at)
  for (const commit of commits) if (commit.made) await addFiles(commit, question)
  const entries = await addEntries(hash, makers, question)
  if (hits.length === 0 && !entries) return undefined
  return commitNode({ hash, subject: made?.subject ?? '', at: made?.at ?? hits[0]?.at ?? null })
}

/** Messages that name it, also in a shorter form: an index looks for words as they stand. */
const hitsOf = async (hash: string, { search, period }: Question): Promise<readonly SearchHit[]> => {
  const texts = [...new Set([hash, hash.slice(0, 7)])]
  const found = await Promise.all(texts.map((text) => search.search({ text, ...period, limit: GRAPH_LIMITS.hits })))
  const different = new Map(found.flat().map((hit) => [`${hit.sessionId}#${hit.seq}`, hit]))
  return [...different.values()]
    .filter(({ text }) => [...text.matchAll(HASHES)].some(([each]) => isSameHash(each, hash)))
    .sort(newestFirst)
}

interface SessionCommit extends PlacedCommit {
  readonly sessionId: string
}

/** What git said of it in a message: with the call that the message answers. */
const reported = async (hash: string, { sessionId, seq }: SearchHit, { sessions }: Question): Promise<readonly SessionCommit[]> => {
  const fromSeq = Math.max(0, seq - UNTIL_CALL)
  const entries = await sessions.read(sessionId, { fromSeq, limit: seq - fromSeq + 1 })
  return commitsOf(entries).flatMap((commit) => (commit.seq === seq && isSameHash(commit.hash, hash) ? [{ ...commit, sessionId }] : []))
}

/** Files that its session edited since the commit before it, as far back as is looked. */
const addFiles = async ({ sessionId, seq, at }: SessionCommit, { links, search, sessions, session }: Question): Promise<void> => {
  if (!links.wants('file')) return
  const fromSeq = Math.max(0, seq - GRAPH_LIMITS.near)
  const before = commitsOf(await sessions.read(sessionId, { fromSeq, limit: seq - fromSeq })).findLast((commit) => commit.made)
  const its = await session(sessionId)
  const touches = await search.touches({ sessionId, ...(at === null ? {} : { until: at + 1 }), limit: GRAPH_LIMITS.touches })
  for (const touch of touches)
    if (touch.operation === 'edit' && touch.seq < seq && touch.seq > (before?.seq ?? -1)) links.add('edited', fileNode(relativePath(plainPath(touch.path), its?.workspace ?? undefined), touch.at), touch.at)
}

const addEntries = async (hash: string, sessionIds: ReadonlySet<string>, question: Question): Promise<boolean> => {
  const sessions = await Promise.all([...sessionIds].map((id) => question.session(id)))
  const entries = (await question.entriesOf(sessions.flatMap((each) => each ?? []))).filter(({ lastConfirmedAt }) => question.isInPeriod(lastConfirmedAt))
  let isAny = false
  for (const entry of entries) {
    const isLearnt = entry.commit !== null && isSameHash(entry.commit.toLowerCase(), hash)
    const isCited = [entry.text, ...entry.examples].some((part) => [...part.matchAll(HASHES)].some(([each]) => isSameHash(each, hash)))
    if (!isLearnt && !isCited) continue
    isAny = true
    question.links.add(isLearnt ? 'learnt-in' : 'cites', entryNode(entry), entry.lastConfirmedAt)
  }
  return isAny
}
