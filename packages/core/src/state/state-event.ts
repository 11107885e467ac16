/** What a state tells those who listen. */
import type { JsonValue } from '../json.ts'
import type { StateScope } from '../ports/state-storage.ts'
import type { WriteFailure } from './write-behind.ts'

export type StateEvent =
  /** `value` is as it is stored; undefined: not set any more. `elsewhere`: by another process, or another state in this one. */
  | {
      readonly type: 'changed'
      readonly scope: StateScope
      readonly key: string
      readonly value: JsonValue | undefined
      readonly by: 'here' | 'elsewhere'
    }
  /** A stored value that can't be used: the key's fallback stands in for it, and the value stays where it is. */
  | {
      readonly type: 'refused'
      readonly scope: StateScope
      readonly key: string
      /** `invalid`: of another version, or set by hand. `damaged`: not what was written. */
      readonly reason: 'invalid' | 'damaged'
    }
  | ({ readonly type: 'write-failed' } & WriteFailure)
  /** What others changed could not be read; what is known stays, until the next notice of a change. */
  | { readonly type: 'read-failed'; readonly error: unknown }

/** Receives events; must not throw. */
export type StateListener = (event: StateEvent) => void
