/** Long-term memory of the in-memory store: a list of versions for each entry, the oldest first. */
import { CairnError } from '../errors.ts'
import { wordKey } from '../memory/same-words.ts'
import type {
  MemoryEnd,
  MemoryEntry,
  MemoryReading,
  MemoryStorage,
  MemoryVersion,
  MemoryWrite,
} from '../ports/memory-storage.ts'
import { compareText, revisionOf, type StoreData } from './data.ts'

/** The entry as of a time; undefined before it began or from its end on. Of versions that begin together the last. */
const versionAt = (versions: readonly MemoryVersion[], asOf: number): MemoryEntry | undefined => {
  const begun = versions.findLast((version) => version.validFrom <= asOf)
  return begun === undefined || (begun.validTo !== null && begun.validTo <= asOf) ? undefined : begun.entry
}

/** The entry as it is now; undefined without versions, or if it has ended. */
const currentOf = (versions: readonly MemoryVersion[]): MemoryEntry | undefined => {
  const last = versions.at(-1)
  return last?.validTo === null ? last.entry : undefined
}

const isRead = (entry: MemoryEntry, reading: MemoryReading | undefined): boolean =>
  reading === undefined ||
  (reading.ids ?? []).includes(entry.id) ||
  (reading.saying ?? []).some((text) => wordKey(text) === wordKey(entry.text))

const newestFirst = (left: MemoryEntry, right: MemoryEntry): number =>
  right.lastConfirmedAt - left.lastConfirmedAt || compareText(right.id, left.id)

const lastEndedFirst = (left: MemoryVersion, right: MemoryVersion): number =>
  (right.validTo ?? 0) - (left.validTo ?? 0) || compareText(right.entry.id, left.entry.id)

/** The last versions of a workspace's entries that have ended, the last ended first. */
const endedOf = (data: StoreData, workspace: string): readonly MemoryVersion[] =>
  [...data.memories.values()]
    .flatMap((versions) => versions.at(-1) ?? [])
    .filter(({ entry, validTo }) => entry.workspace === workspace && validTo !== null)
    .sort(lastEndedFirst)

/**
 * Ends the current version in the list (which is changed) with the reason and what replaces it, and gives the time (ms)
 * from which another one may begin: `at`, or later where versions would overlap. One that has ended stays as it is.
 */
const ended = (versions: MemoryVersion[], at: number, reason: MemoryEnd, replacedBy: string | null): number => {
  const last = versions.at(-1)
  if (last === undefined) return at
  if (last.validTo !== null) return Math.max(at, last.validTo)
  const end = Math.max(at, last.validFrom)
  versions[versions.length - 1] = { ...last, validTo: end, ended: reason, replacedBy }
  return end
}

/**
 * Checks a write; ends are always taken.
 * @throws CairnError `invalid-input` for an id that is not 1 to 100 visible ASCII characters, or an entry of another
 * workspace
 */
const assertWritable = (data: StoreData, workspace: string, write: MemoryWrite): void => {
  if (write.op === 'end') return
  const { id, workspace: own } = write.entry
  if (!/^[\x21-\x7e]{1,100}$/.test(id))
    throw new CairnError(
      'invalid-input',
      'The id of a memory entry has 1 to 100 visible ASCII characters; nothing was written.',
    )
  const known = data.memories.get(id)?.at(-1)?.entry.workspace ?? workspace
  if (own !== workspace || known !== workspace)
    throw new CairnError('invalid-input', `The memory entry ${id} belongs to another workspace; nothing was written.`)
}

/** Of the end of an id, so many characters at least are asked for. */
const SHORTEST_END = 4

/**
 * Memory storage over the in-memory store's data: what is given and what comes back are copies. A change is decided and
 * written without another in between, and one that may not be written rejects with nothing changed. An `end` of what is
 * not current does nothing. Lists are newest first; `resolve` takes a beginning, else the end (from `SHORTEST_END`
 * characters), of an id, also of ended entries, in order of the ids.
 */
export const createInMemoryMemories = (data: StoreData): MemoryStorage => {
  const versionsOf = (id: string): readonly MemoryVersion[] => data.memories.get(id) ?? []
  const entriesAt = (workspace: string, asOf: number | undefined): MemoryEntry[] =>
    [...data.memories.values()]
      .flatMap((versions) => (asOf === undefined ? currentOf(versions) : versionAt(versions, asOf)) ?? [])
      .filter((entry) => entry.workspace === workspace)
      .sort(newestFirst)

  const apply = (workspace: string, at: number, write: MemoryWrite): void => {
    const id = write.op === 'put' ? write.entry.id : write.id
    const versions = [...versionsOf(id)]
    if (write.op === 'put') {
      const validFrom = ended(versions, at, 'updated', null)
      versions.push({ entry: structuredClone(write.entry), validFrom, validTo: null, ended: null, replacedBy: null })
    } else if (currentOf(versions)?.workspace === workspace) ended(versions, at, write.reason, write.replacedBy ?? null)
    data.memories.set(id, versions)
  }

  return {
    change: async (workspace, at, decide, reading) => {
      const { writes, result } = decide(
        structuredClone(entriesAt(workspace, undefined).filter((entry) => isRead(entry, reading))),
      )
      for (const write of writes) assertWritable(data, workspace, write)
      for (const write of writes) apply(workspace, at, write)
      if (writes.length > 0) data.changed()
      return result
    },
    get: async (id, asOf) =>
      structuredClone(asOf === undefined ? currentOf(versionsOf(id)) : versionAt(versionsOf(id), asOf)),
    list: async (workspace, { kind, asOf } = {}) =>
      structuredClone(entriesAt(workspace, asOf).filter((entry) => kind === undefined || entry.kind === kind)),
    revision: async (workspace) => revisionOf(data.memories.values(), ({ entry }) => entry.workspace === workspace),
    history: async (id) => structuredClone(versionsOf(id)),
    ended: async (workspace) => structuredClone(endedOf(data, workspace)),
    resolve: async (part, limit) => {
      const known = [...data.memories].filter(([, versions]) => versions.length > 0)
      const beginning = known.filter(([id]) => id.startsWith(part))
      const found =
        beginning.length > 0 || part.length < SHORTEST_END ? beginning : known.filter(([id]) => id.endsWith(part))
      return found
        .map(([id, versions]) => ({
          id,
          workspace: versions.at(-1)?.entry.workspace ?? '',
          current: currentOf(versions) !== undefined,
        }))
        .sort((left, right) => compareText(left.id, right.id))
        .slice(0, limit)
    },
    workspaces: async () => {
      const counts = new Map<string, number>()
      for (const versions of data.memories.values()) {
        const workspace = versions.at(-1)?.entry.workspace
        if (workspace !== undefined)
          counts.set(workspace, (counts.get(workspace) ?? 0) + (currentOf(versions) === undefined ? 0 : 1))
      }
      return [...counts]
        .map(([workspace, entries]) => ({ workspace, entries }))
        .sort((left, right) => compareText(left.workspace, right.workspace))
    },
  }
}
