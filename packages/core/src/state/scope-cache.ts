/** The cached state of one scope: its values as stored, and which of them are unusable. */
import type { JsonValue } from '../json.ts'
import type { StateChanges, StateScope } from '../ports/state-storage.ts'
import { isSameJson } from './state-key.ts'

/** A key whose value changed. */
export interface CacheChange {
  readonly key: string
  /** Undefined: no longer set. */
  readonly value: JsonValue | undefined
}

export class ScopeCache {
  readonly scope: StateScope
  readonly #values = new Map<string, JsonValue>()
  readonly #damaged = new Set<string>()
  /** The storage revision up to which this was read. */
  revision = 0

  constructor(scope: StateScope) {
    this.scope = scope
  }

  /** The value as it is or will be stored; undefined if not set or damaged. */
  get(key: string): JsonValue | undefined {
    return this.#values.get(key)
  }

  keys(): readonly string[] {
    return [...this.#values.keys()]
  }

  /** Keys whose stored value is not what was written. */
  get damaged(): ReadonlySet<string> {
    return this.#damaged
  }

  /** Sets or (with undefined) removes a value. @returns whether it changed */
  put(key: string, value: JsonValue | undefined): boolean {
    if (isSameJson(this.#values.get(key), value) && !this.#damaged.has(key)) return false
    this.#damaged.delete(key)
    if (value === undefined) this.#values.delete(key)
    else this.#values.set(key, value)
    return true
  }

  /**
   * Applies changes from the storage. Gives what changed by it; damaged values count as removed.
   * @param isOurs whether a key was set here and is not stored yet, so that our value is newer
   */
  take(changes: StateChanges, isOurs: (key: string) => boolean): readonly CacheChange[] {
    const changed: CacheChange[] = []
    const put = (key: string, value: JsonValue | undefined): void => {
      if (!isOurs(key) && this.put(key, value)) changed.push({ key, value })
    }
    if (changes.isWhole) {
      for (const key of [...this.#values.keys()]) if (!changes.values.has(key)) put(key, undefined)
      this.#damaged.clear()
    }
    for (const [key, value] of changes.values) put(key, value)
    for (const key of changes.damaged) {
      put(key, undefined)
      if (!isOurs(key)) this.#damaged.add(key)
    }
    this.revision = changes.revision
    return changed
  }
}
