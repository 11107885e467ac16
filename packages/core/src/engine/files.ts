/** The engine's part that tells what is in a session's context, who changed it since, and what was to be told about that. */
import { CairnError } from '../errors.ts'
import { assertBound, assertLimit, assertName, isListOfTexts, shownValue } from '../input.ts'
import { objectOf } from '../json.ts'
import type { JsonValue } from '../json.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { Ids } from '../ports/ids.ts'
import type { Store } from '../ports/store.ts'
import type { LogEntry } from '../session-log.ts'
import { messagesNamed } from '../session/rewind.ts'
import { createFileTracker } from '../tracking/file-tracker.ts'
import type { FileTracker, FilesInContextQuery, KnownContent } from '../tracking/file-tracker.ts'
import { modelUses } from '../tracking/model-use.ts'
import type { ModelUse } from '../tracking/model-use.ts'
import type { FileState, TrackedFile } from '../tracking/tracked-file.ts'
import type { FileContent } from '../watching/attribution-types.ts'
import { checkOnDisk } from '../watching/file-on-disk.ts'
import type { DiskCheck, LastKnown, OtherEdit } from '../watching/file-on-disk.ts'
import { textShape } from '../watching/text-shape.ts'

/** A file of a session's context, compared with the disk. */
export interface FileInContext extends TrackedFile {
  /** Null: it was not compared, as the session's folder is not here, the query said so, or there are too many files. */
  readonly disk: DiskCheck | null
}

export interface SessionFilesQuery extends FilesInContextQuery {
  /** Whether files are compared with the disk; default true. What changed there is `stale`. */
  readonly disk?: boolean
}

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
export interface EngineFilesDeps {
  readonly store: Pick<Store, 'sessions' | 'search' | 'state'>
  readonly fileSystem: Pick<FileSystem, 'stat' | 'read'>
  readonly hasher: Hasher
  readonly clock: Clock
  readonly ids: Ids
}

/** Files of an answer that are compared with the disk. */
const MOST_COMPARED = 500
/** Larger ones are compared by their time. */
const LARGEST_READ = 16 << 20
const WARNING = 'file-warning.'
/** Paths that a warning keeps. */
const MOST_PATHS = 200

/**
 * The engine's part for the files of a session's context and their warnings. It rejects with `not-found` for an unknown
 * session; `acknowledge` gives false for a warning that is not there.
 */
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
    return { sessionId, workspace, entries, tracker }
  }
  return {
    inContext: async (sessionId, query = {}) => {
      if (query.limit !== undefined) assertLimit(query.limit, 'The limit', 1)
      const tracked = await trackerOf(sessionId)
      return { files: await comparedFiles(deps, tracked, query), models: modelUses(tracked.entries) }
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
  readonly sessionId: string
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

/** The files of a query, each compared with the disk: a file that changed there is stale. */
const comparedFiles = async (
  deps: EngineFilesDeps,
  tracked: Tracked,
  { states, limit = Infinity, disk = true }: SessionFilesQuery,
): Promise<readonly FileInContext[]> => {
  const found: FileInContext[] = []
  let compared = 0
  const root = disk ? await rootOf(deps, tracked) : null
  for (const file of tracked.tracker.files()) {
    if (found.length >= limit) break
    const isCompared = root !== null && file.state !== 'removed' && compared < MOST_COMPARED
    if (isCompared) compared += 1
    const check = isCompared ? await onDisk(deps, tracked, root, file.path) : null
    const state = stateOnDisk(file.state, check)
    if (states === undefined || states.includes(state)) found.push({ ...file, state, disk: check })
  }
  return found
}

/** Null: a session of another machine, or of a folder that is gone. Its files are not gone one by one. */
const rootOf = async ({ fileSystem }: EngineFilesDeps, { workspace }: Tracked): Promise<string | null> => {
  const folder = workspace === null ? undefined : await fileSystem.stat(workspace).catch(() => undefined)
  return folder?.kind === 'directory' ? workspace : null
}

const stateOnDisk = (state: FileState, check: DiskCheck | null): FileState =>
  state === 'active' && (check?.state === 'changed' || check?.state === 'gone') ? 'stale' : state

const onDisk = async (
  deps: EngineFilesDeps,
  { sessionId, tracker }: Tracked,
  workspace: string,
  path: string,
): Promise<DiskCheck | null> => {
  const full = fullPath(path, workspace)
  const found = await deps.fileSystem.stat(full).catch(() => null)
  // It may not be looked at.
  if (found === null) return null
  // Where there is a folder, a pipe or a link to nothing by now, the file is gone.
  const facts = found?.kind === 'file' ? found : undefined
  const last = lastKnown(tracker.known(path), deps.hasher)
  const isRead = facts !== undefined && last.content !== undefined && facts.size <= LARGEST_READ
  const content = isRead ? await readContent(deps, full) : undefined
  const file = facts === undefined ? undefined : { modifiedAt: facts.modifiedAt, content }
  const check = checkOnDisk(last, file, null)
  if (check.state === 'same' || check.state === 'unknown') return check
  return checkOnDisk(last, file, await otherEdit(deps, full, sessionId, last.at))
}

const fullPath = (path: string, workspace: string): string =>
  /^(?:\/|[A-Za-z]:)/.test(path) ? path : `${workspace}/${path}`

const lastKnown = (known: KnownContent | undefined, hasher: Hasher): LastKnown => {
  const at = known?.at ?? null
  if (known?.text !== undefined) return { at, content: contentOf(known.text, hasher) }
  return { at, content: known?.hash === undefined ? undefined : { hash: known.hash } }
}

const contentOf = (text: string, hasher: Hasher): FileContent => ({
  hash: hasher.sha256(text),
  shape: hasher.sha256(textShape(text)),
})

/** Undefined where the file can't be read. */
const readContent = async ({ fileSystem, hasher }: EngineFilesDeps, path: string): Promise<FileContent | undefined> => {
  try {
    let bytes = new Uint8Array()
    for await (const chunk of fileSystem.read(path)) {
      const longer = new Uint8Array(bytes.length + chunk.length)
      longer.set(bytes)
      longer.set(chunk, bytes.length)
      bytes = longer
    }
    return { hash: hasher.sha256(bytes), shape: hasher.sha256(textShape(new TextDecoder().decode(bytes))) }
  } catch {
    return undefined
  }
}

/** The newest edit of a file by another session since a time. */
const otherEdit = async (
  { store }: EngineFilesDeps,
  file: string,
  sessionId: string,
  since: number | null,
): Promise<OtherEdit | null> => {
  const touches = await store.search.touches({ file, ...(since === null ? {} : { since }) })
  for (const touch of touches) {
    if (touch.operation !== 'edit' || touch.sessionId === sessionId || touch.at === null) continue
    const session = await store.sessions.get(touch.sessionId)
    if (session !== undefined) return { agent: session.agent, sessionId: session.id, at: touch.at }
  }
  return null
}
