/**
 * Implements checkpoints on a machine's snapshots: adds their records in the store, their sessions, and who changed
 * what since.
 */
import { CairnError } from '../errors.ts'
import { assertLimit, assertName, assertTextOrAbsent, echoed, isListOfTexts } from '../input.ts'
import type { CheckpointStorage } from '../ports/checkpoint-storage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { FileTouch, SearchIndex } from '../ports/search-index.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import type {
  FileDifference,
  LeftOutFile,
  Snapshot,
  SnapshotRepository,
  SnapshotRequest,
} from '../ports/snapshot-repository.ts'
import { redact } from '../redaction/index.ts'
import type { CheckpointEntry } from '../session-log.ts'
import type {
  Checkpoint,
  CheckpointInput,
  Checkpoints,
  CheckpointsInput,
  CreatedCheckpoint,
  CreatedCheckpoints,
  FileAuthor,
  RestoredFile,
} from './checkpoints.ts'
import { leftOutSummary } from './left-out.ts'
import { DEFAULT_LIMITS, isPruningDue } from './pruning.ts'
import { verifyCheckpoints } from './verify-checkpoints.ts'

interface RestoreWarning {
  readonly reason: string
  readonly paths: readonly string[]
}

/** The dependencies of checkpoints. */
export interface CheckpointDeps {
  readonly snapshots: SnapshotRepository
  readonly records: CheckpointStorage
  readonly sessions: Pick<SessionStorage, 'get' | 'append' | 'read'>
  readonly search: Pick<SearchIndex, 'touches'>
  /**
   * Records for a session's agent that files differ from what it knows. Rejects with `not-found` without the session.
   */
  readonly warn: (sessionId: string, warning: RestoreWarning) => Promise<unknown>
  readonly clock: Clock
  readonly ids: Ids
}

/** Maximum characters of a label, which is a column of lists. */
const LONGEST_LABEL = 200
/** Maximum number of files in a preview whose authors are looked up. */
const AUTHORS_LOOKED_UP = 200
/** Maximum number of ids listed in an error. */
const NAMED_CANDIDATES = 5
/** Refers to the newest checkpoint not made by a restore, so that restoring it twice has the same effect. */
const LATEST = 'latest'

/**
 * Creates the engine's checkpoints. An id may be its beginning or end alone, or `latest`, the newest one not made by a
 * restore; it rejects with `not-found` if none matches, and with `ambiguous` if several do. What restores make, prunes
 * and erasures remove, is also recorded in or deleted from `deps.records`.
 */
export const createCheckpoints = (deps: CheckpointDeps): Checkpoints => {
  const { snapshots } = deps
  const snapshotOf = async (root: string, idOrPart: string): Promise<Snapshot> =>
    onlyOne(idOrPart, await snapshots.list(root))
  return {
    create: (input) => create(deps, input),
    createAll: (input) => createAll(deps, input),
    list: async (root) => (await snapshots.list(root)).map((each) => checkpointOf(root, each)),
    find: async (root, id) => checkpointOf(root, await snapshotOf(root, id)),
    leftOut: async (root, id) => snapshots.leftOut(root, await snapshotOf(root, id)),
    diff: async (root, from, to, options = {}) =>
      snapshots.differences(
        root,
        await snapshotOf(root, from),
        to === undefined ? 'now' : await snapshotOf(root, to),
        options,
      ),
    changeCounts: (root, limit) => changeCounts(deps, root, limit),
    content: async (root, id, path) => snapshots.content(root, await snapshotOf(root, id), path),
    preview: async (root, id, options = {}) => {
      const target = await snapshotOf(root, id)
      const { differences, folders, untouched, token } = await snapshots.preview(root, target, options)
      const files = await withAuthors(deps, root, target, differences)
      return { checkpoint: checkpointOf(root, target), files, folders, untouched, token }
    },
    restore: async (root, id, options = {}) => restore(deps, root, await snapshotOf(root, id), options),
    lastUndo: async (root) => checkpointOf(root, lastUndo(await snapshots.list(root))),
    resume: (root) => resume(deps, root),
    prune: async (root, { limits = {}, dryRun = false } = {}) => {
      const outcome = await snapshots.prune(root, { ...DEFAULT_LIMITS, ...limits }, deps.clock.now(), dryRun)
      if (!dryRun) for (const { id } of outcome.removed) await deps.records.delete(id)
      return outcome
    },
    erase: async (root) => {
      const recorded = await deps.records.list(root)
      const { snapshots: checkpoints, bytes } = await snapshots.erase(root)
      for (const { id } of recorded) await deps.records.delete(id)
      return { checkpoints, bytes }
    },
    roots: () => snapshots.roots(),
    verify: ({ repair = false } = {}) => verifyCheckpoints(deps, repair),
  }
}

