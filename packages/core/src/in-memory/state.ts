/** Settings and caches of the in-memory store. */
import type { JsonValue } from '../json.ts'
import type { StateChanges, StateScope, StateStorage } from '../ports/state-storage.ts'
import type { StoreData, StoredState } from './data.ts'

/** One text a scope; no two scopes share one. In another order of keys or with more of them it is the same text. */
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

/**
 * State storage over the in-memory store's data: values are copied both ways, each `set` of something gets the next
 * revision, of all scopes together, and undefined removes a value. `replace` gives false, with nothing changed, if the
 * value is not `expected`; `take` gives the value and removes it.
 */
export const createInMemoryState = (data: StoreData): StateStorage => {
  const valuesOf = (scope: StateScope): ReadonlyMap<string, JsonValue> =>
    data.state.get(scopeKey(scope))?.values ?? new Map()
  const storage: StateStorage = {
    get: async (scope, key) => structuredClone(valuesOf(scope).get(key)),
    all: async (scope) => structuredClone(valuesOf(scope)),
    take: async (scope, key) => {
      const value = valuesOf(scope).get(key)
      if (value !== undefined) await storage.set(scope, new Map([[key, undefined]]))
      return value
    },
    set: async (scope, values) => {
      if (values.size === 0) return
      data.stateRevision += 1
      const revision = data.stateRevision
      const held = data.state.get(scopeKey(scope)) ?? {
        values: new Map(),
        revisions: new Map(),
        origin: revision,
        revision,
      }
      held.revision = revision
      for (const [key, value] of values) {
        if (value !== undefined) held.values.set(key, structuredClone(value))
        else if (!held.values.delete(key)) continue
        held.revisions.set(key, revision)
      }
      data.state.set(scopeKey(scope), held)
      data.changed()
    },
    replace: async (scope, key, expected, value) => {
      if (JSON.stringify(valuesOf(scope).get(key)) !== JSON.stringify(expected)) return false
      await storage.set(scope, new Map([[key, value]]))
      return true
    },
    changes: async (scope, since) => changesOf(data.state.get(scopeKey(scope)), since),
  }
  return storage
}

/**
 * The values that changed after a revision, undefined for removed ones; all of them (`isWhole`) if the revision is from
 * before this state.
 */
const changesOf = (held: StoredState | undefined, since: number): StateChanges => {
  if (held === undefined) return { revision: 0, isWhole: true, values: new Map(), damaged: [] }
  const { revision, origin, values, revisions } = held
  if (since < origin) return { revision, isWhole: true, values: structuredClone(values), damaged: [] }
  const keys = [...revisions].filter(([, at]) => at > since).map(([key]) => key)
  return {
    revision,
    isWhole: false,
    values: new Map(keys.map((key) => [key, structuredClone(values.get(key))])),
    damaged: [],
  }
}
