/** Storage of settings and caches in three tiers: global, per workspace, per session. */
import type { JsonValue } from '../json.ts'

export type StateScope =
  | { readonly tier: 'global' }
  | { readonly tier: 'workspace'; readonly workspace: string }
  | { readonly tier: 'session'; readonly sessionId: string }

export type StateTier = StateScope['tier']

/** The changes of a scope since a revision. */
export interface StateChanges {
  /** Pass this to the next call. 0 if the scope was never written. */
  readonly revision: number
  /** Everything that is set, not only changes: a key that is not in `values` is not set. */
  readonly isWhole: boolean
  /** Keys written since, with their current value; undefined: removed. */
  readonly values: ReadonlyMap<string, JsonValue | undefined>
  /** Keys whose stored value is not what was written; they are not in `values`. */
  readonly damaged: readonly string[]
}

export interface StateStorage {
  /**
   * The value of a key in a scope; undefined if it is not set there. Other scopes are not consulted. Rejects with
   * `storage-corrupt` if the stored value is not what was written; so does `all`.
   */
  get(scope: StateScope, key: string): Promise<JsonValue | undefined>
  /** All values of a scope by key; empty if it has none. */
  all(scope: StateScope): Promise<ReadonlyMap<string, JsonValue>>
  /** Sets (or, with undefined, removes) several values atomically. */
  set(scope: StateScope, values: ReadonlyMap<string, JsonValue | undefined>): Promise<void>
  /**
   * What any process set and removed since. No change is missed: a scope's changes are numbered in the order in which
   * they become visible. A revision is valid only for its own scope.
   * @param since 0, or a `revision` that was returned
   */
  changes(scope: StateScope, since: number): Promise<StateChanges>
  /**
   * Removes and returns a value; of several concurrent callers in any process, one gets it and the others undefined.
   */
  take(scope: StateScope, key: string): Promise<JsonValue | undefined>
  /**
   * Replaces the value that was read (undefined: not set) by another; undefined removes it. Returns false, and changes
   * nothing, if the value is a different one now: of several concurrent callers in any process, one succeeds.
   */
  replace(
    scope: StateScope,
    key: string,
    expected: JsonValue | undefined,
    value: JsonValue | undefined,
  ): Promise<boolean>
}
