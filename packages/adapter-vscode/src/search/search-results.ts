/** Searches sessions, their messages, memory and notes at once, and says what was found on a line or two each. */
import { createMarker, snippetFor } from '@cairn/core'
import type { Engine, Marker, MemoryEntry, Note, SearchHit, SessionSummary } from '@cairn/core'
import { KIND_NAMES, percentText } from '../memory/memory-label.ts'
import { sessionDescription, sessionTitle } from '../sessions/session-label.ts'
import { ageText } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { projectName } from '../usage/project-usage.ts'
import { answeredFrom } from './search-question.ts'
import type { SearchQuestion, Searched } from './search-question.ts'

/** What a result opens. */
export type SearchTarget =
  | { readonly kind: 'message'; readonly sessionId: string; readonly seq: number }
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'entry'; readonly id: string }
  | { readonly kind: 'note'; readonly note: Note }

/** A result as a row of a list. */
export interface SearchResult {
  readonly searched: Searched
  readonly label: string
  readonly description: string
  readonly detail?: string
  readonly target: SearchTarget
}

/** Where a search looks. */
export interface SearchScope {
  /** Only of these projects, by their paths; undefined: of all. A project that the question names comes before it. */
  readonly projects: readonly string[] | undefined
  /** ms */
  readonly now: number
}

/** What of the engine is used here. */
type SearchEngine = Pick<Engine, 'recall' | 'memory' | 'notes' | 'store'>

const MOST_MESSAGES = 25
const MOST_SESSIONS = 8
const MOST_REMEMBERED = 6
/** Projects whose memory is looked through where all are. */
const MOST_PROJECTS = 50

/** Whether the project has this path or, in any case, this name. */
const isNamed = (project: string, wanted: string): boolean =>
  project === wanted || projectName([project])?.toLowerCase() === wanted.toLowerCase()

/** Returns the projects to ask the store for, by path or name; an undefined one means all. */
const workspacesOf = ({ project }: SearchQuestion, { projects }: SearchScope): readonly (string | undefined)[] =>
  project === undefined ? (projects ?? [undefined]) : [project]

/** Returns the best of several lists whose scores can be compared, at most `most`. */
const bestOf = <Found extends { readonly score: number }>(lists: readonly (readonly Found[])[], most: number) =>
  lists
    .flat()
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)

/** Returns the part of a text that matches best, safe to show. */
const part = (text: string, marker: Marker): string => neutraliseLine(snippetFor(text, marker).text)

/**
 * Returns the result of a message: the part of its text that matches, its author or else role, age (`now` in ms), and
 * its session's title and agent. A session that is not in the store is named by its id.
 */
const messageResult = (
  { sessionId, seq, role, author, at, text }: SearchHit,
  session: SessionSummary | undefined,
  marker: Marker,
  now: number,
): SearchResult => {
  const speaker = author === undefined ? role : neutraliseLine(author)
  const from = session === undefined ? sessionId : `${sessionTitle(session)} · ${neutraliseLine(session.agent)}`
  return {
    searched: 'messages',
    label: part(text, marker),
    description: [speaker, ageText(at, now)].filter((each) => each !== '').join(' · '),
    detail: from,
    target: { kind: 'message', sessionId, seq },
  }
}

/**
 * Returns the messages that match in any of the projects, best first, at most `MOST_MESSAGES`. Rejects as the search
 * does.
 */
const messages = async (
  { recall, store }: SearchEngine,
  question: SearchQuestion,
  scope: SearchScope,
): Promise<readonly SearchResult[]> => {
  const { text, filter } = question
  const lists = await Promise.all(
    workspacesOf(question, scope).map((workspace) =>
      recall.messages({ ...filter, text, limit: MOST_MESSAGES, ...(workspace === undefined ? {} : { workspace }) }),
    ),
  )
  const hits = bestOf(lists, MOST_MESSAGES)
  const ids = [...new Set(hits.map(({ sessionId }) => sessionId))]
  const sessions = new Map(await Promise.all(ids.map(async (id) => [id, await store.sessions.get(id)] as const)))
  const marker = createMarker(text)
  return hits.map((hit) => messageResult(hit, sessions.get(hit.sessionId), marker, scope.now))
}

