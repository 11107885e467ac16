/** Compares the files in a session's context with the disk: which have changed since, and who changed them. */
import type { GitRecords } from '../ports/git-records.ts'
import type { Store } from '../ports/store.ts'
import type { FilesInContextQuery } from '../tracking/file-tracker.ts'
import { commandAt } from '../tracking/command-runs.ts'
import type { CommandRun } from '../tracking/command-runs.ts'
import type { FileState, TrackedFile } from '../tracking/tracked-file.ts'
import { contentOfFile, findFile } from '../watching/compare-file.ts'
import type { FileCompareDeps, FoundFile } from '../watching/compare-file.ts'
import { NO_EVIDENCE, checkOnDisk } from '../watching/file-on-disk.ts'
import type { DiskCheck, LastKnown, OtherEdit } from '../watching/file-on-disk.ts'
import type { FileContent } from '../watching/attribution-types.ts'
import { stampOf } from '../watching/known-files.ts'
import type { KnownFile, KnownFiles } from '../watching/known-files.ts'

/** A file of a session's context, compared with the disk. */
export interface FileInContext extends TrackedFile {
  /** Null if it was not compared: the session's folder is not here, the query said so, or there are too many files. */
  readonly disk: DiskCheck | null
}

export interface SessionFilesQuery extends FilesInContextQuery {
  /** Whether to compare files with the disk; default true. Files that changed there are `stale`. */
  readonly disk?: boolean
}

export interface CompareDeps extends FileCompareDeps {
  readonly store: Pick<Store, 'sessions' | 'search'>
  readonly git?: () => Promise<GitRecords>
}

/** A session's files as its log shows them. */
export interface FilesOfLog {
  readonly sessionId: string
  /** The session's folder; null if unknown, in which case nothing is compared. */
  readonly workspace: string | null
  /** Most recently touched first. */
  readonly files: readonly TrackedFile[]
  /** What the session last knew about a file, by its path in `files`. */
  readonly lastKnown: (path: string) => LastKnown
  /** The agent's commands, oldest first. */
  readonly commands: readonly CommandRun[]
}

/** The result of comparing a file with the disk. */
export interface ComparedFile {
  readonly file: TrackedFile
  readonly known: LastKnown
  readonly found: FoundFile
  /** Its current content, if it was read. */
  readonly content: FileContent | undefined
  readonly check: DiskCheck
}

/** Maximum number of files compared with the disk for one answer. */
const MOST_COMPARED = 500

/**
 * The files of a log, those that can be compared with the disk; active ones that changed or are gone there are stale.
 * `states` and `limit` apply to the state after that. `known` is what was last seen of them. At most the first 500 are
 * compared, none that is removed from the context, may not be looked at, or whose session has no folder here: their
 * `disk` is null and their state that of the log. Files keep the log's order.
 */
export const comparedFiles = async (
  deps: CompareDeps,
  log: FilesOfLog,
  known: KnownFiles | undefined,
  { states, limit = Infinity, disk = true }: SessionFilesQuery = {},
): Promise<readonly FileInContext[]> => {
  const root = disk ? await rootOf(deps, log) : null
  const { files } = log
  const candidates = root === null ? [] : files.filter(({ state }) => state !== 'removed').slice(0, MOST_COMPARED)
  const compared =
    root === null
      ? new Map<string, ComparedFile>()
      : await compareFiles(deps, { ...log, workspace: root }, known, candidates)
  const found: FileInContext[] = []
  for (const file of files) {
    if (found.length >= limit) break
    const check = compared.get(file.path)?.check ?? null
    const state = stateOnDisk(file.state, check)
    if (states === undefined || states.includes(state)) found.push({ ...file, state, disk: check })
  }
  return found
}

/**
 * The folder of a session's files; null for a session of another machine, or of a folder that is gone: its files do not
 * count as gone one by one.
 */
export const rootOf = async (
  { fileSystem }: Pick<CompareDeps, 'fileSystem'>,
  { workspace }: Pick<FilesOfLog, 'workspace'>,
): Promise<string | null> => {
  const folder = workspace === null ? undefined : await fileSystem.stat(workspace).catch(() => undefined)
  return folder?.kind === 'directory' ? workspace : null
}

const stateOnDisk = (state: FileState, check: DiskCheck | null): FileState =>
  state === 'active' && (check?.state === 'changed' || check?.state === 'gone') ? 'stale' : state

