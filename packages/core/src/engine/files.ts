/**
 * The engine's part for files in a session's context: which there are, who changed them since, and pending warnings.
 */
import { CairnError } from '../errors.ts'
import { fileActivity } from '../file-activity/index.ts'
import type { SessionFiles } from '../file-activity/index.ts'
import { assertBound, assertLimit, assertName, shownValue } from '../input.ts'
import type { JsonValue } from '../json.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { GitRecords } from '../ports/git-records.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { Ids } from '../ports/ids.ts'
import type { Store } from '../ports/store.ts'
import type { LogEntry } from '../session-log.ts'
import { messagesNamed } from '../session/rewind.ts'
import { modelUses } from '../tracking/model-use.ts'
import type { ModelUse } from '../tracking/model-use.ts'
import type { FileTracker } from '../tracking/file-tracker.ts'
import { KNOWN_FILES_KEY, parseKnownFiles } from '../watching/known-files.ts'
import type { KnownFiles, ReadTranscript } from '../watching/known-files.ts'
import { FILE_WARNING, fileWarningIn } from '../watching/file-warning.ts'
import type { FileWarning } from '../watching/file-warning.ts'
import { comparedFiles } from './compared-files.ts'
import type { FileInContext, SessionFilesQuery } from './compared-files.ts'
import { observeFiles } from './observe-files.ts'
import { createTrackedLogs, filesOfLog } from './tracked-logs.ts'

export interface SessionFilesAnswer {
  /** Most recently touched first. */
  readonly files: readonly FileInContext[]
  readonly models: readonly ModelUse[]
}

/** A message by its id or a prefix of it, or a time (ms). What came after it counts. */
export type FilesSince = { readonly message: string } | { readonly time: number }

/** A file's text as the session last knew it. */
export interface KnownText {
  readonly text: string
  /** Time of that, ms; null if the log has no time. */
  readonly at: number | null
}

/** All methods reject with `not-found` if there is no such session. */
export interface EngineFiles {
  /** The files of a session's context and the models that it used. */
  inContext(sessionId: string, query?: SessionFilesQuery): Promise<SessionFilesAnswer>
  /** What the session did with each file, in its context or not: reads, edits, and the cost of reading again. */
  activity(sessionId: string): Promise<SessionFiles>
  /**
   * The text of a file when the session last touched it, by the file's path in `inContext`. Undefined if the log does
   * not contain it: after a read, after a patch, or if a secret in it was replaced.
   */
  lastKnown(sessionId: string, path: string): Promise<KnownText | undefined>
  /**
   * Paths edited by anyone after a message or time, latest edit first. Edits that were rewound count, because the disk
   * still has them. Rejects with `not-found` or `ambiguous` for the message.
   */
  editedSince(sessionId: string, since: FilesSince): Promise<readonly string[]>
  /** Stores a warning until it is acknowledged, also across restarts. Undefined without paths. */
  warn(sessionId: string, warning: Pick<FileWarning, 'reason' | 'paths'>): Promise<FileWarning | undefined>
  /** Unacknowledged warnings, oldest first. */
  warnings(sessionId: string): Promise<readonly FileWarning[]>
  /** Removes a warning; of several concurrent callers, only the one who removed it gets true. */
  acknowledge(sessionId: string, warningId: string): Promise<boolean>
  /**
   * Reads the files in the session's context, at most 200, and stores their state: later changes are compared with it,
   * here and by the hook of the next prompt. `transcripts` is how much of its files the log has, for an imported
   * session. False if nothing can be compared because its folder is not on this machine.
   */
  observe(sessionId: string, transcripts?: readonly ReadTranscript[]): Promise<boolean>
}

/** The dependencies of this part. */
export interface EngineFilesDeps {
  readonly store: Pick<Store, 'sessions' | 'search' | 'state'>
  readonly fileSystem: Pick<FileSystem, 'stat' | 'read' | 'realPath'>
  readonly hasher: Hasher
  readonly clock: Clock
  readonly ids: Ids
  /** Loads what repositories say about their files. Default: git is not asked. */
  readonly git?: () => Promise<GitRecords>
}

/** Maximum number of paths in a warning. */
const MOST_PATHS = 200

/**
 * Creates the engine's part for the files of a session's context and their warnings. Methods reject with `not-found`
 * for an unknown session; `acknowledge` returns false if there is no such warning.
 */
