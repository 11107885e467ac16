/** The cache of settings and state over their storage. */
import { CairnError } from '../errors.ts'
import type { JsonValue } from '../json.ts'
import type { StateScope, StateStorage, StateTier } from '../ports/state-storage.ts'
import type { Timer } from '../ports/timer.ts'
import { ScopeCache } from './scope-cache.ts'
import { scopeName, scopeText } from './state-key.ts'
import type { ScopeOf, StateKey } from './state-key.ts'
import type { EffectiveValue, State, StateSubject } from './state.ts'
import type { StateEvent, StateListener } from './state-event.ts'
import { createWriteBehind } from './write-behind.ts'
import type { WriteBehind } from './write-behind.ts'

export interface StateDeps {
  readonly storage: Pick<StateStorage, 'set' | 'changes'>
  readonly timer: Timer
  /** Ms since the epoch. */
  readonly now: () => number
  /** All declared keys; other stored keys are left alone. */
  readonly keys: readonly StateKey[]
  /**
   * Subscribes to changes by any process (and may call back without one); returns the unsubscribe function. Default:
   * other processes are not followed.
   */
  readonly follow?: (onChange: () => void) => () => void
  /** Whether a text looks like a secret, which must not be stored. */
  readonly isSecret?: (text: string) => boolean
  /** Delay from the first value set until the batch is written, ms. Default 500. */
  readonly writeDelayMs?: number
}

/** Unreadable values that were replaced are kept under this prefix, with key and time. */
export const ASIDE = 'aside/'

/**
 * Creates a state over a storage. Nothing is read before `open`, and writes are stored shortly after, unless they are
 * awaited.
 */
export const createState = (deps: StateDeps): State => new CachedState(deps)

