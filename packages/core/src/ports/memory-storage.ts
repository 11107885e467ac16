/** Storage of a workspace's long-term memory. Entries are superseded, never overwritten: every version stays. */
export const MEMORY_KINDS = ['discovery', 'solution', 'pattern', 'workflow', 'failure', 'context_rule'] as const
export type MemoryKind = (typeof MEMORY_KINDS)[number]

export interface MemoryEntry {
  /** Unique in the store; ids sort by creation time. */
  readonly id: string
  /** The project's path, as in sessions. */
  readonly workspace: string
  readonly kind: MemoryKind
  readonly text: string
  /** 0 … 1. */
  readonly confidence: number
  /** `path:line`, `path:line-line`, or a short text. */
  readonly examples: readonly string[]
  /** Where it was learned: session, message, commit; null if unknown. */
  readonly sessionId: string | null
  readonly messageId: string | null
  readonly commit: string | null
  /** The author: `user`, `agent`, `import:clio`, … */
  readonly source: string
  readonly firstSeenAt: number
  readonly lastConfirmedAt: number
  /** How often it helped to solve something. */
  readonly applications: number
  readonly confirmations: number
  readonly contradictions: number
}

/** Why a version stopped being current. */
export type MemoryEnd = 'updated' | 'forgotten' | 'superseded' | 'pruned' | 'merged' | 'contradicted'

/** An entry as it was during a time span. */
export interface MemoryVersion {
  readonly entry: MemoryEntry
  readonly validFrom: number
  /** Null if it is current. */
  readonly validTo: number | null
  readonly ended: MemoryEnd | null
  /** Id of the entry that replaced it; null if none did. */
  readonly replacedBy: string | null
}

export type MemoryWrite =
  /** A new entry, or a new version of the one with the same id. */
  | { readonly op: 'put'; readonly entry: MemoryEntry }
  /** Ends the entry; it is still visible as of earlier times. */
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

/**
 * Which current entries a change reads: those with one of the ids, and those with the same words as one of the texts.
 */
export interface MemoryReading {
  readonly ids?: readonly string[]
  /** Same words in the same order (`wordKey`), of any kind of entry. */
  readonly saying?: readonly string[]
}

export interface MemoryStorage {
  /**
   * Reads a workspace's current entries, decides and writes atomically: no other writer of the workspace, in any
   * process, intervenes. `decide` may run more than once and must have no side effects; if it throws, this rejects with
   * its error, and nothing is written. The writes are on disk when this resolves. New versions start at `at` (ms), or
   * at the start of the entry's last version if that is later (clocks differ). Ending an entry that is not current has
   * no effect. With `reading`, `decide` receives only those entries, so that the cost does not grow with the memory.
   * Rejects with `invalid-input`, and writes nothing, for an entry of another workspace, or an id that is not 1 to 100
   * visible ASCII characters.
   */
  change<T>(
    workspace: string,
    at: number,
    decide: (current: readonly MemoryEntry[]) => MemoryDecision<T>,
    reading?: MemoryReading,
  ): Promise<T>
  /**
   * The current entry with exactly this id, or the one as of a time (ms); undefined if there is none, or it had ended.
   */
  get(id: string, asOf?: number): Promise<MemoryEntry | undefined>
  /** Current entries (or those as of a time, ms), most recently confirmed first, then newest. */
  list(
    workspace: string,
    options?: { readonly kind?: MemoryKind; readonly asOf?: number },
  ): Promise<readonly MemoryEntry[]>
  /** A text that changes with each change of the workspace's entries, and only then. Reads no entry. */
  revision(workspace: string): Promise<string>
  /** All versions of an entry, oldest first. */
  history(id: string): Promise<readonly MemoryVersion[]>
  /** The last version of each entry that has ended and was not added again; latest end first, then newest. */
  ended(workspace: string): Promise<readonly MemoryVersion[]>
  /**
   * Entries of any workspace whose id starts with the text, including ended ones, sorted by id; at most `limit`. If
   * there are none, those whose id ends with it, because ids created in the same hour start alike; this needs four
   * characters or more.
   */
  resolve(
    part: string,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly workspace: string; readonly current: boolean }[]>
  /** Workspaces with entries, sorted, and the number of current ones. */
  workspaces(): Promise<readonly { readonly workspace: string; readonly entries: number }[]>
}
