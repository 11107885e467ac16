/** What a key of state holds, and in which tiers it may be set. */
import type { JsonValue } from '../json.ts'
import type { StateScope, StateTier } from '../ports/state-storage.ts'

/** The part of a zod schema that is needed here: zod itself is loaded by those who declare keys. */
export interface ValueSchema<Value> {
  safeParse(value: unknown): { readonly success: true; readonly data: Value } | { readonly success: false }
}

/** A key with the type of its values. */
export interface StateKey<Value extends JsonValue = JsonValue, Tier extends StateTier = StateTier> {
  readonly name: string
  readonly tiers: readonly Tier[]
  /** Gives a copy that the caller may not change. */
  readonly schema: ValueSchema<Value>
  /** What it is where nothing is set. */
  readonly fallback: Value
}

/** The scopes in which a key of these tiers may be set. */
export type ScopeOf<Tier extends StateTier> = Extract<StateScope, { readonly tier: Tier }>

/** A text for a scope, as a key; no two scopes share one. */
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

/** A scope in a sentence, for people: `all projects`, `the project …`, `the session …`. */
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

/** Whether two JSON values are the same, order of names included. Undefined is the same as undefined only. */
export const isSameJson = (left: JsonValue | undefined, right: JsonValue | undefined): boolean =>
  left === right ||
  (typeof left === 'object' && typeof right === 'object' && JSON.stringify(left) === JSON.stringify(right))