class CachedState implements State {
  readonly #storage: StateDeps['storage']
  readonly #now: () => number
  readonly #keys: ReadonlyMap<string, StateKey>
  readonly #isSecret: (text: string) => boolean
  readonly #writes: WriteBehind
  readonly #opening = new Map<string, Promise<void>>()
  readonly #opened = new Map<string, ScopeCache>()
  /** Parsed values of a scope, by key; discarded after a change. */
  readonly #parsed = new Map<string, Map<string, JsonValue>>()
  readonly #listeners = new Set<StateListener>()
  readonly #unfollow: () => void
  /** Serialises reads and writes, so that a read after a write sees it. */
  #turn: Promise<unknown> = Promise.resolve()
  #next: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor({ storage, timer, now, keys, follow, isSecret, writeDelayMs }: StateDeps) {
    this.#storage = storage
    this.#now = now
    this.#keys = new Map(keys.map((key) => [key.name, key]))
    this.#isSecret = isSecret ?? (() => false)
    this.#writes = createWriteBehind({
      timer,
      write: (scope, values) => this.#inTurn(() => storage.set(scope, values)),
      onFailure: (failure) => this.#tell({ type: 'write-failed', ...failure }),
      ...(writeDelayMs === undefined ? {} : { delayMs: writeDelayMs }),
    })
    this.#unfollow = follow?.(() => this.#catchUp()) ?? (() => undefined)
  }

  async open(...scopes: readonly StateScope[]): Promise<void> {
    await Promise.all(scopes.map((scope) => this.#openScope(scope)))
  }

  /**
   * Reads a scope, once for all callers. Rejects if it can't be read, and then the next call tries again; with
   * `invalid-input` if the state is closed.
   */
  async #openScope(scope: StateScope): Promise<void> {
    this.#assertOpen()
    const text = scopeText(scope)
    const opening = this.#opening.get(text) ?? this.#load(scope)
    this.#opening.set(text, opening)
    try {
      await opening
    } catch (error) {
      this.#opening.delete(text)
      throw error
    }
  }

  /**
   * Reads a scope, and tells of its values that are not valid. Within one turn: what is noticed after the read finds
   * the scope open.
   */
  #load(scope: StateScope): Promise<void> {
    return this.#inTurn(async () => {
      const cache = new ScopeCache(scope)
      cache.take(await this.#storage.changes(scope, 0), () => false)
      this.#opened.set(scopeText(scope), cache)
      for (const key of [...cache.keys(), ...cache.damaged]) this.#reportUnusable(cache, key)
    })
  }

  /**
   * A key's value in one scope, not in wider ones; its fallback if there is none or it is not valid.
   * @throws CairnError `invalid-input` for a scope that was not opened
   */
  get<Value extends JsonValue, Tier extends StateTier>(
    key: StateKey<Value, Tier>,
    scope: ScopeOf<NoInfer<Tier>>,
  ): Value {
    return this.#parsedValue(key, this.#cacheOf(scope)) ?? key.fallback
  }

  /**
   * The value that holds: of the session, else the workspace, else global, else the fallback, and from where it is.
   * Tiers that the key does not have are skipped, and values that are not valid.
   * @throws CairnError `invalid-input` for a scope that was not opened
   */
  effective<Value extends JsonValue, Tier extends StateTier>(
    key: StateKey<Value, Tier>,
    { workspace, sessionId }: StateSubject,
  ): EffectiveValue<Value> {
    const scopes: readonly StateScope[] = [
      ...(sessionId === undefined ? [] : [{ tier: 'session', sessionId } as const]),
      ...(workspace === undefined ? [] : [{ tier: 'workspace', workspace } as const]),
      { tier: 'global' },
    ]
    for (const scope of scopes) {
      if (!key.tiers.some((tier) => tier === scope.tier)) continue
      const value = this.#parsedValue(key, this.#cacheOf(scope))
      if (value !== undefined) return { value, from: scope.tier }
    }
    return { value: key.fallback, from: 'default' }
  }

  /**
   * Sets a value, readable at once and written soon after.
   * @throws CairnError `usage`, with nothing changed, for a value that is not valid or looks like a secret; and as
   * `#put`
   */
  set<Value extends JsonValue, Tier extends StateTier>(
    key: StateKey<Value, Tier>,
    scope: ScopeOf<NoInfer<Tier>>,
    value: NoInfer<Value>,
  ): void {
    const parsed = key.schema.safeParse(value)
    if (!parsed.success) throw new CairnError('usage', `That is no value of ${key.name}; it is as it was.`)
    if (textsOf(parsed.data).some(this.#isSecret))
      throw new CairnError(
        'usage',
        `What was given for ${key.name} looks like a key or a password, and settings are not kept secret: it was not stored. Keys of providers are kept by cairn secret set <provider>.`,
      )
    this.#put(key, scope, parsed.data)
  }

  unset<Tier extends StateTier>(key: StateKey<JsonValue, Tier>, scope: ScopeOf<NoInfer<Tier>>): void {
    this.#put(key, scope, undefined)
  }

  /**
   * Puts a value into a scope, undefined to remove it, and tells of the change; nothing if it is the same. A former
   * value that the schema refuses is kept under `ASIDE`.
   * @throws CairnError `usage` for a scope the key can't have, `invalid-input` for one not opened or a closed state
   */
  #put(key: StateKey, scope: StateScope, value: JsonValue | undefined): void {
    this.#assertOpen()
    if (!key.tiers.includes(scope.tier))
      throw new CairnError('usage', `${key.name} can't be set for ${scopeName(scope)}; nothing was changed.`)
    const cache = this.#cacheOf(scope)
    const before = cache.get(key.name)
    const isUnreadable = before !== undefined && !key.schema.safeParse(before).success
    if (!cache.put(key.name, value)) return
    // What another version wrote is not lost with this one's first write.
    if (isUnreadable) this.#write(cache, `${ASIDE}${key.name}/${this.#now()}`, before)
    this.#write(cache, key.name, value)
    this.#tell({ type: 'changed', scope, key: key.name, value, by: 'here' })
  }

  /** Puts a value into the cache, undefined to remove it, and queues its write. Nothing is checked or told. */
  #write(cache: ScopeCache, key: string, value: JsonValue | undefined): void {
    cache.put(key, value)
    this.#parsed.get(scopeText(cache.scope))?.delete(key)
    this.#writes.add(cache.scope, key, value)
  }

  flush(): Promise<void> {
    return this.#writes.flush()
  }

  /**
   * Reads again what changed in every opened scope. Joins a read that is queued but not one that has started: it may
   * miss what the caller needs.
   */
  refresh(): Promise<void> {
    this.#next ??= this.#inTurn(async () => {
      this.#next = undefined
      for (const cache of this.#opened.values()) await this.#read(cache, cache.revision)
    })
    return this.#next
  }

  /** Reads all values of every opened scope again, whatever revision is known. */
  async reload(): Promise<void> {
    await this.#inTurn(async () => {
      for (const cache of this.#opened.values()) await this.#read(cache, 0)
    })
  }

  /**
   * Reads what changed in a scope after a revision, and tells of it; values that wait to be written here stay. What
   * can't be used is reported.
   */
  async #read(cache: ScopeCache, since: number): Promise<void> {
    const { scope } = cache
    const changes = await this.#storage.changes(scope, since)
    const changed = cache.take(changes, (key) => this.#writes.isPending(scope, key))
    const parsed = this.#parsed.get(scopeText(scope))
    for (const { key, value } of changed) {
      parsed?.delete(key)
      this.#tell({ type: 'changed', scope, key, value, by: 'elsewhere' })
    }
    for (const key of [...changed.map((change) => change.key), ...changes.damaged]) this.#reportUnusable(cache, key)
  }

  /** Adds a listener; gives what removes it. */
  listen(listener: StateListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  /**
   * Writes what waits and ends everything. Rejects with `storage-failed` if values are lost; it is closed all the same.
   */
  async #close(): Promise<void> {
    this.#unfollow()
    let waiting = 0
    const stopListening = this.listen((event) => {
      if (event.type === 'write-failed') ({ waiting } = event)
    })
    try {
      await this.flush()
    } catch (cause) {
      throw new CairnError(
        'storage-failed',
        `${waiting === 1 ? 'A setting' : `${waiting} settings`} could not be stored and ${waiting === 1 ? 'is' : 'are'} lost; what was stored before is as it was. Set ${waiting === 1 ? 'it' : 'them'} again once the store can be written.`,
        { cause },
      )
    } finally {
      stopListening()
      this.#writes.stop()
      this.#listeners.clear()
    }
  }

  /** Reads again what changed; that it failed is told as `read-failed`. */
  #catchUp(): void {
    this.refresh().catch((error: unknown) => this.#tell({ type: 'read-failed', error }))
  }

  /**
   * A scope's own value as its key's schema reads it; undefined if there is none, or it is not valid, in which case it
   * stays stored. An object is parsed once and is the same one until its value changes: it must not be changed.
   */
  #parsedValue<Value extends JsonValue>(
    key: Pick<StateKey<Value>, 'name' | 'schema'>,
    cache: ScopeCache,
  ): Value | undefined {
    const stored = cache.get(key.name)
    if (stored === undefined) return undefined
    // Only objects are worth keeping: each parse makes a copy of them.
    if (typeof stored !== 'object') {
      const parsed = key.schema.safeParse(stored)
      return parsed.success ? parsed.data : undefined
    }
    const text = scopeText(cache.scope)
    const known = this.#parsed.get(text) ?? new Map<string, JsonValue>()
    this.#parsed.set(text, known)
    const kept = known.get(key.name)
    // Only what this key's schema gave is in there.
    if (kept !== undefined) return kept as Value
    const parsed = key.schema.safeParse(stored)
    if (!parsed.success) return undefined
    known.set(key.name, parsed.data)
    return parsed.data
  }

  /** Tells of a stored value that is damaged or not valid; nothing for unknown keys. */
  #reportUnusable(cache: ScopeCache, name: string): void {
    const { scope } = cache
    if (cache.damaged.has(name)) {
      this.#tell({ type: 'refused', scope, key: name, reason: 'damaged' })
      return
    }
    const [key, stored] = [this.#keys.get(name), cache.get(name)]
    if (key === undefined || stored === undefined || key.schema.safeParse(stored).success) return
    this.#tell({ type: 'refused', scope, key: name, reason: 'invalid' })
  }

  /**
   * The cache of a scope.
   * @throws CairnError `invalid-input` if it was not opened
   */
  #cacheOf(scope: StateScope): ScopeCache {
    const cache = this.#opened.get(scopeText(scope))
    if (cache !== undefined) return cache
    throw new CairnError('invalid-input', `The state of ${scopeName(scope)} was not opened.`)
  }

  /** Runs `work` after all earlier work, whether or not that succeeded. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work)
    this.#turn = mine.catch(() => undefined)
    return mine
  }

  /** @throws CairnError `invalid-input` once the state is closed or closing */
  #assertOpen(): void {
    if (this.#closing !== undefined) throw new CairnError('invalid-input', 'The state has been closed.')
  }

  /** Calls every listener, at once. */
  #tell(event: StateEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}

/**
 * All texts in a value, including names. The depth is limited by the key's schema. Numbers, booleans and null have
 * none.
 */
const textsOf = (value: JsonValue): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each: JsonValue) => textsOf(each))
  return Object.entries(value).flatMap(([name, each]) => [name, ...textsOf(each ?? null)])
}
