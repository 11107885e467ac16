/** Settings and state in three tiers, as a program uses them. */
import type { JsonValue } from '../json.ts'
import type { StateScope, StateTier } from '../ports/state-storage.ts'
import type { ScopeOf, StateKey } from './state-key.ts'
import type { StateListener } from './state-event.ts'

/** A value, and where it comes from. */
export interface EffectiveValue<Value> {
  readonly value: Value
  readonly from: StateTier | 'default'
}

/** Whose values are asked for; a tier that is not named has none. */
export interface StateSubject {
  readonly workspace?: string | undefined
  readonly sessionId?: string | undefined
}

export interface State {
  /** Reads scopes, once each; from then on they are kept in step with what others write. Rejects when they can't be read. */
  open(...scopes: readonly StateScope[]): Promise<void>
  /**
   * The value of a key in a scope, at once; where nothing usable is set, the key's fallback. What it returns must not be
   * changed. @throws CairnError `invalid-input` for a scope that was not opened
   */
  get<Value extends JsonValue, Tier extends StateTier>(key: StateKey<Value, Tier>, scope: ScopeOf<NoInfer<Tier>>): Value
  /** The value that holds: the session's before the workspace's before the one for all. Their scopes are open. */
  effective<Value extends JsonValue, Tier extends StateTier>(
    key: StateKey<Value, Tier>,
    subject: StateSubject,
  ): EffectiveValue<Value>
  /**
   * Sets a value, at once for those who read here, and for all others within 500 ms. Of two processes that set a key the
   * later write wins. @throws CairnError `usage` for a value that the key does not take, and for one that looks like a secret
   */
  set<Value extends JsonValue, Tier extends StateTier>(
    key: StateKey<Value, Tier>,
    scope: ScopeOf<NoInfer<Tier>>,
    value: NoInfer<Value>,
  ): void
  /** As `set`: the fallback, or the next tier, holds again. */
  unset<Tier extends StateTier>(key: StateKey<JsonValue, Tier>, scope: ScopeOf<NoInfer<Tier>>): void
  /** Writes now what was set. Rejects when it can't; it is kept, and tried again. */
  flush(): Promise<void>
  /** Reads what others changed since. Called by itself where `follow` is given. Rejects when it can't. */
  refresh(): Promise<void>
  /** Reads everything anew. What was set here and is not stored yet stays. */
  reload(): Promise<void>
  /** Returns the end of the subscription. */
  listen(listener: StateListener): () => void
  /** Writes what was set, then ends. Rejects when it could not be written, with a sentence that says how much was lost. */
  close(): Promise<void>
}
