/** Loaded only after a compaction. */
export { compactionContext } from '@cairn/core/hooks'