/**
 * What happened to each file since its last record in the log, by path; files that can't be checked are missing from
 * the result. Changes nothing; never rejects because of a file. Files are read one after another, at most once each.
 */
export const compareFiles = async (
  deps: CompareDeps,
  session: FilesOfLog & { readonly workspace: string },
  known: KnownFiles | undefined,
  files: readonly TrackedFile[],
): Promise<ReadonlyMap<string, ComparedFile>> => {
  const seen = new Map(known?.workspace === session.workspace ? known.files.map((file) => [file.path, file]) : [])
  const compared: ComparedFile[] = []
  for (const file of files) {
    const one = await compareFile(deps, session, file, seen.get(file.path))
    if (one !== undefined) compared.push(one)
  }
  const byGit = await writtenByGit(deps, session.workspace, compared)
  const judged = await Promise.all(compared.map((one) => withEvidence(deps, session, one, byGit.has(one.found.path))))
  return new Map(judged.map((one) => [one.file.path, one]))
}

const isChanged = ({ check }: ComparedFile): boolean => check.state === 'changed' || check.state === 'gone'

/**
 * Compares a file with what the log and the last look know of it. Undefined if it may not be looked at. Its content is
 * read only if something is known to compare it with, and it is not as at the last look; a file that is gone has none.
 */
const compareFile = async (
  deps: CompareDeps,
  { lastKnown, workspace }: FilesOfLog & { readonly workspace: string },
  file: TrackedFile,
  seen: KnownFile | undefined,
): Promise<ComparedFile | undefined> => {
  const found = await findFile(deps, file.path, workspace)
  if (found === undefined) return undefined
  const fromLog = lastKnown(file.path)
  const known = { at: fromLog.at, content: fromLog.content ?? seenContent(seen, fromLog.at) }
  const { facts } = found
  const isAsSeen = facts !== undefined && seen?.stamp === stampOf(facts) && known.content?.hash === seen.content?.hash
  const content =
    facts === undefined || known.content === undefined
      ? undefined
      : isAsSeen
        ? known.content
        : await contentOfFile(deps, found)
  const check = checkOnDisk(known, facts === undefined ? undefined : { modifiedAt: facts.modifiedAt, content })
  return { file, known, found, content, check }
}

/** What was seen remains valid until the session touches the file again. */
const seenContent = (seen: KnownFile | undefined, at: number | null): FileContent | undefined =>
  seen?.at === at ? seen.content : undefined

/**
 * The changed files that git wrote; git is asked once, and only if something changed. Paths are those on disk; without
 * git none is.
 */
const writtenByGit = async (
  { git }: CompareDeps,
  workspace: string,
  compared: readonly ComparedFile[],
): Promise<ReadonlySet<string>> => {
  const changed = compared
    .filter(isChanged)
    .flatMap(({ found }) =>
      found.facts === undefined ? [] : [{ path: found.path, modifiedAt: found.facts.modifiedAt }],
    )
  if (git === undefined || changed.length === 0) return new Set()
  return (await git()).writtenByGit(workspace, changed)
}

/**
 * For a file that is changed or gone, the check done again with evidence of who did it: git (`isByGit`), a command of
 * this session that ran when the file was written (none for a file that is gone), or the newest edit by another session
 * since this one's. Any other file as it was. Reads only the store, not the disk again; rejects as the store does.
 */
const withEvidence = async (
  deps: CompareDeps,
  { sessionId, commands }: FilesOfLog,
  one: ComparedFile,
  isByGit: boolean,
): Promise<ComparedFile> => {
  if (!isChanged(one)) return one
  const { file, known, found, content } = one
  const modifiedAt = found.facts?.modifiedAt
  const evidence = {
    ...NO_EVIDENCE,
    isByGit,
    command: modifiedAt === undefined ? null : commandAt(commands, file.path, modifiedAt),
    other: await otherEdit(deps, found.path, sessionId, known.at),
  }
  const onDisk = modifiedAt === undefined ? undefined : { modifiedAt, content }
  return { ...one, check: checkOnDisk(known, onDisk, evidence) }
}

/** The newest edit of a file by another session since a time (ms; null: ever); null if there is none. */
const otherEdit = async (
  { store }: Pick<CompareDeps, 'store'>,
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
