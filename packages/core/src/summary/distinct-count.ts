/**
 * How many different things were seen, from a sample of bounded size (the k smallest hashes; Bar-Yossef et al. 2002,
 * "Counting distinct elements in a data stream"). Samples unite in any order to the same sample, which no counter does
 * that forgets what it has seen. Exact below `SAMPLE_SIZE`, beyond that within about 10 %.
 */

/** Hashes, ascending, each once. */
export type DistinctSample = readonly number[]

/** Hashes in a sample; up to this many items the count is exact. */
export const SAMPLE_SIZE = 128
const HASHES = 2 ** 32

/**
 * A sample of keys, of bounded size, from which {@link distinctCount} estimates the number of different ones (k minimum
 * values). It holds hashes, ascending.
 */
export const distinctSample = (keys: readonly string[]): DistinctSample => smallest(keys.map(hashOf))

/** The sample of both sets of keys together: the same as if it were taken of all of them at once. */
export const uniteSamples = (left: DistinctSample, right: DistinctSample): DistinctSample =>
  smallest([...left, ...right])

/** How many different keys a sample was taken from: exact while the sample is not full, else an estimate. */
export const distinctCount = (sample: DistinctSample): number =>
  sample.length < SAMPLE_SIZE
    ? sample.length
    : Math.round(((SAMPLE_SIZE - 1) * HASHES) / ((sample[SAMPLE_SIZE - 1] ?? 0) + 1))

const smallest = (hashes: readonly number[]): DistinctSample =>
  [...new Set(hashes)].sort((left, right) => left - right).slice(0, SAMPLE_SIZE)

/** FNV-1a over UTF-16 units, mixed once more so that the small hashes are evenly spread too. 32 bits. */
const hashOf = (key: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