/**
 * Returns the sessions with these words in their title, last active first; without words, more of them, those active
 * last. Rejects as the store does.
 */
const sessions = async (
  { store }: SearchEngine,
  question: SearchQuestion,
  scope: SearchScope,
): Promise<readonly SearchResult[]> => {
  const { text, filter } = question
  const { agent, branch, since, until } = filter
  const most = text === '' ? MOST_MESSAGES : MOST_SESSIONS
  const pages = await Promise.all(
    workspacesOf(question, scope).map((workspace) =>
      store.sessions.list({
        ...(text === '' ? {} : { text }),
        ...(agent === undefined ? {} : { agent }),
        ...(branch === undefined ? {} : { branch }),
        ...(since === undefined ? {} : { since }),
        ...(until === undefined ? {} : { until }),
        ...(workspace === undefined ? {} : { workspace }),
        sort: 'updated',
        limit: most,
      }),
    ),
  )
  return pages
    .flatMap((page) => page.sessions)
    .toSorted((one, other) => (other.updatedAt ?? 0) - (one.updatedAt ?? 0))
    .slice(0, most)
    .map((session) => ({
      searched: 'sessions',
      label: sessionTitle(session),
      description: sessionDescription(session, scope.now),
      target: { kind: 'session', sessionId: session.id },
    }))
}

/**
 * Returns the paths of the projects whose memory is searched, at most {@link MOST_PROJECTS}: those known that the question
 * names; if it names none, those of the scope, or all known without a scope.
 */
const rememberedProjects = (
  known: readonly string[],
  { project }: SearchQuestion,
  { projects }: SearchScope,
): readonly string[] =>
  (project === undefined ? (projects ?? known) : known.filter((each) => isNamed(each, project))).slice(0, MOST_PROJECTS)

/** Returns the result of a memory entry: the part of its text that matches, then its kind, confidence and project. */
const entryResult = ({ id, kind, text, confidence, workspace }: MemoryEntry, marker: Marker): SearchResult => ({
  searched: 'memory',
  label: part(text, marker),
  description: `${KIND_NAMES[kind][0]} · ${percentText(confidence)} · ${neutraliseLine(projectName([workspace]) ?? workspace)}`,
  target: { kind: 'entry', id },
})

/** Returns the memory entries that match, best first, at most `MOST_REMEMBERED`. Rejects as the store does. */
const memory = async (
  engine: SearchEngine,
  question: SearchQuestion,
  scope: SearchScope,
): Promise<readonly SearchResult[]> => {
  const known = (await engine.store.memory.workspaces()).map(({ workspace }) => workspace)
  const lists = await Promise.all(
    rememberedProjects(known, question, scope).map((project) =>
      engine.memory.search(project, question.text, { limit: MOST_REMEMBERED }),
    ),
  )
  const marker = createMarker(question.text)
  return bestOf(lists, MOST_REMEMBERED).map(({ entry }) => entryResult(entry, marker))
}

/** Returns the notes that match, best first, at most `MOST_REMEMBERED`. Rejects as the store does. */
const notes = async (
  engine: SearchEngine,
  question: SearchQuestion,
  scope: SearchScope,
): Promise<readonly SearchResult[]> => {
  const projects = rememberedProjects(await engine.store.notes.workspaces(), question, scope)
  const lists = await Promise.all(
    projects.map((project) => engine.notes.search(project, question.text, MOST_REMEMBERED)),
  )
  const marker = createMarker(question.text)
  return bestOf(lists, MOST_REMEMBERED).map(({ note }) => ({
    searched: 'notes',
    label: neutraliseLine(note.key),
    description: part(note.text, marker),
    target: { kind: 'note', note },
  }))
}

const SEARCHES: Readonly<Record<Searched, typeof messages>> = { messages, sessions, memory, notes }

/**
 * Returns what was found, by kind in the order of the question, best first in each, but sessions the last active first.
 * Without words: the sessions that were active last, if sessions are searched. Rejects as the store does.
 */
export const searchResults = async (
  engine: SearchEngine,
  question: SearchQuestion,
  scope: SearchScope,
): Promise<readonly SearchResult[]> =>
  (await Promise.all(answeredFrom(question).map((each) => SEARCHES[each](engine, question, scope)))).flat()
