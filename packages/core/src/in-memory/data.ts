/** The data of the in-memory store: plain maps, so that it can serve as the reference. */
import { StorageError } from '../errors.ts'
import type { JsonValue } from '../json.ts'
import type { LogEntry } from '../session-log.ts'
import type { CleanUpRecord } from '../ports/clean-up-storage.ts'
import type { CheckpointRecord } from '../ports/checkpoint-storage.ts'
import type { HealthSample } from '../ports/health-storage.ts'
import type { ImportSkip } from '../events.ts'
import type { ImportedFile } from '../ports/import-storage.ts'
import type { MemoryVersion } from '../ports/memory-storage.ts'
import type { Note } from '../ports/note-storage.ts'
import type { ProjectWorkspace } from '../ports/project-storage.ts'
import type { EntryWrite, SessionFacts, SourceLine } from '../ports/session-storage.ts'
import type { RequestFact, RequestFailure } from '../ports/usage-storage.ts'
import { mergeReports, type RequestReport } from '../usage/merge-reports.ts'

interface StoredEntry {
  readonly entry: LogEntry
  readonly externalId: string | undefined
  readonly redactions: number
}

export interface StoredSession {
  facts: SessionFacts
  readonly entries: StoredEntry[]
  readonly externalIds: Set<string>
  readonly source: SourceLine[]
}

/** A request with the agent that its call id is unique in. */
export interface StoredReport extends RequestReport {
  readonly agent: string
}

/** A failed request with its session. */
export interface StoredFailure extends RequestFailure {
  readonly sessionId: string
}

/** A note as it was from `note.updatedAt` until `validTo` (ms). */
export interface NoteVersion {
  readonly note: Note
  /** Null: it is current. */
  readonly validTo: number | null
}

/** A scope's values, and which change was the last of each key; removed keys are among them. */
export interface StoredState {
  readonly values: Map<string, JsonValue>
  readonly revisions: Map<string, number>
  /** What a reader knows from before it is of a store that was emptied since. */
  readonly origin: number
  revision: number
}

/** Everything of one store. */
export class StoreData {
  readonly sessions = new Map<string, StoredSession>()
  readonly deletedSessions = new Set<string>()
  readonly requests = new Map<string, StoredReport>()
  /** By session and the failure's id. */
  readonly failures = new Map<string, StoredFailure>()
  readonly files = new Map<string, ImportedFile>()
  /** What is known of folders, by path; not all of them have something. */
  readonly workspaces = new Map<string, ProjectWorkspace>()
  readonly skips = new Map<string, readonly ImportSkip[]>()
  readonly state = new Map<string, StoredState>()
  /** Of the newest change of state; goes on counting when the store is emptied. */
  stateRevision = 0
  readonly notes = new Map<string, readonly NoteVersion[]>()
  readonly memories = new Map<string, readonly MemoryVersion[]>()
  readonly checkpoints = new Map<string, CheckpointRecord>()
  /** When it was cleaned up last; none: never. */
  readonly cleanUps = new Map<'last', CleanUpRecord>()
  /** By quarter of an hour. */
  readonly health = new Map<number, HealthSample>()
  readonly listeners = new Set<() => void>()
  #isClosed = false

  /** Tells all listeners that something in the store changed. */
  changed(): void {
    for (const listener of [...this.listeners]) listener()
  }

  /** Deletes everything, also which sessions were deleted, and tells the listeners, which stay. */
  clear(): void {
    for (const part of [
      this.sessions,
      this.deletedSessions,
      this.requests,
      this.failures,
      this.files,
      this.workspaces,
      this.skips,
      this.state,
      this.notes,
      this.memories,
      this.checkpoints,
      this.cleanUps,
      this.health,
    ]) {
      part.clear()
    }
    this.changed()
  }

  /** Lets go of everything: whatever asks for a part of it from now on is refused. */
  close(): void {
    this.#isClosed = true
    for (const part of Object.keys(this)) Object.defineProperty(this, part, { get: () => this.assertOpen() })
  }

  /** @throws StorageError `storage-unavailable` once the store is closed. */
  assertOpen(): void {
    if (this.#isClosed) throw new StorageError('storage-unavailable', 'The store has been closed.')
  }

  /** The session, created if it is not there, with the writer's facts. Missing facts leave the known ones. */
  openSession(facts: SessionFacts): StoredSession {
    const known = this.sessions.get(facts.id)
    if (known === undefined) {
      const made: StoredSession = { facts: { ...facts }, entries: [], externalIds: new Set(), source: [] }
      this.sessions.set(facts.id, made)
      return made
    }
    known.facts = { ...known.facts, ...definedFacts(facts) }
    return known
  }

  /** Appends a copy of an entry with the session's next number. Does not look whether it is there already. */
  addEntry(session: StoredSession, write: EntryWrite): void {
    session.entries.push({
      entry: { ...structuredClone(write.entry), seq: session.entries.length },
      externalId: write.externalId,
      redactions: write.redactions ?? 0,
    })
    const id = externalIdOf(write)
    if (id !== undefined) session.externalIds.add(id)
  }

  /**
   * Adds a request's usage, or merges it into what is known of the same request. True when the request was not known.
   */
  addReport(report: StoredReport): boolean {
    const key = JSON.stringify([report.agent, report.fact.callId])
    const known = this.requests.get(key)
    this.requests.set(
      key,
      known === undefined ? structuredClone(report) : { ...mergeReports(known, report), agent: report.agent },
    )
    return known === undefined
  }
}

/**
 * The id by which the same entry is recognised when it is read again: that of its source, or a message's own; undefined
 * for an entry without one.
 */
export const externalIdOf = (write: EntryWrite): string | undefined =>
  write.externalId ?? (write.entry.kind === 'message' ? write.entry.id : undefined)

/** The request; where it names no workspace or branch, those of its session. */
export const withSessionWorkspace = ({ workspace, branch }: SessionFacts, request: RequestFact): RequestFact => ({
  ...(workspace === undefined ? {} : { workspace }),
  ...(branch === undefined ? {} : { branch }),
  ...request,
})

const definedFacts = (facts: SessionFacts): Partial<SessionFacts> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))

/**
 * Whether a workspace is the wanted one, which is asked for by its path, or by its name: the path's last part. False
 * where none is known.
 */
export const isWorkspace = (workspace: string | undefined, wanted: string): boolean =>
  workspace !== undefined && (workspace === wanted || workspace.split(/[\\/]/).filter(Boolean).at(-1) === wanted)

/** Code-unit order: the same on every machine, unlike a locale's. */
export const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** A text that is another one after each change of the chosen versions: a change adds one, or ends one. */
export const revisionOf = <Version extends { readonly validTo: number | null }>(
  histories: Iterable<readonly Version[]>,
  isChosen: (version: Version) => boolean,
): string => {
  const versions = [...histories].flat().filter(isChosen)
  return `${versions.length}.${versions.filter(({ validTo }) => validTo !== null).length}`
}