export const createEngineFiles = (deps: EngineFilesDeps): EngineFiles => {
  const { store } = deps
  /** The session of an id. @throws CairnError `not-found` for an unknown one, `invalid-input` for what is no id */
  const opened = async (sessionId: string) => {
    assertName(sessionId, "The session's id")
    const session = await store.sessions.get(sessionId)
    if (session === undefined)
      throw new CairnError('not-found', `There is no session with the id ${shownValue(sessionId)}.`)
    return session
  }
  const logs = createTrackedLogs(store.sessions)
  /** A session's files and its whole log, read anew; rejects as `opened` does. */
  const trackerOf = async (
    sessionId: string,
  ): Promise<{ readonly tracker: FileTracker; readonly entries: readonly LogEntry[] }> => {
    const { workspace } = await opened(sessionId)
    const entries = await store.sessions.read(sessionId)
    return { tracker: logs.of(entries, workspace).tracker, entries }
  }
  const knownOf = async (sessionId: string): Promise<KnownFiles | undefined> =>
    parseKnownFiles(await store.state.get({ tier: 'session', sessionId }, KNOWN_FILES_KEY))
  return {
    inContext: async (sessionId, query = {}) => {
      if (query.limit !== undefined) assertLimit(query.limit, 'The limit', 1)
      const { workspace } = await opened(sessionId)
      const entries = await store.sessions.read(sessionId)
      const log = filesOfLog({ sessionId, workspace }, logs.of(entries, workspace), deps.hasher)
      const { disk = true } = query
      const known = disk ? await knownOf(sessionId) : undefined
      return { files: await comparedFiles(deps, log, known, query), models: modelUses(entries) }
    },
    activity: async (sessionId) => activityIn(store.sessions, await opened(sessionId)),
    lastKnown: async (sessionId, path) => {
      const { text, at } = (await trackerOf(sessionId)).tracker.known(path) ?? {}
      return text === undefined ? undefined : { text, at: at ?? null }
    },
    editedSince: async (sessionId, since) => {
      const { tracker, entries } = await trackerOf(sessionId)
      return tracker.editedAfter(timeOf(since, entries))
    },
    warn: async (sessionId, warning) => {
      assertName(warning.reason, 'The reason of a warning')
      await opened(sessionId)
      return keepWarning(deps, sessionId, warning)
    },
    warnings: async (sessionId) => {
      await opened(sessionId)
      return warningsIn(await store.state.all({ tier: 'session', sessionId }))
    },
    acknowledge: async (sessionId, warningId) => {
      await opened(sessionId)
      return (await store.state.take({ tier: 'session', sessionId }, `${FILE_WARNING}${warningId}`)) !== undefined
    },
    observe: async (sessionId, transcripts = []) => {
      const { workspace } = await opened(sessionId)
      if (workspace === null) return false
      const log = filesOfLog({ sessionId, workspace }, await logs.follow(sessionId, workspace), deps.hasher)
      return observeFiles(deps, log, await knownOf(sessionId), transcripts)
    },
  }
}

const activityIn = async (
  sessions: Pick<Store['sessions'], 'read'>,
  { id, workspace }: { readonly id: string; readonly workspace: string | null },
): Promise<SessionFiles> => fileActivity(await sessions.read(id), workspace ?? undefined)

/**
 * Stores a warning with its first `MOST_PATHS` paths for the session's next turn; undefined without paths. Nothing is
 * left for a session that was deleted. @returns the warning with its id and time
 */
const keepWarning = async (
  { store, clock, ids }: EngineFilesDeps,
  sessionId: string,
  { reason, paths }: Pick<FileWarning, 'reason' | 'paths'>,
): Promise<FileWarning | undefined> => {
  if (paths.length === 0) return undefined
  const warning = { id: ids.next(), at: clock.now(), reason, paths: paths.slice(0, MOST_PATHS) }
  const scope = { tier: 'session', sessionId } as const
  await store.state.set(scope, new Map([[`${FILE_WARNING}${warning.id}`, warning]]))
  // A session that was deleted meanwhile leaves nothing behind.
  if ((await store.sessions.get(sessionId)) === undefined) await store.state.take(scope, `${FILE_WARNING}${warning.id}`)
  return warning
}

/** The warnings in a session's state, oldest first. Those that can't be read are left out. */
const warningsIn = (state: ReadonlyMap<string, JsonValue>): readonly FileWarning[] =>
  [...state]
    .flatMap(([key, value]) =>
      key.startsWith(FILE_WARNING) ? fileWarningIn(key.slice(FILE_WARNING.length), value) : [],
    )
    .sort((left, right) => left.at - right.at || (left.id < right.id ? -1 : 1))

/**
 * The time in ms that `since` means. A message may be named by the beginning of its id.
 * @throws CairnError `not-found`, `ambiguous`, or `usage` if that message has no time
 */
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
