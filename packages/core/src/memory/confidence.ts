/**
 * How sure an entry is, 0 … 1. It changes when something is seen, never by time: age counts where entries are compared
 * (`priority`), so whatever is done to the memory without news may be done again at any later time and changes nothing.
 */
import type { MemoryEntry, MemoryKind } from '../ports/memory-storage.ts'

/** A share of what was missing to certainty is gained when the entry is seen to be true again … */
const CONFIRMED_GAIN = 0.2
/** … and a larger one when something was solved with it. */
const APPLIED_GAIN = 0.3
/** What is left after the entry was seen to be wrong. */
const CONTRADICTED_REST = 0.5
/** An entry whose confidence falls below this is ended. */
export const MEMORY_ENDS_BELOW = 0.1

/** The confidence, 0 … 1, that an entry of this kind starts with when none is given: a discovery's is higher. */
export const defaultConfidence = (kind: MemoryKind): number => (kind === 'discovery' ? 0.8 : 0.7)

/** Ten decimals: sums of the same numbers in another order stay the same. */
const rounded = (confidence: number): number => Math.round(Math.min(1, Math.max(0, confidence)) * 1e10) / 1e10

/**
 * A copy of the entry after one more confirmation at `at` (ms): its confidence gains a share of what is missing to 1.
 * `applied`: it also helped to solve something, which counts more.
 */
export const confirmed = (entry: MemoryEntry, at: number, applied: boolean): MemoryEntry => ({
  ...entry,
  confidence: rounded(entry.confidence + (1 - entry.confidence) * (applied ? APPLIED_GAIN : CONFIRMED_GAIN)),
  confirmations: entry.confirmations + 1,
  applications: entry.applications + (applied ? 1 : 0),
  lastConfirmedAt: Math.max(entry.lastConfirmedAt, at),
})

/**
 * A copy of the entry after a contradiction, its confidence cut. Ending an entry that falls too low is the caller's
 * matter. Its times and confirmations stay.
 */
export const contradicted = (entry: MemoryEntry): MemoryEntry => ({
  ...entry,
  confidence: rounded(entry.confidence * CONTRADICTED_REST),
  contradictions: entry.contradictions + 1,
})