/**
 * Restores a snapshot, first making one of what is there now (`undo`, null if nothing had to be changed), which is
 * recorded. Unless `withConversation`, the checkpoint's session, if it has one, gets a note about the changed files.
 */
const restore = async (
  deps: CheckpointDeps,
  root: string,
  target: Snapshot,
  { withConversation = false, ...options }: NonNullable<Parameters<Checkpoints['restore']>[2]>,
): ReturnType<Checkpoints['restore']> => {
  const request: SnapshotRequest = {
    id: deps.ids.next(),
    sessionId: null,
    at: deps.clock.now(),
    kind: 'before-restore',
    label: `before ${target.id} was restored`,
  }
  const { undo, ...outcome } = await deps.snapshots.restore(root, target, request, options)
  if (undo !== null) await record(deps, root, undo)
  if (!withConversation) await warnSession(deps, target, outcome.paths)
  return {
    checkpoint: checkpointOf(root, target),
    ...outcome,
    undo: undo === null ? null : checkpointOf(root, undo),
  }
}

/** Finishes an interrupted restore and notes it in its session; undefined if there was none. */
const resume = async (deps: CheckpointDeps, root: string): ReturnType<Checkpoints['resume']> => {
  const resumed = await deps.snapshots.resume(root)
  if (resumed === undefined) return undefined
  const target = (await deps.snapshots.list(root)).find(({ id }) => id === resumed.targetId)
  if (target !== undefined) await warnSession(deps, target, resumed.paths)
  return resumed
}

/**
 * Tells the session of a restored checkpoint about its files, if the store has the session. `paths` are what the
 * restore changed. Rejects as `warn` does otherwise.
 */
const warnSession = async (
  { warn }: CheckpointDeps,
  { sessionId }: Snapshot,
  paths: readonly string[],
): Promise<void> => {
  if (sessionId === null) return
  try {
    await warn(sessionId, { reason: 'a checkpoint of the files was restored', paths })
  } catch (error) {
    // Not taken in yet, or deleted since: nobody is left to be told, and the files are restored.
    if (!CairnError.is(error) || error.code !== 'not-found') throw error
  }
}

/**
 * The snapshot made before the newest restore.
 * @throws CairnError `not-found` if nothing was restored yet
 */
const lastUndo = (newestFirst: readonly Snapshot[]): Snapshot => {
  const undo = newestFirst.find(({ kind }) => kind === 'before-restore')
  if (undo === undefined)
    throw new CairnError('not-found', 'Nothing was restored in this folder yet, so there is nothing to undo.')
  return undo
}

/**
 * By snapshot id, how many files changed since the one before, for the newest `limit`; for the very first all of its
 * files. @throws CairnError `invalid-input` for a limit below 1
 */
const changeCounts = async (
  { snapshots }: CheckpointDeps,
  root: string,
  limit: number,
): Promise<ReadonlyMap<string, number>> => {
  assertLimit(limit, 'The limit', 1)
  const newestFirst = await snapshots.list(root)
  const counted = newestFirst.slice(0, limit)
  const counts = await snapshots.changeCounts(root, newestFirst.slice(0, limit + 1))
  return new Map(counted.map(({ id, files }, index) => [id, counts[index] ?? files]))
}

/**
 * Makes a checkpoint, records it in the store, notes it in the log of `sessionId`, and removes old ones when that is
 * due. With `onlyIfChanged` and nothing changed, the newest one comes back with `isNew` false, and nothing is noted.
 * Rejects with `not-found` for an unknown `sessionId` (not for an `agentSessionId`), with `invalid-input` for wrong
 * arguments such as a label that is too long, and as the snapshots and the store do.
 */
