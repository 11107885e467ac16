/**
 * Carries a restore out, file by file: each is written beside its place and renamed, so that nobody sees half of one. What
 * is not as the snapshot before found it stays as it is and is named.
 */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { folderOfPath } from '../../checkpoints/byte-path.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import type { FileToRemove, FileToWrite, KeptFile, RestorePlan } from '../../checkpoints/restore-plan.ts'
import type { SnapshotEntry } from '../../checkpoints/snapshot-changes.ts'
import { codeOf, systemReason } from '../system-reason.ts'
import { blobOf, readStable } from './read-stable.ts'
import type { BlobReader } from './read-snapshots.ts'
import { diskPath } from './walk.ts'

export interface RestoreResult {
  readonly written: number
  readonly removed: number
  readonly kept: readonly KeptFile[]
}

interface Restoring {
  readonly root: Buffer
  readonly id: string
  readonly plan: RestorePlan
  readonly blobs: Pick<BlobReader, 'read'>
  readonly kept: KeptFile[]
  written: number
  removed: number
}

/** Other work has its turn after so many files. */
const FILES_A_TURN = 32

/** The name of a file that is being written, in the folder of the one that it becomes. */
const unfinishedName = (id: string): string => `.cairn-restore-${id}`

/** The path of the unfinished file beside a path, of the restore with this id. */
const unfinishedPath = (path: BytePath, id: string): BytePath => {
  const folder = folderOfPath(path)
  return folder === '' ? unfinishedName(id) : `${folder}/${unfinishedName(id)}`
}

/**
 * Carries out a plan under a root: files are removed, then written; then folders are made, removed where empty, and
 * given their permissions. What can't be done, is not as the plan expects, or lacks its content is in `kept` with the
 * reason, behind what the plan keeps, and doesn't stop the rest. Rejects where git ended, and for errors that nobody
 * expects. `id`: of the restore, part of the names of unfinished files. `onFile`: after every 32 files, how many are
 * done.
 */
export const applyRestore = async (
  root: string,
  plan: RestorePlan,
  id: string,
  blobs: Pick<BlobReader, 'read'>,
  onFile: (done: number) => void,
): Promise<RestoreResult> => {
  const state: Restoring = { root: Buffer.from(root), id, plan, blobs, kept: [...plan.keep], written: 0, removed: 0 }
  let done = 0
  const step = async (): Promise<void> => {
    done += 1
    if (done % FILES_A_TURN !== 0) return
    onFile(done)
    await turn()
  }
  for (const file of plan.remove) {
    if (attempt(state, file.path, () => removeFile(state, file))) state.removed += 1
    await step()
  }
  for (const file of plan.write) {
    const content = await contentFor(state, file)
    if (attempt(state, file.path, () => writeFile(state, file, content))) state.written += 1
    await step()
  }
  for (const path of plan.foldersToMake) attempt(state, path, () => makeFolders(state, path))
  for (const path of plan.foldersToRemove) removeIfEmpty(state, path)
  for (const [path, mode] of [...plan.folderModes].reverse()) setFolderMode(state, path, mode)
  return { written: state.written, removed: state.removed, kept: state.kept }
}

/**
 * Removes what an interrupted restore had not renamed yet. Missing ones are no error; @throws what the system says for
 * others.
 */
export const removeUnfinished = (root: string, plan: RestorePlan, id: string): void => {
  const bytes = Buffer.from(root)
  for (const path of new Set(plan.write.map((file) => unfinishedPath(file.path, id))))
    if (hasPlainParents(bytes, path)) rmSync(diskPath(bytes, path), { force: true })
}

/** A file that stays as it is; the message is why. */
class Obstacle extends Error {}

/**
 * What `action` gives: whether something was done. Where it throws an Obstacle or an error of the system, that is noted
 * in `kept`, and the answer is false; throws other errors.
 */
const attempt = (state: Restoring, path: BytePath, action: () => boolean): boolean => {
  try {
    return action()
  } catch (error) {
    const why = error instanceof Obstacle ? error.message : (systemReason(error) ?? codeOf(error))
    if (why === undefined) throw error
    state.kept.push({ path, why })
    return false
  }
}

/**
 * The content to write; undefined where it stays and only permissions change, and where the checkpoint's content is
 * missing.
 */
const contentFor = async ({ blobs }: Restoring, { before, after }: FileToWrite): Promise<Buffer | undefined> => {
  if (before?.blob === after.blob && before.gitMode !== '120000' && after.gitMode !== '120000') return undefined
  return blobs.read(after.blob)
}

