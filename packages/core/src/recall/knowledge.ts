/** Memory entries and notes that match a search, shown beside messages. */
import type { KnownMemory, Memory } from '../memory/memory.ts'
import { wordKey } from '../memory/same-words.ts'
import type { Notes } from '../notes/notes.ts'
import type { MemoryStorage } from '../ports/memory-storage.ts'
import type { Note, NoteStorage } from '../ports/note-storage.ts'
import { createMarker, snippetFor } from './snippet.ts'

/** What is asked for entries and notes: an engine, or as much of one. */
export interface KnowledgeSource {
  readonly memory: Pick<Memory, 'search'>
  readonly notes: Pick<Notes, 'search'>
  readonly store: {
    readonly memory: Pick<MemoryStorage, 'workspaces'>
    readonly notes: Pick<NoteStorage, 'workspaces'>
  }
  readonly privacy: { readonly longTermMemory: boolean }
}

export interface Knowledge {
  readonly memory: readonly (Match & { readonly entry: KnownMemory })[]
  readonly notes: readonly (Match & { readonly note: Note })[]
}

interface Match {
  readonly score: number
  /** Other projects that have an entry or note with the same text. */
  readonly alsoIn: readonly string[]
}

export const NO_KNOWLEDGE: Knowledge = { memory: [], notes: [] }

/** Entries and notes shown, at most: they come before the messages. */
const MOST = 5
/** The share of the query's words that an entry or note must hold; below it a match is chance. */
const LEAST_COVERAGE = 0.34

/** Conditions that entries and notes can be checked for. */
export interface KnowledgeFilter {
  /** ms. */
  readonly since?: number
  /** ms. */
  readonly until?: number
  /** A path or a name; absent: all projects. */
  readonly workspace: string | undefined
  /** The reader's project, whose entries come first. Default: `workspace`. */
  readonly current?: string
  readonly limit: number
}

/** The last part of a workspace's path: `app` of `/code/app`, on any system. */
const nameOf = (workspace: string): string =>
  workspace
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .at(-1) ?? workspace

interface Candidate {
  readonly score: number
  readonly workspace: string
  /** Equal for candidates of several projects that hold the same. */
  readonly contentKey: string
}

/**
 * The best candidates, those of the current project first; equal ones of several projects are listed once. At most
 * `limit`; `alsoIn` are the other projects, sorted.
 */
const best = <T extends Candidate>(
  found: readonly T[],
  current: string | undefined,
  limit: number,
): readonly (T & Match)[] => {
  const ordered = [...found].sort(
    (left, right) =>
      Number(right.workspace === current) - Number(left.workspace === current) || right.score - left.score,
  )
  const same = [...Map.groupBy(ordered, ({ contentKey }) => contentKey).values()]
  return same
    .slice(0, limit)
    .flatMap(([first, ...others]) =>
      first === undefined ? [] : [{ ...first, alsoIn: [...new Set(others.map(({ workspace }) => workspace))].sort() }],
    )
}

/**
 * Memory entries and notes that match a query, those of the project `current` first, then the best, each at most
 * `limit` and `MOST`; what several projects say alike is one result. Without long-term memory, notes only. Times (ms):
 * since `since` (inclusive), before `until`. Rejects as the stores do.
 */
export const knowledgeFor = async (
  query: string,
  { workspace, current = workspace, since, until, limit }: KnowledgeFilter,
  engine: KnowledgeSource,
): Promise<Knowledge> => {
  const marker = createMarker(query)
  const answers = (text: string): boolean => marker.coverage(text) >= LEAST_COVERAGE
  const isWithin = (from: number, to: number): boolean =>
    (since === undefined || to >= since) && (until === undefined || from < until)
  const isMeant = (path: string): boolean => workspace === undefined || path === workspace || nameOf(path) === workspace
  const most = Math.min(limit, MOST)
  const remembering = engine.privacy.longTermMemory
    ? (await engine.store.memory.workspaces()).map((known) => known.workspace).filter(isMeant)
    : []
  const noting = (await engine.store.notes.workspaces()).filter(isMeant)
  const memory = await Promise.all(remembering.map((path) => engine.memory.search(path, query)))
  const notes = await Promise.all(noting.map((path) => engine.notes.search(path, query)))
  return {
    memory: best(
      memory
        .flat()
        .filter(
          ({ entry }) =>
            answers([entry.text, ...entry.examples].join('\n')) && isWithin(entry.firstSeenAt, entry.lastConfirmedAt),
        )
        .map(({ entry, score }) => ({
          entry,
          score,
          workspace: entry.workspace,
          contentKey: `${entry.kind} ${wordKey(entry.text)}`,
        })),
      current,
      most,
    ),
    notes: best(
      notes
        .flat()
        .filter(({ note }) => answers(`${note.key} ${note.text}`) && isWithin(note.createdAt, note.updatedAt))
        .map(({ note, score }) => ({
          note,
          score,
          workspace: note.workspace,
          contentKey: JSON.stringify([note.key, note.text]),
        })),
      current,
      most,
    ),
  }
}

/**
 * Whether an entry or a note that was found holds one of these words, in any form of it. Nothing does without words.
 */
export const knowledgeHolds = ({ memory, notes }: Knowledge, words: readonly string[]): boolean => {
  const texts = [
    ...memory.map(({ entry }) => [entry.text, ...entry.examples].join('\n')),
    ...notes.map(({ note }) => `${note.key} ${note.text}`),
  ]
  return words.some((word) => {
    const marker = createMarker(word)
    return texts.some((text) => marker.coverage(text) === 1)
  })
}

/** Entries and notes for `--json`: entries whole, notes with the snippet that fits the query in place of their text. */
export const knowledgeJson = (
  { memory, notes }: Knowledge,
  query: string,
): { readonly memory: readonly unknown[]; readonly notes: readonly unknown[] } => {
  const marker = createMarker(query)
  return {
    memory: memory.map(({ entry, score, alsoIn }) => ({ ...entry, score, alsoIn })),
    notes: notes.map(({ note: { text, ...note }, score, alsoIn }) => ({
      ...note,
      score,
      alsoIn,
      snippet: snippetFor(text, marker).text,
    })),
  }
}
