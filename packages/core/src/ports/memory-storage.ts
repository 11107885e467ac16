/** Long-term memory of a workspace. Entries are superseded, never overwritten: every version stays. */
export type MemoryKind = 'discovery' | 'solution' | 'pattern' | 'workflow' | 'failure' | 'context_rule'

export interface MemoryEntry {
  readonly id: string
  readonly workspace: string
  readonly kind: MemoryKind
  readonly text: string
  /** 0 … 1. */
  readonly confidence: number
  /** `file:line` or a short text. */
  readonly examples: readonly string[]
  readonly sessionId: string | null
  readonly messageId: string | null
  readonly firstSeenAt: number
  readonly lastConfirmedAt: number
  readonly applications: number
}

export interface MemoryStorage {
  /** Adds an entry, or a new version of the one with the same id; any number of writers at once. */
  put(entry: MemoryEntry, at: number): Promise<void>
  get(id: string, asOf?: number): Promise<MemoryEntry | undefined>
  /** Current entries (or those of a time), the last confirmed first. */
  list(workspace: string, options?: { readonly kind?: MemoryKind; readonly asOf?: number }): Promise<readonly MemoryEntry[]>
  /** Ends the entry from `at` on; earlier times still show it. True if it was there. */
  forget(id: string, at: number): Promise<boolean>
}