const create = async (deps: CheckpointDeps, input: CheckpointInput): ReturnType<Checkpoints['create']> => {
  const { root, sessionId, agentSessionId, label, onProgress, paths, onlyIfChanged } = input
  const { kind = agentSessionId === undefined ? 'manual' : 'agent' } = input
  assertName(root, 'The folder')
  assertTextOrAbsent(label, 'The label')
  assertLabel(label)
  if (agentSessionId !== undefined) assertName(agentSessionId, 'The session of an agent')
  const session = sessionId === undefined ? undefined : await deps.sessions.get(sessionId)
  if (sessionId !== undefined && session === undefined) throw noSession(sessionId)
  const request: SnapshotRequest = {
    id: deps.ids.next(),
    sessionId: session?.id ?? agentSessionId ?? null,
    at: deps.clock.now(),
    kind,
    label: labelOf(label),
  }
  const options = {
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(paths === undefined ? {} : { paths }),
    ...(onlyIfChanged === undefined ? {} : { onlyIfChanged }),
  }
  const { snapshot, isNew, changed, leftOut, bytesOnDisk } = await deps.snapshots.capture(root, request, options)
  if (!isNew) return { checkpoint: checkpointOf(root, snapshot), isNew, changed, leftOut }
  await record(deps, root, snapshot, leftOut)
  if (session !== undefined) {
    const entry: Omit<CheckpointEntry, 'seq'> = { kind: 'checkpoint', at: request.at, checkpointId: request.id }
    const { id, agent, externalId } = session
    // A session that was deleted meanwhile needs no note of its checkpoint.
    await deps.sessions.append({ id, agent, externalId }, 'end', [{ entry }])
  }
  await pruneWhenDue(deps, root, bytesOnDisk)
  return { checkpoint: checkpointOf(root, snapshot), isNew, changed, leftOut }
}

/** Store failures, which affect every root. */
const STORE_FAILURES: ReadonlySet<string> = new Set([
  'storage-unavailable',
  'storage-busy',
  'storage-newer',
  'storage-corrupt',
])

/**
 * Makes a checkpoint in each folder, once in one named twice. A folder that is refused is reported, and the others go
 * on. Rejects with `invalid-input` without folders, with `not-found` for an unknown session, with the first reason if
 * all are refused, and if the store fails.
 */
const createAll = async (deps: CheckpointDeps, { roots, ...input }: CheckpointsInput): Promise<CreatedCheckpoints> => {
  if (!isListOfTexts(roots) || roots.length === 0)
    throw new CairnError('invalid-input', 'The folders must be a list of at least one path; no checkpoint was made.')
  const { sessionId } = input
  if (sessionId !== undefined && (await deps.sessions.get(sessionId)) === undefined) throw noSession(sessionId)
  const created: CreatedCheckpoint[] = []
  const refused: { readonly root: string; readonly error: CairnError }[] = []
  for (const root of new Set(roots)) {
    try {
      created.push(await create(deps, { ...input, root }))
    } catch (error) {
      if (!CairnError.is(error) || STORE_FAILURES.has(error.code)) throw error
      refused.push({ root, error })
    }
  }
  const [first] = refused
  if (created.length === 0 && first !== undefined) throw first.error
  return { created, refused: refused.map(({ root, error: { code, message } }) => ({ root, code, message })) }
}

const noSession = (id: string): CairnError =>
  new CairnError('not-found', `There is no session with the id ${echoed(id)}; no checkpoint was made.`)

/**
 * Refuses a label that, trimmed, is longer than `LONGEST_LABEL` characters. No label is fine. @throws CairnError
 * `invalid-input`
 */
const assertLabel = (label = ''): void => {
  if (label.trim().length > LONGEST_LABEL)
    throw new CairnError(
      'invalid-input',
      `The label has ${label.trim().length} characters; at most ${LONGEST_LABEL} are kept, so no checkpoint was made.`,
    )
}

/** The label as stored: trimmed, with secrets replaced; null for an empty one. */
const labelOf = (label = ''): string | null => {
  const { text } = redact(label.trim())
  return text === '' ? null : text.toWellFormed()
}

/**
 * Prunes by the default limits when `isPruningDue`, so that disk use stays bounded without a command; not at every
 * checkpoint, as freeing space takes seconds.
 */
const pruneWhenDue = async (deps: CheckpointDeps, root: string, bytesOnDisk: number): Promise<void> => {
  const now = deps.clock.now()
  const newestFirst = await deps.snapshots.list(root)
  if (!isPruningDue({ newestFirst, bytesOnDisk }, DEFAULT_LIMITS, now)) return
  const { removed } = await deps.snapshots.prune(root, DEFAULT_LIMITS, now)
  for (const { id } of removed) await deps.records.delete(id)
}

/** Adds a checkpoint to the records in the store; without `leftOut` it is not known what was left out. */
const record = (
  { records }: CheckpointDeps,
  root: string,
  snapshot: Snapshot,
  leftOut?: readonly LeftOutFile[],
): Promise<void> => {
  const { id, sessionId, at, commit, files, bytes, kind, label } = snapshot
  const summary = leftOut === undefined ? null : leftOutSummary(leftOut)
  return records.add({ id, workspace: root, sessionId, at, commit, files, bytes, kind, label, leftOut: summary })
}

