/** Following transcripts on this machine. */
export { watchTranscripts, type WatchEvent, type WatchOptions, type WatchedImport } from './watch-transcripts.ts'
