/** Settings and caches in three tiers: global, a workspace's, a session's. */
import type { JsonValue } from '../json.ts'

export type StateScope =
  | { readonly tier: 'global' }
  | { readonly tier: 'workspace'; readonly workspace: string }
  | { readonly tier: 'session'; readonly sessionId: string }

export interface StateStorage {
  /** The value of a key in a scope; undefined when none was set. Other scopes are not asked. */
  get(scope: StateScope, key: string): Promise<JsonValue | undefined>
  /** All values of a scope by their keys; empty when it has none. */
  all(scope: StateScope): Promise<ReadonlyMap<string, JsonValue>>
  /** Sets (or, with undefined, removes) several values together. */
  set(scope: StateScope, values: ReadonlyMap<string, JsonValue | undefined>): Promise<void>
}
