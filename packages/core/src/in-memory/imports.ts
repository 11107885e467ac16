/** Imports of the in-memory store. */
import type { ImportBatch, ImportCounts, ImportStorage, SessionBatch, SourceRun } from '../ports/import-storage.ts'
import type { MessageEntry } from '../session-log.ts'
import { compareText, externalIdOf, withSessionWorkspace, type StoreData } from './data.ts'

/**
 * Adds a session's entries and requests, without entries whose id it has already (one without an id is always added);
 * returns what was new. A request that is known already may get its final numbers; it counts as no new one.
 */
const addSession = (data: StoreData, { session: facts, writes }: SessionBatch): ImportCounts => {
  const isNew = !data.sessions.has(facts.id)
  const session = data.openSession(facts)
  let newMessages = 0
  let newRequests = 0
  for (const write of writes) {
    const id = externalIdOf(write)
    const isKnown = id !== undefined && session.externalIds.has(id)
    if (!isKnown) {
      data.addEntry(session, write)
      if (write.entry.kind === 'message') newMessages += 1
    }
    if (write.request === undefined) continue
    // A repeated entry shows nothing new, but may carry the request's final numbers.
    const visibleCharacters = isKnown ? 0 : (write.visibleCharacters ?? 0)
    if (
      data.addReport({
        agent: facts.agent,
        sessionId: facts.id,
        fact: withSessionWorkspace(facts, write.request),
        visibleCharacters,
      })
    )
      newRequests += 1
  }
  return { newSessions: isNew ? 1 : 0, newMessages, newRequests }
}

const isSameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && left.every((byte, index) => byte === right[index])

/**
 * Adds lines of a file to a session; nothing for an unknown session. A file that is read again brings its lines again:
 * those that are there already are not repeated.
 */
const addSource = (data: StoreData, file: string, run: SourceRun): void => {
  const session = data.sessions.get(run.sessionId)
  if (session === undefined) return
  for (const [index, text] of run.lines.entries()) {
    const line = run.firstLine + index
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text.slice()
    const isKnown = session.source.some(
      (known) => known.file === file && known.line === line && isSameBytes(known.bytes, bytes),
    )
    if (!isKnown) session.source.push({ file, line, bytes })
  }
}

/**
 * Writes a batch as a whole, with the file's next version and cursor, and tells the listeners; returns what was new.
 * Undefined, with nothing written, if the file's version is not the batch's: another import was faster. Deleted
 * sessions stay deleted. Skips are added to the file's earlier ones, or replace them after a restart.
 */
const commit = (data: StoreData, batch: ImportBatch): ImportCounts | undefined => {
  const version = data.files.get(batch.path)?.version ?? 0
  if (version !== batch.baseVersion) return undefined
  const counts = batch.sessions
    .filter(({ session }) => !data.deletedSessions.has(session.id))
    .map((session) => addSession(data, session))
    .reduce(
      (sum, added) => ({
        newSessions: sum.newSessions + added.newSessions,
        newMessages: sum.newMessages + added.newMessages,
        newRequests: sum.newRequests + added.newRequests,
      }),
      { newSessions: 0, newMessages: 0, newRequests: 0 },
    )
  for (const run of batch.source) if (!data.deletedSessions.has(run.sessionId)) addSource(data, batch.path, run)
  // A restart names everything that is wrong with the file again.
  const earlier = batch.restarted ? [] : (data.skips.get(batch.path) ?? [])
  data.skips.set(batch.path, [...earlier, ...batch.skips])
  data.files.set(batch.path, {
    path: batch.path,
    agent: batch.agent,
    cursor: batch.cursor,
    version: version + 1,
  })
  data.changed()
  return counts
}

/**
 * Import storage over the in-memory store's data. A batch is copied when it is prepared, and written at its commit.
 * Files and skips are sorted by path.
 */
export const createInMemoryImports = (data: StoreData): ImportStorage => ({
  files: async () => [...data.files.values()].sort((left, right) => compareText(left.path, right.path)),
  file: async (path) => data.files.get(path),
  prepare: (batch) => {
    // Taken now: the caller may go on to reuse its buffers.
    const taken = structuredClone(batch)
    return { commit: async () => commit(data, taken) }
  },
  messagesWith: async (sessionId, externalIds) => {
    const wanted = new Set(externalIds)
    const found = new Map<string, MessageEntry>()
    for (const { entry, externalId } of data.sessions.get(sessionId)?.entries ?? []) {
      const id = externalIdOf({ entry, ...(externalId === undefined ? {} : { externalId }) })
      if (entry.kind === 'message' && id !== undefined && wanted.has(id)) found.set(id, structuredClone(entry))
    }
    return found
  },
  skips: async () => [...data.skips].sort(([left], [right]) => compareText(left, right)).flatMap(([, skips]) => skips),
})
