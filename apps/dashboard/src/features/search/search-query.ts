/** Asks the engine as `cairn recall` does, and makes what it finds ready to be sent. */
import { createMarker, knowledgeFor, snippetFor } from '@cairn/core'
import type { Engine, SearchHit, SessionSummary } from '@cairn/core'
import { sessionRow } from '../sessions/session-row.ts'
import { rowName } from '../usage/dimension.ts'
import { projectNames } from '../usage/store-project-names.ts'
import type { ProjectNames } from '../usage/project-names.ts'
import { memoryHref, noteHref } from '../memory/memory-address.ts'
import { times } from '../memory/words.ts'
import { findFiles } from './file-hits.ts'
import type { FileHits } from './file-hits.ts'
import type { Kind } from './kinds.ts'
import { markedLine } from './marked.ts'
import type { Marked } from './marked.ts'
import { namedSessions } from './named-sessions.ts'

/** Something that was found, and where it is read. */
export interface Found {
  /** Unlike those of all others of an answer. */
  readonly key: string
  readonly kind: Kind
  readonly href: string
  readonly title: Marked
  /** The part of its text that answers best; null where the title is all. */
  readonly snippet: Marked | null
  /** What else there is to know, a few words each. */
  readonly facts: readonly string[]
  /** ms; null where not known. */
  readonly at: number | null
}

/** A search. */
export interface Query {
  readonly text: string
  readonly limit: number
}

/** What of the engine is searched. */
type Searched = Pick<Engine, 'recall' | 'memory' | 'notes' | 'privacy'> & {
  readonly store: Pick<Engine['store'], 'sessions' | 'memory' | 'notes' | 'search' | 'projects' | 'checkpoints'>
}

/** Longer searches are not looked for again in the session. */
const LONGEST_FIND = 200

/**
 * Returns the address of an entry of a session; its page opens and marks what matches the search. Without an entry its
 * beginning; words that are too long are left out. `text`: the words to mark.
 */
const entryHref = (sessionId: string, seq: number | undefined, text = ''): string => {
  const parameters = new URLSearchParams(seq === undefined ? {} : { at: String(seq) })
  if (seq !== undefined && text.trim() !== '' && text.length <= LONGEST_FIND) parameters.set('find', text)
  const query = parameters.toString()
  return `/sessions/${encodeURIComponent(sessionId)}${query === '' ? '' : `?${query}`}`
}

/** Returns sessions by id; those that were deleted meanwhile are missing. */
const sessionsOf = async (
  ids: readonly string[],
  { store }: Pick<Searched, 'store'>,
): Promise<ReadonlyMap<string, SessionSummary>> => {
  const found = await Promise.all([...new Set(ids)].map((id) => store.sessions.get(id)))
  return new Map(found.flatMap((session) => (session === undefined ? [] : [[session.id, session]])))
}

/** Returns a session's title; its id if it is not in the store. */
const titleOf = (session: SessionSummary | undefined, id: string): string =>
  session === undefined ? id : sessionRow(session).title

/** Returns the project's name and the branch, as far as it is known; empty for an unknown session. */
const projectAndBranch = (session: SessionSummary | undefined, names: ProjectNames): readonly string[] =>
  session === undefined
    ? []
    : [
        rowName('project', session.workspace ?? 'unknown', names).label,
        ...(session.branch === null ? [] : [session.branch]),
      ]

/** Returns who wrote a message. */
const speakerOf = ({ author, role }: SearchHit): string => author ?? role

/** Returns a list with one phrase, how many other sessions say the same (`also in 2 sessions`); empty if none does. */
const alsoIn = ({ sessionId, alsoIn: repeats = [] }: SearchHit): readonly string[] => {
  const others = new Set(repeats.map((repeat) => repeat.sessionId))
  others.delete(sessionId)
  return others.size === 0 ? [] : [`also in ${others.size === 1 ? '1 session' : `${others.size} sessions`}`]
}

/**
 * Returns at most `limit` messages that match a text, in the order of `cairn recall`; empty without words. Rejects as
 * the search does. Each links to its entry.
 */
export const foundMessages = async (engine: Searched, { text, limit }: Query): Promise<readonly Found[]> => {
  const hits = await engine.recall.messages({ text, limit })
  const sessions = await sessionsOf(
    hits.map(({ sessionId }) => sessionId),
    engine,
  )
  const marker = createMarker(text)
  const names = await projectNames(engine.store)
  return hits.map((hit) => {
    const session = sessions.get(hit.sessionId)
    return {
      key: `message ${hit.sessionId} ${hit.seq}`,
      kind: 'messages',
      href: entryHref(hit.sessionId, hit.seq, text),
      title: markedLine(titleOf(session, hit.sessionId), marker),
      snippet: snippetFor(hit.text, marker),
      facts: [speakerOf(hit), ...projectAndBranch(session, names), `#${hit.seq}`, ...alsoIn(hit)],
      at: hit.at,
    }
  })
}

