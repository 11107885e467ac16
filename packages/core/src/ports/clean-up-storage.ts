/** Unreferenced rows of a store, and when it was last cleaned up. */

/** The kinds of leftovers in a store. */
export type OrphanKind =
  'empty-session' | 'session-state' | 'index-row' | 'pack' | 'block-use' | 'import-record' | 'workspace' | 'name'

export interface OrphanCount {
  readonly kind: OrphanKind
  readonly found: number
  /** 0 in a dry run, and if another process was faster. */
  readonly removed: number
  /** Size of what was found, as stored, without the database's overhead. */
  readonly bytes: number
}

export interface OrphanQuery {
  /** Only counts; removes nothing. */
  readonly dryRun: boolean
  /** Only kinds that are found in milliseconds in a store of any size. */
  readonly quick: boolean
  /**
   * Whether an imported file is gone for good. If absent, no import record counts as a leftover: one of several
   * machines that share a store can't know.
   */
  readonly isGone?: (path: string) => boolean
}

/** The last clean-up, as recorded. */
export interface CleanUpRecord {
  /** ms */
  readonly at: number
  readonly report: string
}

export interface CleanUpStorage {
  /**
   * Removes what nothing refers to and what can be derived again, each kind completely or not at all. Entries,
   * requests, source lines, notes, memory and checkpoints, and anything they refer to, are never touched.
   */
  removeOrphans(query: OrphanQuery): Promise<readonly OrphanCount[]>
  /** True for one caller among all processes, once the last claim is `everyMs` old; `now` is in ms. */
  claim(now: number, everyMs: number): Promise<boolean>
  record(record: CleanUpRecord): Promise<void>
  /** The latest record; undefined if there is none. */
  last(): Promise<CleanUpRecord | undefined>
}
