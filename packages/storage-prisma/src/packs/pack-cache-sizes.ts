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

/** A pass over a whole store holds no more. */
const ONCE_BYTES = 8 * MEGABYTE
/** The search index needs the rest. */
const SHARE_OF_BUDGET = 1 / 2

/** What is usual within a budget. */
export const packCacheSizes = ({ totalBytes }: Pick<MemoryBudget, 'totalBytes'>): PackCacheSizes => ({
  onceBytes: ONCE_BYTES,
  mostBytes: Math.max(ONCE_BYTES, Math.floor(totalBytes * SHARE_OF_BUDGET)),
})
