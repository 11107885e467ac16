/** A cache that loads what it lacks, once, however many ask for it at the same time. */
import { SizedCache } from './sized-cache.ts'
import type { SizedCacheOptions } from './sized-cache.ts'

export interface LoadingCacheOptions<Key, Raw, Value> extends SizedCacheOptions<Value> {
  /** Reads what is not held, all keys at once; a key that there is nothing of is left out. */
  readonly read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Raw>>
  /** Makes a value of what was read. Where it fails, only those who asked for this key hear of it. */
  readonly open: (raw: Raw) => Value | Promise<Value>
}

/** Values by key, which never change. What fails is not kept, and tried again when it is asked for again. */
export class LoadingCache<Key, Raw, Value> {
  readonly #options: LoadingCacheOptions<Key, Raw, Value>
  readonly #held: SizedCache<Key, Value>
  readonly #loading = new Map<Key, Promise<Value | undefined>>()

  constructor(options: LoadingCacheOptions<Key, Raw, Value>) {
    this.#options = options
    this.#held = new SizedCache(options)
  }

  /**
   * The values of the keys; one that there is nothing of is left out. What is not held is read, all at once, and kept;
   * what somebody else is loading is waited for, not read twice. Rejects as `read` and `open` do.
   */
  async get(keys: ReadonlySet<Key>): Promise<ReadonlyMap<Key, Value>> {
    const found = new Map<Key, Value>()
    const awaited: [Key, Promise<Value | undefined>][] = []
    const missing: Key[] = []
    for (const key of keys) {
      const loading = this.#loading.get(key)
      if (loading !== undefined) {
        this.#held.countShared()
        awaited.push([key, loading])
        continue
      }
      const value = this.#held.get(key)
      if (value === undefined) missing.push(key)
      else found.set(key, value)
    }
    if (missing.length > 0) awaited.push(...this.#load(missing))
    await Promise.all(
      awaited.map(async ([key, loading]) => {
        const value = await loading
        if (value !== undefined) found.set(key, value)
      }),
    )
    return found
  }

  /** Forgets everything; what is being loaded is not kept, nor given to those who ask from now on. */
  clear(): void {
    this.#loading.clear()
    this.#held.clear()
  }

  /** Forgets everything and leaves the budget. */
  close(): void {
    this.#loading.clear()
    this.#held.close()
  }

  /**
   * Reads all `keys` at once and opens each. While loading, others get the same promise. A value is kept unless the
   * cache was cleared meanwhile or it is too large; a failure never is.
   */
  #load(keys: readonly Key[]): [Key, Promise<Value | undefined>][] {
    const raws = this.#options.read(keys)
    return keys.map((key) => {
      const loading = raws.then(async (all) => {
        const raw = all.get(key)
        return raw === undefined ? undefined : await this.#options.open(raw)
      })
      const kept = loading.then(
        (value) => {
          if (this.#loading.get(key) !== kept) return value
          this.#loading.delete(key)
          if (value !== undefined) this.#held.set(key, value)
          return value
        },
        (error: unknown) => {
          if (this.#loading.get(key) === kept) this.#loading.delete(key)
          throw error
        },
      )
      this.#loading.set(key, kept)
      return [key, kept]
    })
  }
}
