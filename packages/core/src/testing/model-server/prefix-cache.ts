/** The prefixes that a provider keeps, each for its lifetime; being read again renews it. */
import type { Lifetime, Prefix } from './tokens.ts'

const MINUTE_MS = 60_000

const LIFETIME_MS: Readonly<Record<Lifetime, number>> = {
  '5m': 5 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '12h': 720 * MINUTE_MS,
}

export interface PrefixCache {
  has(prefix: Prefix): boolean
  /** Notes that a prefix was read, which renews it for its lifetime. */
  renew(prefix: Prefix): void
  /** A prefix that is there keeps the longer of both lifetimes. */
  keep(prefix: Prefix, lifetime: Lifetime): void
}

/**
 * A provider's cache of prefixes, by their hashes; empty at first. A prefix lives until its lifetime has passed since
 * it was last kept or renewed. `now`: ms.
 */
export const createPrefixCache = (now: () => number): PrefixCache => {
  const kept = new Map<string, { lifetimeMs: number; until: number }>()
  const alive = (prefix: Prefix) => {
    const found = kept.get(prefix.hash)
    return found !== undefined && found.until > now() ? found : undefined
  }
  return {
    has: (prefix) => alive(prefix) !== undefined,
    renew: (prefix) => {
      const found = alive(prefix)
      if (found !== undefined) found.until = now() + found.lifetimeMs
    },
    keep: (prefix, lifetime) => {
      const lifetimeMs = Math.max(LIFETIME_MS[lifetime], alive(prefix)?.lifetimeMs ?? 0)
      kept.set(prefix.hash, { lifetimeMs, until: now() + lifetimeMs })
    },
  }
}
