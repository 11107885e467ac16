/** Entries of the memory and notes that answer a search, beside what was said. */
import type { Engine, MemoryEntry, Note } from '@cairn/core'
import type { TimeRange } from './option-values.ts'
import { projectName } from './project-option.ts'
import { createMarker, snippetFor } from './recall-snippet.ts'

export interface Knowledge {
  readonly memory: readonly { readonly entry: MemoryEntry; readonly score: number }[]
  readonly notes: readonly { readonly note: Note; readonly score: number }[]
}

export const NO_KNOWLEDGE: Knowledge = { memory: [], notes: [] }

/** More of them would stand before what was said. */
const MOST = 5
/** What holds less of the query shares a word with it by chance. */
const LEAST_COVERAGE = 0.34

/** Conditions that entries and notes can meet. */
export interface KnowledgeFilter extends TimeRange {
  /** A path or a name; absent: all projects. */
  readonly workspace: string | undefined
  readonly limit: number
}

const best = <T extends { readonly score: number }>(lists: readonly (readonly T[])[], limit: number): readonly T[] => lists.flat().sort((left, right) => right.score - left.score).slice(0, limit)

/** What is known that answers the words, the best first. Without long-term memory, notes only. */
export const knowledgeFor = async (query: string, { workspace, since, until, limit }: KnowledgeFilter, engine: Engine): Promise<Knowledge> => {
  const marker = createMarker(query)
  const answers = (text: string): boolean => marker.coverage(text) >= LEAST_COVERAGE
  const isWithin = (from: number, to: number): boolean => (since === undefined || to >= since) && (until === undefined || from < until)
  const isMeant = (path: string): boolean => workspace === undefined || path === workspace || projectName(path) === workspace
  const most = Math.min(limit, MOST)
  const remembering = engine.privacy.longTermMemory ? (await engine.store.memory.workspaces()).map((known) => known.workspace).filter(isMeant) : []
  const noting = (await engine.store.notes.workspaces()).filter(isMeant)
  const memory = await Promise.all(remembering.map((path) => engine.memory.search(path, query)))
  const notes = await Promise.all(noting.map((path) => engine.notes.search(path, query)))
  return {
    memory: best(
      memory.map((found) => found.filter(({ entry }) => answers([entry.text, ...entry.examples].join('\n')) && isWithin(entry.firstSeenAt, entry.lastConfirmedAt))),
      most,
    ),
    notes: best(
      notes.map((found) => found.filter(({ note }) => answers(`${note.key} ${note.text}`) && isWithin(note.createdAt, note.updatedAt))),
      most,
    ),
  }
}

/** As `--json` prints it: entries whole, notes with the part that answers. */
export const knowledgeJson = ({ memory, notes }: Knowledge, query: string): { readonly memory: readonly unknown[]; readonly notes: readonly unknown[] } => {
  const marker = createMarker(query)
  return {
    memory: memory.map(({ entry, score }) => ({ ...entry, score })),
    notes: notes.map(({ note: { text, ...note }, score }) => ({ ...note, score, snippet: snippetFor(text, marker).text })),
  }
}
