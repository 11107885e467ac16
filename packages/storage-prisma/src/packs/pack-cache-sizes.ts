/** How much of decompressed packs a process holds. */
import type { MemoryBudget } from '@cairn/core'

const MEGABYTE = 1024 * 1024

/** Bytes, see `SizedCacheOptions` of the core. */
export interface PackCacheSizes {
  /** Of packs that were read once. */
  readonly onceBytes: number
  /** Of all packs. */
  readonly mostBytes: number
}

/** Of packs that were read once, a pass over a whole store holds no more, nor more than three quarters of what packs may hold. */
const ONCE_BYTES = 8 * MEGABYTE
const MOST_SHARE_ONCE = 3 / 4
/** The search index needs the rest. */
const SHARE_OF_BUDGET = 1 / 2

/** How many bytes of unpacked texts may be kept within a budget: in all, and of those read only once. */
export const packCacheSizes = ({ totalBytes }: Pick<MemoryBudget, 'totalBytes'>): PackCacheSizes => {
  const mostBytes = Math.floor(totalBytes * SHARE_OF_BUDGET)
  return { onceBytes: Math.min(ONCE_BYTES, Math.floor(mostBytes * MOST_SHARE_ONCE)), mostBytes }
}