/**
 * Returns at most `limit` sessions that match a text, in the order of `cairn recall --by session`; each links to its
 * beginning. Rejects as the search does.
 */
export const foundSessions = async (engine: Searched, { text, limit }: Query): Promise<readonly Found[]> => {
  const hits = await engine.recall.sessions({ text, limit })
  const sessions = await sessionsOf(
    hits.map(({ sessionId }) => sessionId),
    engine,
  )
  const marker = createMarker(text)
  const names = await projectNames(engine.store)
  return hits.map(({ sessionId, best, hits: messages }) => {
    const session = sessions.get(sessionId)
    return {
      key: `session ${sessionId}`,
      kind: 'sessions',
      href: entryHref(sessionId, undefined),
      title: markedLine(titleOf(session, sessionId), marker),
      snippet: best === undefined ? null : snippetFor(best.text, marker),
      facts: [
        ...projectAndBranch(session, names),
        ...(messages === 0
          ? []
          : [messages === 1 ? '1 message matches' : `${messages.toLocaleString('en-US')} messages match`]),
      ],
      at: session?.updatedAt ?? null,
    }
  })
}

/**
 * Returns the sessions that a text names, those by id first, then those by title (see `namedSessions`); each links to
 * its beginning. Rejects as the store does.
 */
export const foundNamed = async (engine: Pick<Searched, 'store'>, text: string): Promise<readonly Found[]> => {
  const sessions = await namedSessions(engine.store.sessions, text)
  const marker = createMarker(text)
  const names = await projectNames(engine.store)
  return sessions.map((session) => ({
    key: `session ${session.id}`,
    kind: 'sessions',
    href: entryHref(session.id, undefined),
    title: markedLine(titleOf(session, session.id), marker),
    snippet: null,
    facts: [session.agent, ...projectAndBranch(session, names), session.externalId],
    at: session.updatedAt,
  }))
}

/**
 * Returns entries and notes that match a text, at most `limit` of each, as `cairn recall` shows them before messages.
 * Rejects as the memory does. The best first.
 */
export const foundKnowledge = async (
  engine: Searched,
  { text, limit }: Query,
): Promise<{ readonly memory: readonly Found[]; readonly notes: readonly Found[] }> => {
  const { memory, notes } = await knowledgeFor(text, { workspace: undefined, limit }, engine)
  const marker = createMarker(text)
  const names = await projectNames(engine.store)
  const projects = (workspace: string, alsoIn: readonly string[]): readonly string[] =>
    [workspace, ...alsoIn].map((path) => rowName('project', path, names).label)
  return {
    memory: memory.map(({ entry, alsoIn }) => ({
      key: `memory ${entry.id}`,
      kind: 'memory',
      href: memoryHref(entry),
      title: markedLine(entry.text, marker),
      snippet: null,
      facts: [
        entry.kind.replaceAll('_', ' '),
        `${Math.round(entry.confidence * 100)} % sure`,
        ...(entry.stale === undefined ? [] : ['out of date?']),
        ...(entry.contradictions === 0 ? [] : [`contradicted ${times(entry.contradictions)}`]),
        ...projects(entry.workspace, alsoIn),
      ],
      at: entry.lastConfirmedAt,
    })),
    notes: notes.map(({ note, alsoIn }) => ({
      key: `note ${note.workspace} ${note.key}`,
      kind: 'notes',
      href: noteHref(note),
      title: markedLine(note.key, marker),
      snippet: snippetFor(note.text, marker),
      facts: projects(note.workspace, alsoIn),
      at: note.updatedAt,
    })),
  }
}

const OPERATIONS = { edit: 'edited last', read: 'read last', mention: 'named last' } as const

/** The files that were found, with how many there are. */
export interface FoundFiles extends Omit<FileHits, 'files'> {
  readonly files: readonly Found[]
}

/**
 * Returns at most `limit` files that agents' tools touched and whose path contains the words; each links to where it
 * was touched last. Rejects as the store does.
 */
export const foundFiles = async (engine: Searched, { text, limit }: Query): Promise<FoundFiles> => {
  const { files: hits, ...rest } = await findFiles(engine.store.search, text, limit, async (ids) => {
    const known = [...(await sessionsOf(ids, engine)).values()]
    return new Map(known.flatMap(({ id, workspace }) => (workspace === null ? [] : [[id, workspace]])))
  })
  const sessions = await sessionsOf(
    hits.map(({ sessionId }) => sessionId),
    engine,
  )
  const names = await projectNames(engine.store)
  const files = hits.map(({ path, sessionId, seq, at, operation, sessions: count }): Found => ({
    key: `file ${sessionId} ${seq} ${path.text}`,
    kind: 'files',
    href: entryHref(sessionId, seq),
    title: path,
    snippet: null,
    facts: [
      ...projectAndBranch(sessions.get(sessionId), names).slice(0, 1),
      OPERATIONS[operation],
      count === 1 ? '1 session' : `${count.toLocaleString('en-US')} sessions`,
    ],
    at,
  }))
  return { ...rest, files }
}
