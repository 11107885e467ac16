/** Asks the engine what is remembered, as `cairn memory` and `cairn note` do. */
import { CairnError, createMarker } from '@cairn/core'
import type { Engine, KnownMemory, MemoryKind, MemoryVersion, Note } from '@cairn/core'
import { lastPage } from '../../components/pager.tsx'
import { rowName } from '../usage/dimension.ts'
import { projectNames } from '../usage/store-project-names.ts'
import {
  endOf,
  entryView,
  lastContradictionAt,
  linkedEntry,
  noteView,
  sourceSession,
  suggestionsView,
  versionView,
} from './memory-view.ts'
import type { EntryView, LinkedEntry, NoteView, SourceSession, SuggestionsView, VersionView } from './memory-view.ts'
import { ENTRY_PAGE, NOTE_PAGE, NOTE_SHOWN } from './page-sizes.ts'

/** What of the engine is used here. */
type Asked = Pick<Engine, 'memory' | 'notes' | 'suggestions' | 'store'>

/** A project that can be chosen, with how much is remembered of it. */
export interface ProjectChoice {
  readonly workspace: string
  readonly name: string
  readonly entries: number
  readonly notes: number
}

/** Returns every folder that has entries, notes or requests, by name, those of the same name by path. */
export const projectChoices = async ({ store }: Pick<Asked, 'store'>): Promise<readonly ProjectChoice[]> => {
  const [remembered, noting, { rows }] = await Promise.all([
    store.memory.workspaces(),
    store.notes.workspaces(),
    store.usage.report({ by: 'workspace' }),
  ])
  const entries = new Map(remembered.map((each) => [each.workspace, each.entries]))
  const notes = new Map(
    await Promise.all(noting.map(async (path) => [path, (await store.notes.list(path)).length] as const)),
  )
  const known = rows.map(({ key }) => key).filter((key) => key !== 'unknown' && key !== '')
  const workspaces = [...new Set([...entries.keys(), ...notes.keys(), ...known])]
  const names = await projectNames(store)
  return workspaces
    .map((workspace) => ({
      workspace,
      name: rowName('project', workspace, names).label,
      entries: entries.get(workspace) ?? 0,
      notes: notes.get(workspace) ?? 0,
    }))
    .sort((left, right) => left.name.localeCompare(right.name) || (left.workspace < right.workspace ? -1 : 1))
}

/** Which entries are asked for. */
export interface EntriesQuery {
  /** Undefined: all. */
  readonly project?: string | undefined
  readonly kind?: MemoryKind | undefined
  /** Those that have ended, the last ended first, instead of the current ones. */
  readonly isEnded?: boolean | undefined
  /** '' lists all, the last confirmed first; else those that hold the words, the best first. */
  readonly text: string
  /** From 1; past the last one means the last. */
  readonly page: number
}

/** A page of entries. */
export interface EntriesAnswer {
  readonly rows: readonly EntryView[]
  readonly page: number
  readonly count: number
  /** Of all that were found, 0 … 1; null for none, and for those that have ended. */
  readonly averageConfidence: number | null
  readonly stale: number
  /** How many were contradicted and hold all the same. */
  readonly contradicted: number
}

/** Entries that a search looks for in one project. */
const MOST_FOUND = 200

/** Returns the projects that a query is about. */
const workspacesOf = async (
  { store }: Pick<Asked, 'store'>,
  project: string | undefined,
): Promise<readonly string[]> =>
  project === undefined ? (await store.memory.workspaces()).map(({ workspace }) => workspace) : [project]

/**
 * Returns the last versions of entries that have ended: the last ended first, or with words those that hold most of them.
 */
const endedOf = async (
  engine: Pick<Asked, 'memory' | 'store'>,
  { project, kind, text }: EntriesQuery,
): Promise<readonly MemoryVersion[]> => {
  const workspaces = await workspacesOf(engine, project)
  const listing = kind === undefined ? {} : { kind }
  const all = (await Promise.all(workspaces.map((workspace) => engine.memory.ended(workspace, listing)))).flat()
  if (text.trim() === '') return all.sort((left, right) => (right.validTo ?? 0) - (left.validTo ?? 0))
  const marker = createMarker(text)
  return all
    .map((version) => ({ version, coverage: marker.coverage(version.entry.text) }))
    .filter(({ coverage }) => coverage > 0)
    .sort((left, right) => right.coverage - left.coverage)
    .map(({ version }) => version)
}

