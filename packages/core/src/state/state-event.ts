/** The events of a state. */
import type { JsonValue } from '../json.ts'
import type { StateScope } from '../ports/state-storage.ts'
import type { WriteFailure } from './write-behind.ts'

export type StateEvent =
  /**
   * `value` is the stored value; undefined: no longer set. `elsewhere`: changed by another process, or by another state
   * in this one.
   */
  | {
      readonly type: 'changed'
      readonly scope: StateScope
      readonly key: string
      readonly value: JsonValue | undefined
      readonly by: 'here' | 'elsewhere'
    }
  /** A stored value is unusable: the key's fallback is used, and the value stays stored. */
  | {
      readonly type: 'refused'
      readonly scope: StateScope
      readonly key: string
      /** `invalid`: from another version, or set by hand. `damaged`: not what was written. */
      readonly reason: 'invalid' | 'damaged'
    }
  | ({ readonly type: 'write-failed' } & WriteFailure)
  /** Changes of other processes could not be read; the cached values stay until the next notice of a change. */
  | { readonly type: 'read-failed'; readonly error: unknown }

/** Receives events; must not throw. */
export type StateListener = (event: StateEvent) => void
