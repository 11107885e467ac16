/** Clean-up of the in-memory store. Of names and content it keeps no tables, so only these kinds can be left over. */
import type { CleanUpStorage, OrphanCount, OrphanKind } from '../ports/clean-up-storage.ts'
import type { StoreData, StoredSession } from './data.ts'
import { scopeKey } from './state.ts'

/** Keys of what is left over, by kind; and how one is removed. */
interface Orphans {
  readonly kind: OrphanKind
  readonly keys: readonly string[]
  readonly bytes: (key: string) => number
  readonly remove: (key: string) => boolean
}

/**
 * Whether a session has no entries, source lines or title, and nothing refers to it: no request (also a failed one),
 * note or memory entry (also an earlier version), checkpoint, fork or state.
 */
const isUnused = (data: StoreData, { facts, entries, source }: StoredSession): boolean => {
  const { id } = facts
  const named = [
    [...data.requests.values()].some(({ sessionId }) => sessionId === id),
    [...data.failures.values()].some(({ sessionId }) => sessionId === id),
    [...data.notes.values()].flat().some(({ note }) => note.sessionId === id),
    [...data.memories.values()].flat().some(({ entry }) => entry.sessionId === id),
    [...data.checkpoints.values()].some(({ sessionId }) => sessionId === id),
    [...data.sessions.values()].some((other) => other.facts.forkedFrom === id),
    data.state.has(scopeKey({ tier: 'session', sessionId: id })),
  ]
  return entries.length === 0 && source.length === 0 && facts.title === undefined && !named.includes(true)
}

/** Sessions that are empty and that nothing refers to; removing one does not mark it as deleted. */
const emptySessions = (data: StoreData): Orphans => ({
  kind: 'empty-session',
  keys: [...data.sessions].flatMap(([id, session]) => (isUnused(data, session) ? [id] : [])),
  bytes: (id) => id.length,
  remove: (id) => data.sessions.delete(id),
})

/** Values of sessions that were deleted and did not come back. */
const stateOfDeleted = (data: StoreData): Orphans => ({
  kind: 'session-state',
  keys: [...data.deletedSessions]
    .filter((id) => !data.sessions.has(id))
    .map((sessionId) => scopeKey({ tier: 'session', sessionId }))
    .filter((scope) => (data.state.get(scope)?.values.size ?? 0) > 0),
  bytes: (scope) => scope.length,
  remove: (scope) => data.state.delete(scope),
})

/** Records of imported files that no session has lines of and that `isGone` says are no longer on disk. */
const importRecords = (data: StoreData, isGone: (path: string) => boolean): Orphans => {
  const withLines = new Set([...data.sessions.values()].flatMap(({ source }) => source.map(({ file }) => file)))
  return {
    kind: 'import-record',
    keys: [...data.files.keys()].filter((path) => !withLines.has(path) && isGone(path)),
    bytes: (path) => path.length,
    remove: (path) => {
      data.skips.delete(path)
      return data.files.delete(path)
    },
  }
}

/**
 * Clean-up over the in-memory store's data. A dry run counts and removes nothing; without `isGone` import records are
 * not looked at. Rejects when the store is closed. `claim` gives whether a clean-up is due, not within `everyMs` (ms)
 * of the last one, and if so counts as one from then on. `last` is undefined until one was recorded.
 */
export const createInMemoryCleanUp = (data: StoreData): CleanUpStorage => ({
  removeOrphans: async ({ dryRun, isGone }) => {
    data.assertOpen()
    const kinds = [
      emptySessions(data),
      stateOfDeleted(data),
      ...(isGone === undefined ? [] : [importRecords(data, isGone)]),
    ]
    const counts = kinds.map(({ kind, keys, bytes, remove }): OrphanCount => {
      const size = keys.reduce((sum, key) => sum + bytes(key), 0)
      return { kind, found: keys.length, removed: dryRun ? 0 : keys.filter(remove).length, bytes: size }
    })
    if (counts.some(({ removed }) => removed > 0)) data.changed()
    return counts
  },
  claim: async (now, everyMs) => {
    const last = data.cleanUps.get('last')
    if (last !== undefined && last.at > now - everyMs && last.at <= now) return false
    data.cleanUps.set('last', { at: now, report: last?.report ?? '' })
    return true
  },
  record: async (record) => void data.cleanUps.set('last', record),
  last: async () => {
    const last = data.cleanUps.get('last')
    return last === undefined || last.report === '' ? undefined : last
  },
})
