/** Token buckets: how many requests somebody may make at once, and how many a second in the long run. */

/** How many requests are allowed. */
export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

/** How much of a name's limit is left, and as of when. */
interface Bucket {
  readonly tokens: number
  /** ms */
  readonly at: number
}

/** Limits how often each name may ask. */
export interface RateLimiter {
  /**
   * Takes so many tokens of a name's bucket. False, and nothing taken, where there are not as many: then the name asks
   * too much. What costs more than a whole bucket is never granted.
   */
  take(name: string, cost?: number): boolean
  /** Takes as many tokens as there are, at most `cost`. */
  drain(name: string, cost: number): void
}

/** Names that are remembered at once; whoever asked longest ago is forgotten first. */
const MOST_NAMES = 20_000

/**
 * Returns a limiter with a full bucket for each name. `take` gives whether the cost was there, and takes nothing if
 * not; `drain` takes what there is. Names that were not used for longest are full again.
 * @param now ms, of a clock that never goes back
 */
export const createRateLimiter = (
  { perSecond, burst }: RateLimit,
  now: () => number = () => performance.now(),
): RateLimiter => {
  const buckets = new Map<string, Bucket>()
  const filled = (name: string, at: number): number => {
    const bucket = buckets.get(name)
    return bucket === undefined ? burst : Math.min(burst, bucket.tokens + ((at - bucket.at) / 1_000) * perSecond)
  }
  const keep = (name: string, bucket: Bucket): void => {
    // Last in the map's order: the first one is the one to forget.
    buckets.delete(name)
    buckets.set(name, bucket)
    const [oldest] = buckets.keys()
    if (buckets.size > MOST_NAMES && oldest !== undefined) buckets.delete(oldest)
  }
  return {
    take(name, cost = 1) {
      const at = now()
      const tokens = filled(name, at)
      const isGranted = tokens >= cost
      keep(name, { tokens: isGranted ? tokens - cost : tokens, at })
      return isGranted
    },
    drain(name, cost) {
      const at = now()
      keep(name, { tokens: Math.max(0, filled(name, at) - cost), at })
    },
  }
}
