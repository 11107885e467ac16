/** Long-term memory of a workspace. Entries are superseded, never overwritten: every version stays. */
export const MEMORY_KINDS = ['discovery', 'solution', 'pattern', 'workflow', 'failure', 'context_rule'] as const
export type MemoryKind = (typeof MEMORY_KINDS)[number]

export interface MemoryEntry {
  /** Unique in the store, sorts by the time it was made. */
  readonly id: string
  /** The project's path; the same text that sessions carry. */
  readonly workspace: string
  readonly kind: MemoryKind
  readonly text: string
  /** 0 … 1. */
  readonly confidence: number
  /** `path:line`, `path:line-line`, or a short text. */
  readonly examples: readonly string[]
  /** Where it was learnt: session, message, commit; null where not known. */
  readonly sessionId: string | null
  readonly messageId: string | null
  readonly commit: string | null
  /** Who wrote it: `user`, `agent`, `import:clio`, … */
  readonly source: string
  readonly firstSeenAt: number
  readonly lastConfirmedAt: number
  /** How often it was used to solve something. */
  readonly applications: number
  readonly confirmations: number
  readonly contradictions: number
}

/** Why a version stopped being current. */
export type MemoryEnd = 'updated' | 'forgotten' | 'superseded' | 'pruned' | 'merged' | 'contradicted'

/** An entry as it was in a span of time. */
export interface MemoryVersion {
  readonly entry: MemoryEntry
  readonly validFrom: number
  /** Null: it is current. */
  readonly validTo: number | null
  readonly ended: MemoryEnd | null
  /** Id of the entry that replaced it; null where none did. */
  readonly replacedBy: string | null
}

export type MemoryWrite =
  /** A new entry, or a new version of the one with the same id. */
  | { readonly op: 'put'; readonly entry: MemoryEntry }
  /** Ends the entry; earlier times still show it. */
  | {
      readonly op: 'end'
      readonly id: string
      readonly reason: Exclude<MemoryEnd, 'updated'>
      readonly replacedBy?: string
    }

export interface MemoryDecision<T> {
  readonly writes: readonly MemoryWrite[]
  readonly result: T
}

/** Which current entries a change reads: those with one of the ids, and those with the same words as one of the texts. */
export interface MemoryReading {
  readonly ids?: readonly string[]
  /** Same words in the same order (`wordKey`), of any kind of entry. */
  readonly saying?: readonly string[]
}

export interface MemoryStorage {
  /**
   * Reads a workspace's current entries, decides and writes as one: no other writer of the workspace, in any process,
   * comes in between. `decide` may run more than once and must have no effect of its own; what it throws is what this
   * rejects with, and nothing is written. What it wrote is on disk when this resolves. `at` (ms) is when the new versions
   * begin; an entry whose last version begins later (clocks differ) goes on from there. Ends of entries that are not
   * current have no effect. With `reading`, `decide` is given only those entries, so that the cost does not grow with
   * what is remembered. Rejects with `invalid-input`, and writes nothing, for an entry of another workspace, or an id
   * that is not 1 to 100 visible ASCII characters.
   */
  change<T>(
    workspace: string,
    at: number,
    decide: (current: readonly MemoryEntry[]) => MemoryDecision<T>,
    reading?: MemoryReading,
  ): Promise<T>
  /** The current entry of this very id, or the one of a time (ms); undefined when there is none, or it had ended. */
  get(id: string, asOf?: number): Promise<MemoryEntry | undefined>
  /** Current entries (or those of a time, ms), the last confirmed first; of equal ones the last made. */
  list(
    workspace: string,
    options?: { readonly kind?: MemoryKind; readonly asOf?: number },
  ): Promise<readonly MemoryEntry[]>
  /** Another text after each change of the workspace's entries, and the same until then. Reads no entry. */
  revision(workspace: string): Promise<string>
  /** All versions of an entry, the oldest first. */
  history(id: string): Promise<readonly MemoryVersion[]>
  /**
   * Entries (of any workspace) whose id begins with the text, also ended ones, sorted by id; at most `limit`. Where none
   * does, those whose id ends with it: ids that were made in the same hour begin alike. An end has four characters or more.
   */
  resolve(
    part: string,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly workspace: string; readonly current: boolean }[]>
  /** Workspaces that have entries, sorted, with how many are current. */
  workspaces(): Promise<readonly { readonly workspace: string; readonly entries: number }[]>
}
