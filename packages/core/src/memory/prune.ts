/** Selects entries to prune: not confirmed for a long time, of low confidence, or too many of their kind. */
import { CairnError } from '../errors.ts'
import type { MemoryEntry } from '../ports/memory-storage.ts'
import type { PruneOptions, PruneReport } from './memory.ts'
import { byPriority } from './priority.ts'

const DAY_MS = 86_400_000

/** Defaults: age in days, and the confidence below which entries are ended. */
export const PRUNE_DEFAULTS = { maxAgeDays: 90, minConfidence: 0.3, maxPerKind: 200 } as const

/** Limits that pruning applies. */
export type PruneLimits = Required<Omit<PruneOptions, 'dryRun'>>

/**
 * The options with defaults filled in.
 * @throws CairnError `invalid-input` for an invalid limit.
 */
export const pruneLimits = (options: PruneOptions): PruneLimits => {
  const {
    maxAgeDays = PRUNE_DEFAULTS.maxAgeDays,
    minConfidence = PRUNE_DEFAULTS.minConfidence,
    maxPerKind = PRUNE_DEFAULTS.maxPerKind,
  } = options
  if (!(maxAgeDays >= 0))
    throw new CairnError('invalid-input', 'The age of entries that are pruned is a number of days from 0 up.')
  if (!(minConfidence >= 0 && minConfidence <= 1))
    throw new CairnError('invalid-input', 'The lowest confidence that is kept is a number from 0 to 1.')
  if (!Number.isInteger(maxPerKind) || maxPerKind < 0)
    throw new CairnError('invalid-input', 'How many entries of a kind are kept is a whole number from 0 up.')
  return { maxAgeDays, minConfidence, maxPerKind }
}

/**
 * The entries that pruning would end at a time (ms), each with the first reason that holds (age, confidence, cap), in
 * the given order. Changes nothing. A solution is never ended for low confidence alone; of too many the ones of lowest
 * priority go.
 */
export const prunable = (
  current: readonly MemoryEntry[],
  now: number,
  { maxAgeDays, minConfidence, maxPerKind }: PruneLimits,
): PruneReport['pruned'] => {
  const reasons = new Map<string, 'age' | 'confidence' | 'cap'>()
  for (const { id, kind, confidence, lastConfirmedAt } of current) {
    if (now - lastConfirmedAt > maxAgeDays * DAY_MS) reasons.set(id, 'age')
    // What once solved a problem is worth keeping even where nobody is sure.
    else if (confidence < minConfidence && kind !== 'solution') reasons.set(id, 'confidence')
  }
  const left = Map.groupBy(
    current.filter(({ id }) => !reasons.has(id)),
    ({ kind }) => kind,
  )
  for (const entries of left.values())
    for (const { id } of entries.toSorted(byPriority(now)).slice(maxPerKind)) reasons.set(id, 'cap')
  return current.flatMap((entry) => {
    const why = reasons.get(entry.id)
    return why === undefined ? [] : [{ entry, why }]
  })
}
