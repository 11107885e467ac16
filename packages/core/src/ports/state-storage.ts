/** Settings and caches in three tiers: global, a workspace's, a session's. */
import type { JsonValue } from '../json.ts'

export type StateScope =
  | { readonly tier: 'global' }
  | { readonly tier: 'workspace'; readonly workspace: string }
  | { readonly tier: 'session'; readonly sessionId: string }

export type StateTier = StateScope['tier']

/** What happened to a scope since a revision. */
export interface StateChanges {
  /** Ask with this the next time. 0: the scope was never written. */
  readonly revision: number
  /** Everything that is set, and not only what changed: a key that is not in `values` is not set. */
  readonly isWhole: boolean
  /** Keys that were written since, with the value that they have now; undefined: removed. */
  readonly values: ReadonlyMap<string, JsonValue | undefined>
  /** Keys whose stored value is not what was written; they are not in `values`. */
  readonly damaged: readonly string[]
}

export interface StateStorage {
  /**
   * The value of a key in a scope; undefined when none was set. Other scopes are not asked. Rejects with `storage-corrupt`
   * when what is stored is not what was written; so does `all`.
   */
  get(scope: StateScope, key: string): Promise<JsonValue | undefined>
  /** All values of a scope by their keys; empty when it has none. */
  all(scope: StateScope): Promise<ReadonlyMap<string, JsonValue>>
  /** Sets (or, with undefined, removes) several values together. */
  set(scope: StateScope, values: ReadonlyMap<string, JsonValue | undefined>): Promise<void>
  /**
   * What was set and removed since, by whatever process. No change is left out: those of a scope are numbered in the order in
   * which they can be seen. A revision means something for its own scope only.
   * @param since 0, or a `revision` that was returned
   */
  changes(scope: StateScope, since: number): Promise<StateChanges>
  /** Removes a value and gives it; of several at once, by any process, one gets it and the others undefined. */
  take(scope: StateScope, key: string): Promise<JsonValue | undefined>
  /**
   * Puts a value in the place of the one that was read (undefined: none was set); undefined removes it. False, and nothing
   * changed, where another is set: of several that replace the same one, by any process, one does.
   */
  replace(
    scope: StateScope,
    key: string,
    expected: JsonValue | undefined,
    value: JsonValue | undefined,
  ): Promise<boolean>
}
