/** Rows of a store that nothing refers to any more, and when it was cleaned up last. */

/** What can be left over in a store. */
export type OrphanKind =
  'empty-session' | 'session-state' | 'index-row' | 'pack' | 'block-use' | 'import-record' | 'workspace' | 'name'

export interface OrphanCount {
  readonly kind: OrphanKind
  readonly found: number
  /** 0 in a dry run, and where another process was faster. */
  readonly removed: number
  /** Content of what was found, as stored; a database's own overhead is not counted. */
  readonly bytes: number
}

export interface OrphanQuery {
  /** Counts, and removes nothing. */
  readonly dryRun: boolean
  /** Only kinds that are found in milliseconds, however large the store is. */
  readonly quick: boolean
  /**
   * Whether an imported file is gone for good. Without it no import record counts as left over: of a store that several
   * machines share, one of them can't say it.
   */
  readonly isGone?: (path: string) => boolean
}

/** The last clean-up, as its report was recorded. */
export interface CleanUpRecord {
  /** ms */
  readonly at: number
  readonly report: string
}

export interface CleanUpStorage {
  /**
   * Removes what nothing refers to and what can be derived again, each kind as a whole or not at all. Entries, requests,
   * source lines, notes, memory and checkpoints are never touched, nor anything that one of these names.
   */
  removeOrphans(query: OrphanQuery): Promise<readonly OrphanCount[]>
  /** True for one caller, of all processes, once the last claim is `everyMs` old; `now`: ms. */
  claim(now: number, everyMs: number): Promise<boolean>
  record(record: CleanUpRecord): Promise<void>
  /** The one recorded last; undefined when there was none. */
  last(): Promise<CleanUpRecord | undefined>
}