/** The facts of what is at a path, a link as such; undefined for nothing. Throws for other errors. */
const lstatOrNone = (path: Buffer): Stats | undefined => {
  try {
    return lstatSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** Whether every folder above a path is a folder, and no link that could lead elsewhere. */
const hasPlainParents = (root: Buffer, path: BytePath): boolean => {
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
    if (lstatOrNone(diskPath(root, path.slice(0, slash)))?.isDirectory() !== true) return false
  return true
}

/**
 * Whether the disk has what a snapshot found: the same content and, for a file, the same permissions; with `found`
 * undefined, whether nothing is there.
 */
const isAsFound = (path: Buffer, facts: Stats | undefined, found: SnapshotEntry | undefined): boolean => {
  if (facts === undefined || found === undefined) return facts === undefined && found === undefined
  const isLink = found.gitMode === '120000'
  if (facts.isSymbolicLink() !== isLink || facts.isDirectory()) return false
  if (!isLink && (facts.mode & 0o7777) !== found.mode) return false
  const read = readStable(path, isLink)
  return 'content' in read && blobOf(read.content) === found.blob
}

const CHANGED_SINCE = 'it was changed while the restore was at work'

/**
 * Removes a file; false where it, or a folder above it, is gone. Throws an Obstacle where it is not as it was found.
 */
const removeFile = ({ root }: Restoring, { path, before }: FileToRemove): boolean => {
  if (!hasPlainParents(root, path)) return false
  const disk = diskPath(root, path)
  const facts = lstatOrNone(disk)
  if (facts === undefined) return false
  if (!isAsFound(disk, facts, before)) throw new Obstacle(CHANGED_SINCE)
  unlinkSync(disk)
  return true
}

/**
 * Writes a file, or only its permissions where its content stays; makes the folders above it, and removes a folder
 * without files in its place. Always true. Throws an Obstacle where what is there is not `before`, a folder with files
 * or a file in a folder's place is in the way, or `content` is missing; else what the system says.
 */
const writeFile = (state: Restoring, { path, before, after }: FileToWrite, content: Buffer | undefined): boolean => {
  const disk = diskPath(state.root, path)
  makeParents(state, path)
  const facts = lstatOrNone(disk)
  if (facts?.isDirectory() === true) removeEmptyFolders(state, path)
  else if (!isAsFound(disk, facts, before))
    throw new Obstacle(before === undefined ? 'something that no checkpoint holds is there' : CHANGED_SINCE)
  if (content === undefined && before?.blob === after.blob && after.gitMode !== '120000') {
    chmodSync(disk, after.mode)
    return true
  }
  if (content === undefined) throw new Obstacle('the checkpoint’s content of it is damaged')
  const unfinished = diskPath(state.root, unfinishedPath(path, state.id))
  rmSync(unfinished, { force: true })
  try {
    if (after.gitMode === '120000') symlinkSync(content, unfinished)
    else {
      writeFileSync(unfinished, content, { mode: 0o600, flag: 'wx' })
      chmodSync(unfinished, after.mode)
    }
    renameSync(unfinished, disk)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
  return true
}

/** Makes the folders above a path. A file or link in the way is an obstacle, as nothing captured it. */
const makeParents = (state: Restoring, path: BytePath): void => {
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
    makeOneFolder(state, path.slice(0, slash))
}

/**
 * Makes a folder; false where it is there. Throws an Obstacle where something else is. It gets the usual permissions,
 * as the plan has them.
 */
const makeOneFolder = ({ root, plan }: Restoring, path: BytePath): boolean => {
  const disk = diskPath(root, path)
  const facts = lstatOrNone(disk)
  if (facts?.isDirectory() === true) return false
  if (facts !== undefined) throw new Obstacle('a file or link is where its folder should be')
  mkdirSync(disk)
  chmodSync(disk, plan.usualFolderMode)
  return true
}

/** Makes a folder and those above it; says whether it was made. */
const makeFolders = (state: Restoring, path: BytePath): boolean => {
  makeParents(state, path)
  return makeOneFolder(state, path)
}

/**
 * Removes a folder that holds only empty ones. Throws an obstacle where a file is in it. Nothing is removed then. The
 * deepest go first.
 */
const removeEmptyFolders = ({ root }: Restoring, path: BytePath): void => {
  const found: BytePath[] = [path]
  for (const folder of found)
    for (const entry of readdirSync(diskPath(root, folder), { withFileTypes: true, encoding: 'latin1' })) {
      if (!entry.isDirectory()) throw new Obstacle('a folder with files that no checkpoint holds is there')
      found.push(`${folder}/${entry.name}`)
    }
  for (const folder of found.reverse()) rmdirSync(diskPath(root, folder))
}

/**
 * Removes a folder if it is empty. One that isn't, is missing or may not be removed stays and is not noted; throws
 * other errors of the system.
 */
const removeIfEmpty = ({ root }: Restoring, path: BytePath): void => {
  if (!hasPlainParents(root, path)) return
  try {
    const disk = diskPath(root, path)
    if (lstatSync(disk).isDirectory()) rmdirSync(disk)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES')
      throw error
  }
}

/** Gives a folder its permissions, if it is there; what can't be changed is noted as kept. */
const setFolderMode = ({ root, kept }: Restoring, path: BytePath, mode: number): void => {
  if (!hasPlainParents(root, path)) return
  const disk = diskPath(root, path)
  const facts = lstatOrNone(disk)
  if (facts?.isDirectory() !== true || (facts.mode & 0o7777) === mode) return
  try {
    chmodSync(disk, mode)
  } catch (error) {
    kept.push({ path, why: systemReason(error) ?? 'its permissions can’t be changed' })
  }
}
