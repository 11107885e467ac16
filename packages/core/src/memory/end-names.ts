/** What the ways in which a memory entry ends are called. */
import type { MemoryVersion } from '../ports/memory-storage.ts'

/** In words, for lists and histories. */
export const MEMORY_END_NAMES: Readonly<Record<NonNullable<MemoryVersion['ended']>, string>> = {
  updated: 'changed',
  forgotten: 'forgotten',
  superseded: 'replaced',
  pruned: 'pruned',
  merged: 'merged',
  contradicted: 'contradicted',
}
