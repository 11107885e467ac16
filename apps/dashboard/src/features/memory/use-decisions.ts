'use client'
/** Suggestions that were decided on stay where they stood, so that no other comes under the pointer. */
import { useState } from 'react'
import type { SuggestionView } from './memory-view.ts'
import type { Change } from './use-change.ts'

/** What somebody did with a suggestion. */
export type Decision = 'Remembered' | 'Dismissed'

/** A suggestion as a row of the list. */
export interface SuggestionRow {
  readonly suggestion: SuggestionView
  /** Undefined for what still is to be decided. */
  readonly decision?: Decision
}

interface Decided extends Required<SuggestionRow> {
  /** Where the row stood in the list. */
  readonly index: number
}

/**
 * Returns the rows of the list: what is suggested, in its order, with each decided suggestion where it stood when it
 * was decided, also where it is not suggested any more.
 */
export const withDecided = (
  suggestions: readonly SuggestionView[],
  decided: readonly Decided[],
): readonly SuggestionRow[] => {
  const ids = new Set(decided.map(({ suggestion }) => suggestion.id))
  const rows: SuggestionRow[] = suggestions.filter(({ id }) => !ids.has(id)).map((suggestion) => ({ suggestion }))
  for (const each of decided.toSorted((left, right) => left.index - right.index)) rows.splice(each.index, 0, each)
  return rows
}

interface Decisions {
  readonly rowsOf: (suggestions: readonly SuggestionView[]) => readonly SuggestionRow[]
  /** Runs what a decision on the row at `index` does; the row keeps its place once that is done. */
  readonly decide: (made: Decided, work: () => Promise<unknown>, done: string) => void
}

/**
 * Decisions on a project's suggestions since its list was opened; none once another project is chosen. `decide` keeps
 * one whose work succeeded.
 */
export const useDecisions = (project: string | undefined, { run }: Change): Decisions => {
  const [state, setState] = useState<{ readonly project: string | undefined; readonly made: readonly Decided[] }>({
    project,
    made: [],
  })
  const made = state.project === project ? state.made : []
  return {
    rowsOf: (suggestions) => withDecided(suggestions, made),
    decide: (decided, work, done) =>
      void run(work, done).then((isDone) => {
        if (isDone) setState({ project, made: [...made, decided] })
      }),
  }
}
