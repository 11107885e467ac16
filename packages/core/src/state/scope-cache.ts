/** What is known of one scope: its values as stored, and which of them can't be used. */
import type { JsonValue } from '../json.ts'
import type { StateChanges, StateScope } from '../ports/state-storage.ts'
import { isSameJson } from './state-key.ts'

/** A key whose value is another than before. */
export interface CacheChange {
  readonly key: string
  /** Undefined: it is not set any more. */
  readonly value: JsonValue | undefined
}

export class ScopeCache {
  readonly scope: StateScope
  readonly #values = new Map<string, JsonValue>()
  readonly #damaged = new Set<string>()
  /** How far the storage was read. */
  revision = 0

  constructor(scope: StateScope) {
    this.scope = scope
  }

  /** The value as it is stored, or will be; undefined: not set, or damaged. */
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

  /** Sets or (with undefined) removes a value. @returns whether it is another one than before */
  put(key: string, value: JsonValue | undefined): boolean {
    if (isSameJson(this.#values.get(key), value) && !this.#damaged.has(key)) return false
    this.#damaged.delete(key)
    if (value === undefined) this.#values.delete(key)
    else this.#values.set(key, value)
    return true
  }

  /**
   * Takes over what the storage has.
   * @param isOurs whether a key was set here and not stored yet: then ours is the newer one
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