const checkpointOf = (root: string, { commit, ...snapshot }: Snapshot): Checkpoint => ({ root, ...snapshot })

/**
 * The snapshot with an id, else the only one whose id begins or ends so (ignoring case). `latest` is the newest that
 * was not made before a restore, or the newest if all were.
 * @throws CairnError `not-found` or `ambiguous`
 */
const onlyOne = (idOrPart: string, all: readonly Snapshot[]): Snapshot => {
  assertName(idOrPart, 'The checkpoint')
  const asked = idOrPart.trim().toUpperCase()
  const [newest] = all
  if (newest === undefined)
    throw new CairnError('not-found', 'There is no checkpoint of this folder yet; cairn checkpoint create makes one.')
  if (asked === LATEST.toUpperCase()) return all.find(({ kind }) => kind !== 'before-restore') ?? newest
  const exact = all.find(({ id }) => id.toUpperCase() === asked)
  const found = all.filter(({ id }) => id.toUpperCase().startsWith(asked) || id.toUpperCase().endsWith(asked))
  const [first, ...others] = exact === undefined ? found : [exact]
  if (first === undefined)
    throw new CairnError(
      'not-found',
      `There is no checkpoint of this folder whose id is, begins or ends with "${echoed(idOrPart)}"; cairn checkpoint list shows them.`,
    )
  if (others.length === 0) return first
  const ids = found.slice(0, NAMED_CANDIDATES).map(({ id }) => id)
  throw new CairnError(
    'ambiguous',
    `"${echoed(idOrPart)}" could be several checkpoints; give more of the id: ${ids.join(', ')}${found.length > ids.length ? ', …' : ''}.`,
  )
}

/**
 * Adds the agent that last edited each file since a snapshot, as far as sessions in the store show it; null for files
 * beyond the first `AUTHORS_LOOKED_UP`.
 */
const withAuthors = async (
  { search, sessions }: CheckpointDeps,
  root: string,
  { at: since, sessionId: own }: Snapshot,
  differences: readonly FileDifference[],
): Promise<readonly RestoredFile[]> => {
  const waitingSince = own === null || differences.length === 0 ? since : await timeOfWaitingCalls(sessions, own, since)
  const sinceIn = (sessionId: string): number => (sessionId === own ? waitingSince : since)
  const files: RestoredFile[] = []
  for (const [index, difference] of differences.entries()) {
    const touches =
      index < AUTHORS_LOOKED_UP ? await search.touches({ file: difference.path, since: waitingSince }) : []
    const edits = touches.filter(
      ({ operation, at, sessionId }) => operation === 'edit' && at !== null && at >= sinceIn(sessionId),
    )
    files.push({ ...difference, author: await authorOf(sessions, `${root}/${difference.path}`, edits) })
  }
  return files
}

/**
 * The time of the calls for which a session's agent made the snapshot: they are older than it and ran after it. The
 * snapshot's own time if no call was waiting.
 */
const timeOfWaitingCalls = async (
  sessions: Pick<SessionStorage, 'read'>,
  sessionId: string,
  at: number,
): Promise<number> => {
  let madeAt: number | null = null
  let waiting = new Set<string>()
  for (const entry of await sessions.read(sessionId)) {
    if (entry.kind !== 'message' || entry.at === null || entry.at > at) continue
    if (entry.role === 'assistant') {
      madeAt = entry.at
      waiting = new Set(entry.content.flatMap((block) => (block.type === 'tool_call' ? [block.id] : [])))
    } else for (const block of entry.content) if (block.type === 'tool_result') waiting.delete(block.callId)
  }
  return waiting.size > 0 && madeAt !== null ? madeAt : at
}

/**
 * The author of the first of these edits to this file; the others concern files whose paths end alike. Null if none is.
 */
const authorOf = async (
  sessions: Pick<SessionStorage, 'get'>,
  file: string,
  edits: readonly FileTouch[],
): Promise<FileAuthor | null> => {
  for (const { path, sessionId, at } of edits) {
    const session = await sessions.get(sessionId)
    // Agents name files by their whole path, or from the folder that they work in.
    if (session === undefined || at === null || (path !== file && `${session.workspace}/${path}` !== file)) continue
    return { sessionId: session.id, agent: session.agent, at }
  }
  return null
}
