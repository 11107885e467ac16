/** Suggestions for the memory as their users see them. */
import type { MemoryKind } from '../ports/memory-storage.ts'
import type { AddedMemory } from '../memory/memory.ts'

/** What sessions have in common. */
export type SuggestionRule =
  /** A check that most of the last sessions ran. */
  | 'check-command'
  /** A file that at least half of the last sessions began with. */
  | 'first-file'
  /** The files that the branch's last session edited. */
  | 'branch-files'

/** Where it was seen. */
export interface SuggestionEvidence {
  readonly sessionId: string
  /** The agent's own id of the session. */
  readonly externalId: string
  readonly messageId: string
  /** When the session was last active, ms; null when not known. */
  readonly at: number | null
  readonly title: string | null
}

export interface Suggestion {
  /** 12 hex digits; the same for the same finding in the same project, whenever it is asked. */
  readonly id: string
  readonly rule: SuggestionRule
  /** What it becomes in the memory when it is accepted. */
  readonly kind: MemoryKind
  readonly text: string
  /** Sessions in which it was seen, of the `of` that were looked at. */
  readonly sessions: number
  readonly of: number
  /** The newest session first. */
  readonly evidence: readonly SuggestionEvidence[]
}

export interface SuggestionReport {
  readonly workspace: string
  /** The best supported first; at most 10. */
  readonly suggestions: readonly Suggestion[]
  /** Sessions that were looked at: the last ones of the project. */
  readonly sessions: number
  /** Findings that are not offered: the project's instruction files or memory say them already, or somebody decided about them before. */
  readonly known: number
  readonly decided: number
  /** Instruction files that could not be read, so that what they say may be offered again. */
  readonly unread: readonly string[]
}

/** Which findings are looked for. */
export interface SuggestionQuery {
  /** The branch that is checked out: the files of its last session are offered. Trunks (`main`, `master`, …) have none. */
  readonly branch?: string
  /** The project's folder on this machine, where its instruction files lie. Default: the workspace. */
  readonly folder?: string
}

export interface Suggestions {
  /** What the last sessions have in common and nobody has written down yet. Writes nothing. */
  list(workspace: string, query?: SuggestionQuery): Promise<SuggestionReport>
  /** The suggestion of an id, or of its beginning. Writes nothing. Rejects as `accept` does. */
  find(workspace: string, id: string, query?: SuggestionQuery): Promise<Suggestion>
  /**
   * Takes a suggestion into the memory. `id` may be its beginning. Rejects with `not-found` for one that is not offered,
   * with `ambiguous` for the beginning of several.
   */
  accept(workspace: string, id: string, query?: SuggestionQuery): Promise<AddedMemory>
  /** Never offers it again in this project. Rejects as `accept` does. */
  dismiss(workspace: string, id: string, query?: SuggestionQuery): Promise<Suggestion>
}
