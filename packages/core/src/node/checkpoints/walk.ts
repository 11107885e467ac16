/** Goes over a root and says what a snapshot holds of it, and what it leaves out. Follows no links; reads no content. */
import { lstatSync, readdirSync } from 'node:fs'
import type { Dirent, Stats } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { isGitFolderName } from '../../checkpoints/byte-path.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import { isIgnored } from '../../checkpoints/ignore-rules.ts'
import type { IgnoreFile, IgnoreRule } from '../../checkpoints/ignore-rules.ts'
import { isSecretName, LARGEST_FILE } from '../../checkpoints/left-out.ts'
import type { LeftOut, LeftOutReason } from '../../checkpoints/left-out.ts'
import { CairnError } from '../../errors.ts'
import { codeOf, systemReason } from '../system-reason.ts'
import { isRepositoryTop, readRules, repositoryIgnores, userIgnoreRules } from './ignore-files.ts'

/** Other work has its turn after so long, ms. */
const SLICE_MS = 12

export interface WalkedFile {
  readonly path: BytePath
  readonly isLink: boolean
  /** Permission bits. */
  readonly mode: number
  /** Bytes. */
  readonly size: number
  /** Equal as long as nobody wrote to the file; empty where a change could hide within the clock's step. */
  readonly stamp: string
}

export interface Walked {
  readonly files: readonly WalkedFile[]
  readonly folders: ReadonlyMap<BytePath, number>
  readonly leftOut: readonly LeftOut[]
}

/** A folder that is still to be looked at, with the rules that hold in it. */
interface OpenFolder {
  readonly path: BytePath
  readonly rules: readonly IgnoreFile[]
  /** Ignored itself; only tracked files in it count. */
  readonly isIgnored: boolean
}

interface Walk {
  readonly root: Buffer
  readonly ownData: ReadonlySet<BytePath>
  readonly user: Promise<readonly IgnoreRule[]>
  readonly tracked: Set<BytePath>
  readonly trackedFolders: Set<BytePath>
  readonly files: WalkedFile[]
  readonly folders: Map<BytePath, number>
  readonly leftOut: LeftOut[]
  readonly open: OpenFolder[]
}

const SLASH = Buffer.from('/')

/** The path on disk. */
export const diskPath = (root: Buffer, path: BytePath): Buffer =>
  path === '' ? root : Buffer.concat([root, SLASH, Buffer.from(path, 'latin1')])

/** How long after its last change a file may change again under the same time stamp, ms: some systems count in seconds. */
const unsettledMs = (time: number): number => (time % 1000 === 0 ? 2_000 : 60)

/** The stamp of a file, as of `now` (ms). */
export const stampOf = ({ size, mtimeMs, ctimeMs, ino, mode }: Stats, now: number): string =>
  now - mtimeMs < unsettledMs(mtimeMs) || now - ctimeMs < unsettledMs(ctimeMs)
    ? ''
    : `${size} ${mtimeMs} ${ctimeMs} ${ino} ${mode}`

export interface WalkOptions {
  /** Files and folders of Cairn, under the root: left out. */
  readonly ownData?: ReadonlySet<BytePath>
  /** Told now and then how many files were seen. */
  readonly onSeen?: ((files: number) => void) | undefined
}

/** Walks over a root (absolute, without links). */
export const walkRoot = async (root: string, { ownData = new Set(), onSeen }: WalkOptions = {}): Promise<Walked> => {
  // Asked at the same time as git is for tracked files.
  const user = userIgnoreRules(root)
  const walk: Walk = {
    root: Buffer.from(root),
    ownData,
    user,
    tracked: new Set(),
    trackedFolders: new Set(),
    files: [],
    folders: new Map(),
    leftOut: [],
    open: [],
  }
  await enterRepository(walk, '', false)
  let turnAt = performance.now() + SLICE_MS
  for (let folder = walk.open.pop(); folder !== undefined; folder = walk.open.pop()) {
    await visit(walk, folder)
    if (performance.now() > turnAt) {
      onSeen?.(walk.files.length)
      await turn()
      turnAt = performance.now() + SLICE_MS
    }
  }
  return walk
}

/** Puts a repository's top on the list, with rules of its own: those around it do not reach into it. */
const enterRepository = async (walk: Walk, path: BytePath, isWithinIgnored: boolean): Promise<void> => {
  const folder = diskPath(walk.root, path).toString('utf8')
  const { files, trackedAnyway } = await repositoryIgnores(folder, path, walk.user)
  for (const each of trackedAnyway) {
    walk.tracked.add(each)
    for (let slash = each.lastIndexOf('/'); slash > 0; slash = each.lastIndexOf('/', slash - 1))
      walk.trackedFolders.add(each.slice(0, slash))
  }
  walk.open.push({ path, rules: files, isIgnored: isWithinIgnored })
}

