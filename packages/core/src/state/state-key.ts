/** A key of state: its values, and the tiers in which it may be set. */
import type { JsonValue } from '../json.ts'
import type { StateScope, StateTier } from '../ports/state-storage.ts'

/** The part of a zod schema used here; whoever declares keys loads zod. */
export interface ValueSchema<Value> {
  safeParse(value: unknown): { readonly success: true; readonly data: Value } | { readonly success: false }
}

/** A key with the type of its values. */
export interface StateKey<Value extends JsonValue = JsonValue, Tier extends StateTier = StateTier> {
  readonly name: string
  readonly tiers: readonly Tier[]
  /** Parses a value; the result is a copy that the caller must not change. */
  readonly schema: ValueSchema<Value>
  /** The value if nothing is set. */
  readonly fallback: Value
}

/** The scopes in which a key of these tiers may be set. */
export type ScopeOf<Tier extends StateTier> = Extract<StateScope, { readonly tier: Tier }>

/** A unique text for a scope, for use as a key. */
export const scopeText = (scope: StateScope): string => {
  switch (scope.tier) {
    case 'global':
      return 'global'
    case 'workspace':
      return `workspace:${scope.workspace}`
    case 'session':
      return `session:${scope.sessionId}`
  }
}

/** A scope in words: `all projects`, `the project …`, `the session …`. */
export const scopeName = (scope: StateScope): string => {
  switch (scope.tier) {
    case 'global':
      return 'all projects'
    case 'workspace':
      return `the project ${scope.workspace}`
    case 'session':
      return `the session ${scope.sessionId}`
  }
}

/** Whether two JSON values are equal, including the order of names. Undefined equals only undefined. */
export const isSameJson = (left: JsonValue | undefined, right: JsonValue | undefined): boolean =>
  left === right ||
  (typeof left === 'object' && typeof right === 'object' && JSON.stringify(left) === JSON.stringify(right))