/**
 * Returns the entries that a query asks for: with words, the best matches first; without, as the engine lists them, or
 * across all projects the last confirmed first. With words at most `MOST_FOUND` of each project.
 */
const entriesOf = async (
  { memory, store }: Asked,
  { project, kind, text }: Omit<EntriesQuery, 'isEnded'>,
): Promise<readonly KnownMemory[]> => {
  const listing = kind === undefined ? {} : { kind }
  const workspaces = await workspacesOf({ store }, project)
  if (text.trim() !== '') {
    const found = await Promise.all(
      workspaces.map((workspace) => memory.search(workspace, text, { ...listing, limit: MOST_FOUND })),
    )
    return found
      .flat()
      .sort((left, right) => right.score - left.score)
      .map(({ entry }) => entry)
  }
  const all = await Promise.all(workspaces.map((workspace) => memory.list(workspace, listing)))
  return project === undefined
    ? all.flat().sort((left, right) => right.lastConfirmedAt - left.lastConfirmedAt || (left.id < right.id ? 1 : -1))
    : all.flat()
}

/** Returns a page of what was found, and its number; one past the last is the last. */
const cut = <T>(all: readonly T[], wanted: number): { readonly shown: readonly T[]; readonly page: number } => {
  const page = Math.min(wanted, lastPage(ENTRY_PAGE, all.length))
  return { shown: all.slice((page - 1) * ENTRY_PAGE, page * ENTRY_PAGE), page }
}

/**
 * Returns a page of entries, and figures about all that match. A page past the last is the last. For ended entries the
 * average is null, and `stale` and `contradicted` are 0.
 */
export const memoryEntries = async (engine: Asked, query: EntriesQuery): Promise<EntriesAnswer> => {
  const names = await projectNames(engine.store)
  if (query.isEnded === true) {
    const all = await endedOf(engine, query)
    const { shown, page } = cut(all, query.page)
    const rows = shown.map((version) => entryView(version.entry, names, { ended: endOf(version) }))
    return { rows, page, count: all.length, averageConfidence: null, stale: 0, contradicted: 0 }
  }
  const all = await entriesOf(engine, query)
  const { shown, page } = cut(all, query.page)
  const rows = shown.map(async (entry) => {
    const contradictedAt =
      entry.contradictions === 0 ? null : lastContradictionAt(await engine.memory.history(entry.id))
    return entryView(entry, names, { contradictedAt })
  })
  return {
    rows: await Promise.all(rows),
    page,
    count: all.length,
    averageConfidence: all.length === 0 ? null : all.reduce((sum, { confidence }) => sum + confidence, 0) / all.length,
    stale: all.filter(({ stale }) => stale !== undefined).length,
    contradicted: all.filter(({ contradictions }) => contradictions > 0).length,
  }
}

/** An entry with its versions. */
export interface EntryDetails {
  /** Null: it has ended; only its history is left. */
  readonly entry: EntryView | null
  /** The oldest first. */
  readonly versions: readonly VersionView[]
  /** Where it was learnt; null where nobody said, or the session is not in the store. */
  readonly session: SourceSession | null
  /** Entries that ended because this one holds instead. */
  readonly replaces: readonly LinkedEntry[]
  /** What holds instead of it; null while it is current, and if nothing does. */
  readonly replacedBy: LinkedEntry | null
}

/** Returns the entries that an entry replaces, and the one that replaced it. */
const linksOf = async (
  { memory }: Pick<Asked, 'memory'>,
  last: MemoryVersion,
): Promise<Pick<EntryDetails, 'replaces' | 'replacedBy'>> => {
  const { id, workspace } = last.entry
  const replaces = (await memory.ended(workspace)).filter(({ replacedBy }) => replacedBy === id)
  const next = last.replacedBy === null ? undefined : (await memory.history(last.replacedBy)).at(-1)
  return { replaces: replaces.map(linkedEntry), replacedBy: next === undefined ? null : linkedEntry(next) }
}

