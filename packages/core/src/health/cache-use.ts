/** How caches were used: added up, as a difference, and read from what was stored. */
import type { CacheFigures } from '../caching/memory-budget.ts'
import type { JsonObject } from '../json.ts'
import type { CacheUse } from '../ports/health-storage.ts'

const NO_USE: CacheUse = {
  hits: 0,
  misses: 0,
  repeats: 0,
  shared: 0,
  promotions: 0,
  evictions: 0,
  refusals: 0,
  bytes: 0,
}

type Field = keyof CacheUse
const FIELDS = Object.keys(NO_USE) as readonly Field[]

/** A use with a number for each of its fields. */
const useWith = (numberOf: (field: Field) => number): CacheUse => {
  const use: { -readonly [Name in Field]: number } = { ...NO_USE }
  for (const field of FIELDS) use[field] = numberOf(field)
  return use
}

/** Both uses of one cache as one: counts are added, of the bytes held it is the larger number. */
export const addUse = (first: CacheUse = NO_USE, second: CacheUse): CacheUse =>
  useWith((field) => (field === 'bytes' ? Math.max(first.bytes, second.bytes) : first[field] + second[field]))

/** The use between two moments, as counted from a program's start; a cache that is new counts from 0. */
export const useSince = (before: CacheUse = NO_USE, after: CacheUse): CacheUse =>
  useWith((field) => (field === 'bytes' ? after.bytes : after[field] - before[field]))

/** The use that figures tell of: since the program's start. */
export const useOfFigures = (figures: CacheFigures): CacheUse => useWith((field) => figures[field])

/** A stored use; what is missing or is no number from 0 counts as 0. */
export const parseUse = (value: JsonObject): CacheUse =>
  useWith((field) => {
    const number = value[field]
    return typeof number === 'number' && number >= 0 ? number : 0
  })
