/** Goes over a root and says what a snapshot holds of it, and what it leaves out. Follows no links; reads no content. */
import { lstatSync, readdirSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { isGitFolderName } from '../../checkpoints/byte-path.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import { isIgnored } from '../../checkpoints/ignore-rules.ts'
import type { IgnoreFile, IgnoreRule } from '../../checkpoints/ignore-rules.ts'
import { isSecretName, LARGEST_FILE } from '../../checkpoints/left-out.ts'
import type { LeftOut, LeftOutReason } from '../../checkpoints/left-out.ts'
import type { PathScope } from '../../checkpoints/path-scope.ts'
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
  /** With a scope: paths that lead to it and are not there. */
  readonly missing: readonly BytePath[]
}

/** A name in a folder. */
interface Entry {
  readonly name: string
  isDirectory(): boolean
  isFile(): boolean
}

/** A folder that is still to be looked at, with the rules that hold in it. */
interface OpenFolder {
  readonly path: BytePath
  readonly rules: readonly IgnoreFile[]
  /** Ignored itself; only tracked files in it count. */
  readonly isIgnored: boolean
}

/** What rules say is ignored; whether it is tracked all the same is known only when git has answered. */
interface IgnoredEntry {
  readonly folder: OpenFolder
  readonly path: BytePath
  readonly name: string
  readonly isFolder: boolean
}

interface Walk {
  readonly root: Buffer
  readonly rootText: string
  readonly ownData: ReadonlySet<BytePath>
  readonly scope: PathScope | undefined
  readonly user: Promise<readonly IgnoreRule[]>
  /** Answers of git that are awaited: files that are tracked though they are ignored. */
  readonly asked: (() => Promise<readonly BytePath[]>)[]
  readonly tracked: Set<BytePath>
  readonly trackedFolders: Set<BytePath>
  readonly ignored: IgnoredEntry[]
  readonly files: WalkedFile[]
  readonly folders: Map<BytePath, number>
  readonly leftOut: LeftOut[]
  readonly missing: BytePath[]
  readonly open: OpenFolder[]
}

const SLASH = Buffer.from('/')

/** The path on disk, as bytes; the root itself for the empty path. */
export const diskPath = (root: Buffer, path: BytePath): Buffer =>
  path === '' ? root : Buffer.concat([root, SLASH, Buffer.from(path, 'latin1')])

const ASCII = /^[\0-\x7f]*$/

/** The path on disk, as text where that is the same: it is opened in half of the time. */
const walkedPath = ({ root, rootText }: Walk, path: BytePath): string | Buffer =>
  ASCII.test(path) ? (path === '' ? rootText : `${rootText}/${path}`) : diskPath(root, path)

/** How long after its last change a file may change again under the same time stamp, ms: some systems count in seconds. */
const unsettledMs = (time: number): number => (time % 1000 === 0 ? 2_000 : 60)

/**
 * A text that changes when the file does, as of `now` (ms); empty, which equals nothing, for a file that changed so
 * shortly ago that it could change again within the same tick.
 */
export const stampOf = ({ size, mtimeMs, ctimeMs, ino, mode }: Stats, now: number): string =>
  now - mtimeMs < unsettledMs(mtimeMs) || now - ctimeMs < unsettledMs(ctimeMs)
    ? ''
    : `${size} ${mtimeMs} ${ctimeMs} ${ino} ${mode}`

export interface WalkOptions {
  /** Files and folders of Cairn, under the root: left out. */
  readonly ownData?: ReadonlySet<BytePath>
  /** Only these are looked at, and the folders that lead to them; all without it. */
  readonly scope?: PathScope | undefined
  /** Told now and then how many files were seen. */
  readonly onSeen?: ((files: number) => void) | undefined
}

/**
 * Walks over a root (absolute, without links), or over what of it the scope has; the arrays have no particular order.
 * What is not captured is in `leftOut` with the reason, also what is ignored and not tracked; only `.git` is not named.
 * `onSeen` is told the files so far from time to time. Rejects where git can't be started or the root can't be read.
 */
