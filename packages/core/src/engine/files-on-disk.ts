/** The files of a session's context against the disk: whether each still holds what the session knew of it last, and who changed it. */
import type { FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { Store } from '../ports/store.ts'
import type { FilesInContextQuery, KnownContent } from '../tracking/file-tracker.ts'
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

/** What files are compared with. */
export interface FilesOnDiskDeps {
  readonly store: Pick<Store, 'sessions' | 'search'>
  readonly fileSystem: Pick<FileSystem, 'stat' | 'read'>
  readonly hasher: Hasher
}

/** Files as a session's log tells them. */
export interface FilesOfLog {
  readonly sessionId: string
  /** The session's folder; null where it is not known, and then nothing is compared. */
  readonly workspace: string | null
  readonly files: readonly TrackedFile[]
  /** What the session knew of a file last, by its path in `files`; see {@link lastKnownOf}. */
  readonly lastKnown: (path: string) => LastKnown
}

/** Files of an answer that are compared with the disk. */
const MOST_COMPARED = 500
/** Larger ones are compared by their time. */
const LARGEST_READ = 16 << 20

/** The files of a query in their order, each compared with the disk: a file that changed there is stale. Does not reject for a file. */
export const filesOnDisk = async (
  deps: FilesOnDiskDeps,
  log: FilesOfLog,
  { states, limit = Infinity, disk = true }: SessionFilesQuery = {},
): Promise<readonly FileInContext[]> => {
  const found: FileInContext[] = []
  let compared = 0
  const root = disk ? await rootOf(deps, log) : null
  for (const file of log.files) {
    if (found.length >= limit) break
    const isCompared = root !== null && file.state !== 'removed' && compared < MOST_COMPARED
    if (isCompared) compared += 1
    const check = isCompared ? await onDisk(deps, log, root, file.path) : null
    const state = stateOnDisk(file.state, check)
    if (states === undefined || states.includes(state)) found.push({ ...file, state, disk: check })
  }
  return found
}

/** What is known of a file's content, as its hashes; without any where it was never touched. */
export const lastKnownOf = (known: KnownContent | undefined, hasher: Hasher): LastKnown => {
  const at = known?.at ?? null
  if (known?.text !== undefined) {
    const { text } = known
    return { at, content: { hash: hasher.sha256(text), shape: hasher.sha256(textShape(text)) } }
  }
  return { at, content: known?.hash === undefined ? undefined : { hash: known.hash } }
}

/** Null: a session of another machine, or of a folder that is gone. Its files are not gone one by one. */
const rootOf = async ({ fileSystem }: FilesOnDiskDeps, { workspace }: FilesOfLog): Promise<string | null> => {
  const folder = workspace === null ? undefined : await fileSystem.stat(workspace).catch(() => undefined)
  return folder?.kind === 'directory' ? workspace : null
}

const stateOnDisk = (state: FileState, check: DiskCheck | null): FileState =>
  state === 'active' && (check?.state === 'changed' || check?.state === 'gone') ? 'stale' : state

const onDisk = async (
  deps: FilesOnDiskDeps,
  { sessionId, lastKnown }: FilesOfLog,
  workspace: string,
  path: string,
): Promise<DiskCheck | null> => {
  const full = fullPath(path, workspace)
  const found = await deps.fileSystem.stat(full).catch(() => null)
  // It may not be looked at.
  if (found === null) return null
  // Where there is a folder, a pipe or a link to nothing by now, the file is gone.
  const facts = found?.kind === 'file' ? found : undefined
  const last = lastKnown(path)
  const isRead = facts !== undefined && last.content !== undefined && facts.size <= LARGEST_READ
  const content = isRead ? await readContent(deps, full) : undefined
  const file = facts === undefined ? undefined : { modifiedAt: facts.modifiedAt, content }
  const check = checkOnDisk(last, file, null)
  if (check.state === 'same' || check.state === 'unknown') return check
  return checkOnDisk(last, file, await otherEdit(deps, full, sessionId, last.at))
}

const fullPath = (path: string, workspace: string): string =>
  /^(?:\/|[A-Za-z]:)/.test(path) ? path : `${workspace}/${path}`

/** Undefined where the file can't be read. */
const readContent = async ({ fileSystem, hasher }: FilesOnDiskDeps, path: string): Promise<FileContent | undefined> => {
  try {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of fileSystem.read(path)) {
      // A file system may read the next part into the same memory.
      chunks.push(chunk.slice())
      length += chunk.length
    }
    const bytes = new Uint8Array(length)
    let end = 0
    for (const chunk of chunks) {
      bytes.set(chunk, end)
      end += chunk.length
    }
    return { hash: hasher.sha256(bytes), shape: hasher.sha256(textShape(new TextDecoder().decode(bytes))) }
  } catch {
    return undefined
  }
}

/** The newest edit of a file by another session since a time. */
const otherEdit = async (
  { store }: FilesOnDiskDeps,
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
