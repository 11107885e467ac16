/** The engine's part that tells what is in a session's context, who changed it since, and what was to be told about that. */
import { CairnError } from '../errors.ts'
import { assertBound, assertLimit, assertName, isListOfTexts, shownValue } from '../input.ts'
import { objectOf } from '../json.ts'
import type { JsonValue } from '../json.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { Store } from '../ports/store.ts'
import type { LogEntry } from '../session-log.ts'
import { messagesNamed } from '../session/rewind.ts'
import { createFileTracker } from '../tracking/file-tracker.ts'
import type { FileTracker } from '../tracking/file-tracker.ts'
import { modelUses } from '../tracking/model-use.ts'
import type { ModelUse } from '../tracking/model-use.ts'
import type { LastKnown } from '../watching/file-on-disk.ts'
import { filesOnDisk, lastKnownOf } from './files-on-disk.ts'
import type { FileInContext, FilesOnDiskDeps, SessionFilesQuery } from './files-on-disk.ts'

export interface SessionFilesAnswer {
  /** The file that was touched last comes first. */
  readonly files: readonly FileInContext[]
  readonly models: readonly ModelUse[]
}

/** A message by its id or the beginning of it, or a time (ms). What came after it counts. */
export type FilesSince = { readonly message: string } | { readonly time: number }

/** Something that the session's agent and user have to be told once. */
export interface FileWarning {
  readonly id: string
  /** ms */
  readonly at: number
  /** In a few words: `a checkpoint was restored`. */
  readonly reason: string
  readonly paths: readonly string[]
}

/** All reject with `not-found` where there is no such session. */
export interface EngineFiles {
  /** The files of a session's context and the models that it used. */
  inContext(sessionId: string, query?: SessionFilesQuery): Promise<SessionFilesAnswer>
  /**
   * Paths that anybody edited after a message or time, the latest edit first. Also what a rewind took back counts: the
   * disk still has it. Rejects with `not-found` or `ambiguous` for the message.
   */
  editedSince(sessionId: string, since: FilesSince): Promise<readonly string[]>
  /** Keeps a warning until it is acknowledged, also over restarts. Undefined without paths: there is nothing to tell. */
  warn(sessionId: string, warning: Pick<FileWarning, 'reason' | 'paths'>): Promise<FileWarning | undefined>
  /** What is not acknowledged, the oldest first. */
  warnings(sessionId: string): Promise<readonly FileWarning[]>
  /** Takes a warning away; true for the one of several callers who did. */
  acknowledge(sessionId: string, warningId: string): Promise<boolean>
}

/** What it is made of. */
export interface EngineFilesDeps extends FilesOnDiskDeps {
  readonly store: Pick<Store, 'sessions' | 'search' | 'state'>
  readonly clock: Clock
  readonly ids: Ids
}

const WARNING = 'file-warning.'
/** Paths that a warning keeps. */
const MOST_PATHS = 200

export const createEngineFiles = (deps: EngineFilesDeps): EngineFiles => {
  const { store, clock, ids } = deps
  const opened = async (sessionId: string) => {
    assertName(sessionId, "The session's id")
    const session = await store.sessions.get(sessionId)
    if (session === undefined)
      throw new CairnError('not-found', `There is no session with the id ${shownValue(sessionId)}.`)
    return session
  }
  const trackerOf = async (sessionId: string): Promise<Tracked> => {
    const { workspace } = await opened(sessionId)
    const entries = await store.sessions.read(sessionId)
    const tracker = createFileTracker(workspace === null ? {} : { workspace })
    for (const entry of entries) tracker.step(entry)
    return { workspace, entries, tracker }
  }
  return {
    inContext: async (sessionId, query = {}) => {
      if (query.limit !== undefined) assertLimit(query.limit, 'The limit', 1)
      const { workspace, entries, tracker } = await trackerOf(sessionId)
      const lastKnown = (path: string): LastKnown => lastKnownOf(tracker.known(path), deps.hasher)
      const log = { sessionId, workspace, files: tracker.files(), lastKnown }
      return { files: await filesOnDisk(deps, log, query), models: modelUses(entries) }
    },
    editedSince: async (sessionId, since) => {
      const { entries, tracker } = await trackerOf(sessionId)
      return tracker.editedAfter(timeOf(since, entries))
    },
    warn: async (sessionId, { reason, paths }) => {
      assertName(reason, 'The reason of a warning')
      await opened(sessionId)
      if (paths.length === 0) return undefined
      const warning = { id: ids.next(), at: clock.now(), reason, paths: paths.slice(0, MOST_PATHS) }
      const scope = { tier: 'session', sessionId } as const
      await store.state.set(scope, new Map([[`${WARNING}${warning.id}`, warning]]))
      // A session that was deleted meanwhile leaves nothing behind.
      if ((await store.sessions.get(sessionId)) === undefined) await store.state.take(scope, `${WARNING}${warning.id}`)
      return warning
    },
    warnings: async (sessionId) => {
      await opened(sessionId)
      const all = await store.state.all({ tier: 'session', sessionId })
      return [...all]
        .flatMap(([key, value]) => (key.startsWith(WARNING) ? warningIn(key.slice(WARNING.length), value) : []))
        .sort((left, right) => left.at - right.at || (left.id < right.id ? -1 : 1))
    },
    acknowledge: async (sessionId, warningId) => {
      await opened(sessionId)
      return (await store.state.take({ tier: 'session', sessionId }, `${WARNING}${warningId}`)) !== undefined
    },
  }
}

interface Tracked {
  readonly workspace: string | null
  readonly entries: readonly LogEntry[]
  readonly tracker: FileTracker
}

/** A warning as it is stored; none where it is anything else. */
const warningIn = (id: string, value: JsonValue): readonly FileWarning[] => {
  const { at, reason, paths } = objectOf(value)
  return typeof at === 'number' && typeof reason === 'string' && isListOfTexts(paths) ? [{ id, at, reason, paths }] : []
}

const timeOf = (since: FilesSince, entries: readonly LogEntry[]): number => {
  if ('time' in since) {
    assertBound(since.time, 'The time')
    return since.time
  }
  assertName(since.message, 'The message')
  const [found, ...others] = messagesNamed(since.message, entries)
  if (found === undefined)
    throw new CairnError(
      'not-found',
      `There is no message whose id is, or starts with, ${shownValue(since.message)} in this session.`,
    )
  if (others.length > 0)
    throw new CairnError('ambiguous', `${shownValue(since.message)} could be several messages; give more of the id.`)
  if (found.at === null) throw new CairnError('usage', 'That message carries no time; name a time instead.')
  return found.at
}