export const walkRoot = async (
  root: string,
  { ownData = new Set(), scope, onSeen }: WalkOptions = {},
): Promise<Walked> => {
  const walk: Walk = {
    root: Buffer.from(root),
    rootText: root,
    ownData,
    scope,
    // Asked at the same time as git is for tracked files.
    user: userIgnoreRules(root),
    asked: [],
    tracked: new Set(),
    trackedFolders: new Set(),
    ignored: [],
    files: [],
    folders: new Map(),
    leftOut: [],
    missing: [],
    open: [],
  }
  await enterRepository(walk, '', false)
  let turnAt = performance.now() + SLICE_MS
  while (walk.open.length + walk.ignored.length > 0) {
    for (let folder = walk.open.pop(); folder !== undefined; folder = walk.open.pop()) {
      const entered = visit(walk, folder)
      if (entered !== undefined) await entered
      if (performance.now() < turnAt) continue
      onSeen?.(walk.files.length)
      await turn()
      turnAt = performance.now() + SLICE_MS
    }
    await visitIgnored(walk)
  }
  return walk
}

/**
 * Puts a repository's top on the list of folders, with rules of its own: those around it do not reach into it. Git is
 * asked, later, which of its ignored files are tracked.
 */
const enterRepository = async (walk: Walk, path: BytePath, isWithinIgnored: boolean): Promise<void> => {
  const folder = diskPath(walk.root, path).toString('utf8')
  const { files, trackedAnyway } = await repositoryIgnores(folder, path, walk.user)
  // Of a whole root there is nearly always something ignored, so git looks while the walk goes on.
  walk.asked.push(walk.scope === undefined ? started(trackedAnyway) : trackedAnyway)
  walk.open.push({ path, rules: files, isIgnored: isWithinIgnored })
}

/** Starts `action` at once, and gives a function that its result is awaited by; a rejection waits, too. */
const started = <T>(action: () => Promise<T>): (() => Promise<T>) => {
  const promise = action()
  promise.catch(() => undefined)
  return () => promise
}

/** Asks git which of the ignored files are tracked: these, and folders with such, are visited, the others left out. */
const visitIgnored = async (walk: Walk): Promise<void> => {
  const ignored = walk.ignored.splice(0)
  if (ignored.length === 0) return
  for (const ask of walk.asked.splice(0))
    for (const each of await ask()) {
      walk.tracked.add(each)
      for (let slash = each.lastIndexOf('/'); slash > 0; slash = each.lastIndexOf('/', slash - 1))
        walk.trackedFolders.add(each.slice(0, slash))
    }
  for (const { folder, path, name, isFolder } of ignored)
    if ((isFolder ? walk.trackedFolders : walk.tracked).has(path)) visitKept(walk, folder, path, name, true)
    else leave(walk, path, isFolder, 'ignored')
}

/** Notes what is left out, and why. */
const leave = (walk: Walk, path: BytePath, isFolder: boolean, reason: LeftOutReason, size?: number): void => {
  walk.leftOut.push({ path, isFolder, reason, ...(size === undefined ? {} : { size }) })
}

/**
 * Looks at a folder: takes its files in, and puts its folders on the list. A repository's top is put on it again with
 * its own rules: the promise of that is returned, undefined otherwise. One that can't be read is noted as left out; for
 * the root that throws `read-failed`.
 */
const visit = (walk: Walk, folder: OpenFolder): Promise<void> | undefined => {
  let entries: readonly Entry[]
  try {
    entries = entriesOf(walk, folder.path)
  } catch (cause) {
    if (folder.path === '')
      throw new CairnError(
        'read-failed',
        `The folder ${walk.rootText} can’t be read: ${systemReason(cause) ?? 'unknown reason'}. Nothing was changed.`,
        { cause },
      )
    // What can't be listed must be named, or a later restore would take its files for new ones; unless it has gone.
    if (lstat(walk, folder.path)?.isDirectory() === true) leave(walk, folder.path, true, 'unreadable')
    walk.folders.delete(folder.path)
    return undefined
  }
  if (hasRepository(walk, folder, entries)) return enterRepository(walk, folder.path, false)
  const within = withOwnRules(walk, folder, entries)
  const names = walk.scope?.namesIn(folder.path)
  for (const entry of entries) if (names?.has(entry.name) !== false) visitEntry(walk, within, entry)
  return undefined
}

