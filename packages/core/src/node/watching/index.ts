/** Following transcripts on this machine. */
export type { WatchEvent, WatchListener, WatchedImport } from './watch-events.ts'
export { STARTING, watchStatusAfter, watchStatusText, type WatchStatus, type WatchStatusText } from './watch-status.ts'
export { isWatchSwitchedOff } from './watch-switch.ts'
export { watchTranscripts, type WatchOptions, type WatchedEngine } from './watch-transcripts.ts'
export { createFileAttribution } from './file-attribution.ts'
export type { AttributedChange, FileAttribution, FileAttributionOptions } from './file-attribution.ts'
export { createFileWatcher } from './file-watcher.ts'
export type { FileWatcher, FileWatcherOptions } from './file-watcher.ts'