const leave = (walk: Walk, path: BytePath, isFolder: boolean, reason: LeftOutReason, size?: number): void => {
  walk.leftOut.push({ path, isFolder, reason, ...(size === undefined ? {} : { size }) })
}

const visit = async (walk: Walk, folder: OpenFolder): Promise<void> => {
  let entries: Dirent[]
  try {
    entries = readdirSync(diskPath(walk.root, folder.path), { withFileTypes: true, encoding: 'latin1' })
  } catch (cause) {
    if (folder.path === '')
      throw new CairnError(
        'read-failed',
        `The folder ${walk.root.toString('utf8')} can’t be read: ${systemReason(cause) ?? 'unknown reason'}. Nothing was changed.`,
        { cause },
      )
    // What can't be listed must be named, or a later restore would take its files for new ones; unless it has gone.
    if (lstat(walk, folder.path)?.isDirectory() === true) leave(walk, folder.path, true, 'unreadable')
    walk.folders.delete(folder.path)
    return
  }
  if (entries.some(({ name }) => name === '.git') && folder.path !== '' && !folder.isIgnored) {
    const isEntered = folder.rules.some((file) => file.folder === folder.path)
    if (!isEntered && isRepositoryTop(diskPath(walk.root, folder.path).toString('utf8')))
      return enterRepository(walk, folder.path, false)
  }
  const own = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
    ? readRules(diskPath(walk.root, joined(folder.path, '.gitignore')))
    : []
  const rules =
    own.length === 0 ? folder.rules : [{ folder: folder.path, ...prefixOf(folder), rules: own }, ...folder.rules]
  for (const entry of entries) visitEntry(walk, { ...folder, rules }, entry)
}

const joined = (folder: BytePath, name: string): BytePath => (folder === '' ? name : `${folder}/${name}`)

/** At the root of a folder inside of a repository, rules are relative to the root as they are. */
const prefixOf = (folder: OpenFolder): { readonly prefix?: string } => (folder.path === '' ? { prefix: '' } : {})

const visitEntry = (walk: Walk, folder: OpenFolder, entry: Dirent): void => {
  const { name } = entry
  // A repository's own folder, or the file that points to it; never captured, and not worth a word.
  if (name === '.git') return
  const path = joined(folder.path, name)
  const isFolder = entry.isDirectory()
  const reason = isGitFolderName(name) ? 'reserved' : walk.ownData.has(path) ? 'own-data' : undefined
  if (reason !== undefined) {
    leave(walk, path, isFolder, reason)
    return
  }
  const ignored = folder.isIgnored || isIgnored(folder.rules, path, name, isFolder) === true
  if (ignored && !(isFolder ? walk.trackedFolders : walk.tracked).has(path)) {
    leave(walk, path, isFolder, 'ignored')
    return
  }
  const facts = lstat(walk, path)
  if (facts === undefined) return
  if (facts.isDirectory()) {
    walk.folders.set(path, facts.mode & 0o7777)
    walk.open.push({ path, rules: folder.rules, isIgnored: ignored })
    return
  }
  visitFile(walk, path, name, facts)
}

const visitFile = (walk: Walk, path: BytePath, name: string, facts: Stats): void => {
  const reason = reasonToLeave(name, facts)
  if (reason !== undefined) {
    leave(walk, path, false, reason, reason === 'too-large' ? facts.size : undefined)
    return
  }
  walk.files.push({
    path,
    isLink: facts.isSymbolicLink(),
    mode: facts.mode & 0o7777,
    size: facts.size,
    stamp: stampOf(facts, Date.now()),
  })
}

const reasonToLeave = (name: string, facts: Stats): LeftOutReason | undefined => {
  if (!facts.isFile() && !facts.isSymbolicLink()) return 'special'
  if (isSecretName(name)) return 'secret'
  return facts.size > LARGEST_FILE ? 'too-large' : undefined
}

const lstat = (walk: Walk, path: BytePath): Stats | undefined => {
  try {
    return lstatSync(diskPath(walk.root, path))
  } catch (error) {
    const hasGone = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'
    if (!hasGone) leave(walk, path, false, 'unreadable')
    return undefined
  }
}