/**
 * Returns an entry with all its versions, oldest first, the session it comes from (null if that is gone), and the entries
 * that it replaces or that replaced it; `entry` is null once it has ended. Rejects with `not-found` for an unknown id.
 */
export const entryDetails = async (engine: Asked, id: string): Promise<EntryDetails> => {
  const versions = await engine.memory.history(id)
  const last = versions.at(-1)
  const entry = last?.validTo === null ? await engine.memory.get(id) : undefined
  const sessionId = last?.entry.sessionId ?? null
  const session = sessionId === null ? undefined : await engine.store.sessions.get(sessionId)
  const messageId = last?.entry.messageId ?? null
  return {
    entry: entry === undefined ? null : entryView(entry, undefined, { contradictedAt: lastContradictionAt(versions) }),
    versions: versions.map(versionView),
    ...(last === undefined ? { replaces: [], replacedBy: null } : await linksOf(engine, last)),
    session:
      session === undefined
        ? null
        : sourceSession(session, messageId === null ? null : await seqOf(engine, session.id, messageId)),
  }
}

/** Messages that are looked through for one, at once. */
const AT_ONCE = 1_000

/**
 * Returns the position of a message in its session's log; null if it is not there. Reads the log in parts until it is
 * found.
 */
const seqOf = async ({ store }: Pick<Asked, 'store'>, id: string, messageId: string): Promise<number | null> => {
  for (let fromSeq = 0; ;) {
    const entries = await store.sessions.read(id, { fromSeq, limit: AT_ONCE, kinds: ['message'] })
    const found = entries.find((entry) => entry.kind === 'message' && entry.id === messageId)
    if (found !== undefined) return found.seq
    const last = entries.at(-1)
    if (last === undefined) return null
    fromSeq = last.seq + 1
  }
}

/**
 * Resolves if the store knows the project; rejects with `not-found` otherwise: a page may not look into other folders.
 */
export const assertProject = async ({ store }: Pick<Asked, 'store'>, workspace: string): Promise<void> => {
  const { total } = await store.sessions.list({ workspace, limit: 1 })
  if (total > 0) return
  if ((await store.memory.workspaces()).some((each) => each.workspace === workspace)) return
  if ((await store.notes.workspaces()).includes(workspace)) return
  throw new CairnError('not-found', 'There is nothing of this project in the store.')
}

/**
 * Returns what the last sessions of a project have in common. `branch`: the one that is checked out there, for
 * suggestions about its files. Nothing is stored.
 */
export const memorySuggestions = async (
  engine: Asked,
  workspace: string,
  branch: string | undefined,
): Promise<SuggestionsView> =>
  suggestionsView(await engine.suggestions.list(workspace, branch === undefined ? {} : { branch }))

/** A page of notes. */
export interface NotesAnswer {
  readonly rows: readonly NoteView[]
  readonly page: number
  readonly count: number
}

/**
 * Returns a page of notes: of one project by key, or of all by project; with words, the notes that contain them, best
 * first, at most `MOST_FOUND` of each project. Texts are cut. Pages count from 1; one past the last means the last.
 */
export const notesPage = async (
  { notes, store }: Asked,
  { project, text, page }: Omit<EntriesQuery, 'kind'>,
): Promise<NotesAnswer> => {
  const workspaces = project === undefined ? await store.notes.workspaces() : [project]
  const found: readonly Note[] =
    text.trim() === ''
      ? (await Promise.all(workspaces.map((workspace) => notes.list(workspace)))).flat()
      : (await Promise.all(workspaces.map((workspace) => notes.search(workspace, text, MOST_FOUND))))
          .flat()
          .sort((left, right) => right.score - left.score)
          .map(({ note }) => note)
  const within = Math.min(page, lastPage(NOTE_PAGE, found.length))
  const names = await projectNames(store)
  return {
    rows: found.slice((within - 1) * NOTE_PAGE, within * NOTE_PAGE).map((note) => noteView(note, NOTE_SHOWN, names)),
    page: within,
    count: found.length,
  }
}
