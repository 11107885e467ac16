/**
 * The confidence of an entry, from 0 to 1. It changes when the entry is confirmed or contradicted, never with time: age
 * only matters when entries are compared (`priority`). Repeating an operation later without new information therefore
 * changes nothing.
 */
import type { MemoryEntry, MemoryKind } from '../ports/memory-storage.ts'

/** A confirmation closes this share of the gap to 1 … */
const CONFIRMED_GAIN = 0.2
/** … and this larger share if the entry also helped to solve something. */
const APPLIED_GAIN = 0.3
/** The factor that remains after a contradiction. */
const CONTRADICTED_REST = 0.5
/** An entry whose confidence falls below this is ended. */
export const MEMORY_ENDS_BELOW = 0.1

/** The initial confidence (0 … 1) of an entry of this kind: higher for a discovery. */
export const defaultConfidence = (kind: MemoryKind): number => (kind === 'discovery' ? 0.8 : 0.7)

/** Rounds to ten decimals, so that the order of additions does not matter. */
const rounded = (confidence: number): number => Math.round(Math.min(1, Math.max(0, confidence)) * 1e10) / 1e10

/**
 * A copy of the entry after one more confirmation at `at` (ms): its confidence moves a share of the way to 1. `applied`
 * means that it also helped to solve something, which counts more.
 */
export const confirmed = (entry: MemoryEntry, at: number, applied: boolean): MemoryEntry => ({
  ...entry,
  confidence: rounded(entry.confidence + (1 - entry.confidence) * (applied ? APPLIED_GAIN : CONFIRMED_GAIN)),
  confirmations: entry.confirmations + 1,
  applications: entry.applications + (applied ? 1 : 0),
  lastConfirmedAt: Math.max(entry.lastConfirmedAt, at),
})

/**
 * A copy of the entry after a contradiction, with reduced confidence. The caller ends entries that fall too low. Times
 * and confirmations stay.
 */
export const contradicted = (entry: MemoryEntry): MemoryEntry => ({
  ...entry,
  confidence: rounded(entry.confidence * CONTRADICTED_REST),
  contradictions: entry.contradictions + 1,
})