/**
 * Whether a folder is the top of a repository that was not entered yet; false for the root, and within what is ignored.
 */
const hasRepository = (
  { root }: Walk,
  { path, rules, isIgnored: isWithinIgnored }: OpenFolder,
  entries: readonly Entry[],
): boolean =>
  path !== '' &&
  !isWithinIgnored &&
  entries.some(({ name }) => name === '.git') &&
  !rules.some(({ folder }) => folder === path) &&
  isRepositoryTop(diskPath(root, path).toString('utf8'))

/**
 * The folder with the rules of its own .gitignore before all others. Without such a file, or rules in it, the folder as
 * it is.
 */
const withOwnRules = ({ root }: Walk, folder: OpenFolder, entries: readonly Entry[]): OpenFolder => {
  if (!entries.some((entry) => entry.name === '.gitignore' && entry.isFile())) return folder
  const rules = readRules(diskPath(root, joined(folder.path, '.gitignore')))
  if (rules.length === 0) return folder
  return { ...folder, rules: [{ folder: folder.path, ...prefixOf(folder), rules }, ...folder.rules] }
}

/** The names that a folder's rules are in, beside those that are looked for. */
const RULE_NAMES = ['.git', '.gitignore'] as const

/**
 * What is in a folder; with a scope only what leads to it, and where rules are: names of the scope that are not there
 * are noted as missing. Throws what the system says.
 */
const entriesOf = (walk: Walk, folder: BytePath): readonly Entry[] => {
  const names = walk.scope?.namesIn(folder)
  if (names === undefined) return readdirSync(walkedPath(walk, folder), { withFileTypes: true, encoding: 'latin1' })
  return [...new Set([...RULE_NAMES, ...names])].flatMap((name): Entry[] => {
    const path = joined(folder, name)
    const facts = lstatSync(walkedPath(walk, path), { throwIfNoEntry: false })
    if (facts === undefined && names.has(name)) walk.missing.push(path)
    return facts === undefined ? [] : [{ name, isDirectory: () => facts.isDirectory(), isFile: () => facts.isFile() }]
  })
}

const joined = (folder: BytePath, name: string): BytePath => (folder === '' ? name : `${folder}/${name}`)

/** At the root of a folder inside of a repository, rules are relative to the root as they are. */
const prefixOf = (folder: OpenFolder): { readonly prefix?: string } => (folder.path === '' ? { prefix: '' } : {})

/**
 * Takes one entry of a folder in: a file, a folder to enter, or something that is left out. What rules ignore is put
 * aside until git has said whether it is tracked. `.git` is passed over.
 */
const visitEntry = (walk: Walk, folder: OpenFolder, entry: Entry): void => {
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
  if (folder.isIgnored || isIgnored(folder.rules, path, name, isFolder) === true)
    walk.ignored.push({ folder, path, name, isFolder })
  else visitKept(walk, folder, path, name, false)
}

/** Notes a file (or why it is left out), or puts a folder on the list; nothing for a path that is gone. */
const visitKept = (walk: Walk, folder: OpenFolder, path: BytePath, name: string, ignored: boolean): void => {
  const facts = lstat(walk, path)
  if (facts === undefined) return
  if (facts.isDirectory()) {
    walk.folders.set(path, facts.mode & 0o7777)
    walk.open.push({ path, rules: folder.rules, isIgnored: ignored })
    return
  }
  visitFile(walk, path, name, facts)
}

/** Takes a file in, or notes why not. */
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

/** Why a file is not captured; undefined where it is. */
const reasonToLeave = (name: string, facts: Stats): LeftOutReason | undefined => {
  if (!facts.isFile() && !facts.isSymbolicLink()) return 'special'
  if (isSecretName(name)) return 'secret'
  return facts.size > LARGEST_FILE ? 'too-large' : undefined
}

/** The facts of a path, a link's own; undefined for nothing, and for what can't be read, which is noted as left out. */
const lstat = (walk: Walk, path: BytePath): Stats | undefined => {
  try {
    return lstatSync(walkedPath(walk, path), { throwIfNoEntry: false })
  } catch (error) {
    if (codeOf(error) !== 'ENOTDIR') leave(walk, path, false, 'unreadable')
    return undefined
  }
}
