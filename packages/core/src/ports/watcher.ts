/** Tells of changes to files. */
export interface FileChange {
  readonly path: string
  readonly type: 'created' | 'changed' | 'deleted'
}

export interface Watcher {
  /** Calls back after a file's content has come to rest. Returns the end of the watch; ending twice is harmless. */
  watch(paths: readonly string[], listener: (change: FileChange) => void): Promise<() => Promise<void>>
}
