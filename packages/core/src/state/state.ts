/** Settings and state in three tiers: the interface for programs. */
import type { JsonValue } from '../json.ts'
import type { StateScope, StateTier } from '../ports/state-storage.ts'
import type { ScopeOf, StateKey } from './state-key.ts'
import type { StateListener } from './state-event.ts'

/** A value, and the tier it comes from. */
export interface EffectiveValue<Value> {
  readonly value: Value
  readonly from: StateTier | 'default'
}

/** The project and session to query; an absent tier has no values. */
export interface StateSubject {
  readonly workspace?: string | undefined
  readonly sessionId?: string | undefined
}

export interface State {
  /** Reads scopes, once each; from then on, they follow changes by other processes. Rejects if they can't be read. */
  open(...scopes: readonly StateScope[]): Promise<void>
  /**
   * The value of a key in a scope, from memory; the key's fallback if there is no usable value. The result must not be
   * changed. @throws CairnError `invalid-input` for a scope that was not opened
   */
  get<Value extends JsonValue, Tier extends StateTier>(key: StateKey<Value, Tier>, scope: ScopeOf<NoInfer<Tier>>): Value
  /** The effective value: the session's, else the workspace's, else the global one. Their scopes must be open. */
  effective<Value extends JsonValue, Tier extends StateTier>(
    key: StateKey<Value, Tier>,
    subject: StateSubject,
  ): EffectiveValue<Value>
  /**
   * Sets a value: visible here immediately, and to other processes within 500 ms. If two processes set a key, the later
   * write wins. @throws CairnError `usage` for a value that the key rejects, and for one that looks like a secret
   */
  set<Value extends JsonValue, Tier extends StateTier>(
    key: StateKey<Value, Tier>,
    scope: ScopeOf<NoInfer<Tier>>,
    value: NoInfer<Value>,
  ): void
  /** Like `set`, but removes the value: the fallback, or the next tier, applies again. */
  unset<Tier extends StateTier>(key: StateKey<JsonValue, Tier>, scope: ScopeOf<NoInfer<Tier>>): void
  /** Writes pending values now. Rejects if that fails; they are kept and retried. */
  flush(): Promise<void>
  /** Reads changes by other processes. Called automatically if `follow` is given. Rejects if that fails. */
  refresh(): Promise<void>
  /** Reads everything again. Values set here but not stored yet stay. */
  reload(): Promise<void>
  /** Subscribes to events; returns the unsubscribe function. */
  listen(listener: StateListener): () => void
  /**
   * Writes pending values, then closes. Rejects if they could not be written, with a sentence that says how much was
   * lost.
   */
  close(): Promise<void>
}
