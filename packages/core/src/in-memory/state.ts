/** Settings and caches of the in-memory store. */
import type { JsonValue } from '../json.ts'
import type { StateScope, StateStorage } from '../ports/state-storage.ts'
import type { StoreData } from './data.ts'

/** One text a scope; no two scopes share one. */
export const scopeKey = (scope: StateScope): string => {
  switch (scope.tier) {
    case 'global':
      return JSON.stringify(['global'])
    case 'workspace':
      return JSON.stringify(['workspace', scope.workspace])
    case 'session':
      return JSON.stringify(['session', scope.sessionId])
  }
}

/** State storage over the in-memory store's data. */
export const createInMemoryState = (data: StoreData): StateStorage => ({
  get: async (scope, key) => structuredClone(data.state.get(scopeKey(scope))?.get(key)),
  all: async (scope) => structuredClone(data.state.get(scopeKey(scope)) ?? new Map<string, JsonValue>()),
  set: async (scope, values) => {
    const held = data.state.get(scopeKey(scope)) ?? new Map<string, JsonValue>()
    for (const [key, value] of values) {
      if (value === undefined) held.delete(key)
      else held.set(key, structuredClone(value))
    }
    data.state.set(scopeKey(scope), held)
    data.changed()
  },
})
