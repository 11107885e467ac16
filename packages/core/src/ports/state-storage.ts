/** Settings and caches in three tiers: global, a workspace's, a session's. */
import type { JsonValue } from '../json.ts'

export type StateScope =
  | { readonly tier: 'global' }
  | { readonly tier: 'workspace'; readonly workspace: string }
  | { readonly tier: 'session'; readonly sessionId: string }

export interface StateStorage {
  get(scope: StateScope, key: string): Promise<JsonValue | undefined>
  /** All values of a scope. */
  all(scope: StateScope): Promise<ReadonlyMap<string, JsonValue>>
  /** Sets (or, with undefined, removes) several values together. */
  set(scope: StateScope, values: ReadonlyMap<string, JsonValue | undefined>): Promise<void>
}
