/** The WorkspaceFiles port over git and `node:fs`. */
import { realpathSync, statSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import { bytePathOf, isGitFolderName } from '../../checkpoints/byte-path.ts'
import { CairnError } from '../../errors.ts'
import type { FileContent, FileList, ReadChoice, WorkspaceFile, WorkspaceFiles } from '../../ports/workspace-files.ts'
import type { IgnoreFile } from '../../checkpoints/ignore-rules.ts'
import { isRepositoryTop, readRules } from '../checkpoints/ignore-files.ts'
import { folderAbove } from '../folder-above.ts'
import { isTracked } from './git-files.ts'
import { layeredIgnores } from './layered-ignores.ts'
import type { LayeredIgnores } from './layered-ignores.ts'
import { gitIgnores, listFolder } from './list-files.ts'
import type { Listing } from './list-files.ts'
import { readBelow, realPathBelow } from './read-below.ts'
import { unchangedList, watchList } from './unchanged-list.ts'
import type { ListWatch } from './unchanged-list.ts'

/** A person's own ignore files: they only take away, from tools, too. */
const OWN_IGNORE_FILES = ['.cairnignore', '.clineignore'] as const
const MAX_FILES = 500_000

export interface WorkspaceFilesOptions {
  /** A list is cut behind so many files of a root. */
  readonly maxFiles?: number
  /** Which files are listed, by their paths from their root; others cost nothing. They can still be read. Default: all. */
  readonly isWanted?: (path: string) => boolean
}

/** A root, what its paths begin with, and the files of its last list. */
interface Root {
  readonly folder: string
  readonly prefix: string
  listed: ReadonlySet<string>
  /** How often it was listed; from the second time on it is worth a watch. */
  lists: number
  watch: ListWatch | undefined
}

/**
 * The files below one or several roots, read when asked; a list may be given again from memory while no folder of it
 * has changed. Several roots give their paths the root's name in front; of two with the same name the second gets a
 * number. `read` refuses what leads out of its root, and what ignore files leave out unless the last list held it.
 * @throws CairnError `invalid-input` without a root
 */
export const createWorkspaceFiles = (
  roots: readonly string[],
  { maxFiles = MAX_FILES, isWanted = () => true }: WorkspaceFilesOptions = {},
): WorkspaceFiles => {
  if (roots.length === 0) throw new CairnError('invalid-input', 'A workspace needs at least one folder.')
  const known = namedRoots(roots.map((folder) => resolve(folder)))
  return {
    roots: known.map(({ folder, prefix }) => ({ folder, prefix })),
    /** The files of all roots, sorted by path with the root's prefix; `isComplete` only if each root's list is. */
    list: async (signal) => {
      const lists: FileList[] = []
      for (const root of known) lists.push(await listRoot(root, { maxFiles, isWanted, signal }))
      const [only] = lists
      const files =
        lists.length === 1 && only !== undefined ? only.files : lists.flatMap((list) => list.files).sort(byPath)
      return { files, isComplete: lists.every(({ isComplete }) => isComplete) }
    },
    read: (path, maxBytes, choice = {}) => readFromRoots(known, path, maxBytes, choice),
  }
}

const byPath = (left: WorkspaceFile, right: WorkspaceFile): number =>
  left.path < right.path ? -1 : left.path > right.path ? 1 : 0

/** The roots with their names before their paths; a single one has none, equal names get a number. */
const namedRoots = (folders: readonly string[]): readonly Root[] => {
  if (folders.length === 1) return folders.map((folder) => rootOf(folder, ''))
  const taken = new Set<string>()
  return folders.map((folder) => {
    const plain = basename(folder) || 'root'
    let name = plain
    for (let number = 2; taken.has(name); number++) name = `${plain}-${number}`
    taken.add(name)
    return rootOf(folder, `${name}/`)
  })
}

const rootOf = (folder: string, prefix: string): Root => {
  return { folder, prefix, listed: new Set(), lists: 0, watch: undefined }
}

/**
 * The files of a root with its prefix, sorted by path, at most `maxFiles` (`isComplete` is false where there are more);
 * the last list again where nothing changed since. Remembers the list for `read`. Rejects with the signal's reason.
 */
const listRoot = async (
  root: Root,
  { maxFiles, isWanted, signal }: Pick<Listing, 'maxFiles' | 'isWanted' | 'signal'>,
): Promise<FileList> => {
  signal?.throwIfAborted()
  const known = root.watch && unchangedList(root.folder, root.watch)
  if (known !== undefined) return { files: withPrefix(known, root.prefix), isComplete: true }
  const startedAt = Date.now()
  const isLeftOut = ownIgnores(root.folder)
  const listing: Listing = { root: root.folder, files: [], isLeftOut, isWanted, maxFiles, signal, looked: 0 }
  await listFolder(listing)
  const isComplete = listing.files.length <= maxFiles
  const files = listing.files.slice(0, maxFiles).sort(byPath)
  root.listed = new Set(files.map(({ path }) => path))
  root.watch = root.lists > 0 && isComplete ? await watchList(root.folder, files, startedAt, isLeftOut) : undefined
  root.lists += 1
  return { files: withPrefix(files, root.prefix), isComplete }
}

const withPrefix = (files: readonly WorkspaceFile[], prefix: string): readonly WorkspaceFile[] =>
  prefix === '' ? files : files.map((file) => ({ ...file, path: prefix + file.path }))

/** What the own ignore files leave out: those of the root's folders, and those above it in its repository. */
const ownIgnores = (root: string): Listing['isLeftOut'] => {
  const layers = ownLayers(root)
  return (path, isFolder) => layers.some((layer) => layer.isLeftOut(path, isFolder))
}

const ownLayers = (root: string): readonly LayeredIgnores[] =>
  OWN_IGNORE_FILES.map((name) => layeredIgnores(root, name, rulesAbove(root, name)))

/**
 * The ignore files called `name` in the folders above the root up to its repository's top, the nearest first; none if
 * it is in no repository.
 */
const rulesAbove = (root: string, name: string): readonly IgnoreFile[] => {
  const files: IgnoreFile[] = []
  let prefix = ''
  for (let folder = root; !isRepositoryTop(folder);) {
    const above = folderAbove(folder)
    // In no repository at all: then nothing above the root counts.
    if (above === undefined) return []
    prefix = `${bytePathOf(basename(folder))}/${prefix}`
    const source = `${'../'.repeat(files.length + 1)}${name}`
    files.push({ folder: '', prefix, rules: readRules(join(above, name)), source })
    folder = above
  }
  return files
}

/**
 * Reads a file of the root that its path begins with, or says why not: `outside` for a path that fits no root or has an
 * empty name, `.` or `..` in it, `ignored`, or as `readBelow` does. A folder that ignore files leave out is `ignored`,
 * too.
 */
const readFromRoots = async (
  roots: readonly Root[],
  path: string,
  maxBytes: number,
  choice: ReadChoice,
): Promise<FileContent> => {
  const root = roots.find(({ prefix }) => path.startsWith(prefix))
  if (root === undefined) return { refused: 'outside' }
  const below = path.slice(root.prefix.length)
  if (!isPathBelow(below)) return { refused: 'outside' }
  const by = root.listed.has(below) ? undefined : await leftOutBy(root, below)
  if (by !== undefined) return { refused: 'ignored', by }
  const content = readBelow(root.folder, below, maxBytes, choice)
  if (!('refused' in content) || content.refused !== 'not-a-file' || !isFolderAt(join(root.folder, below)))
    return content
  // Rules that end with a slash hold only for folders.
  const folderBy = await ignoredBy(root.folder, below, true)
  return folderBy === undefined ? content : { refused: 'ignored', by: folderBy }
}

/** Whether a folder is at a path, following links; false where nothing can be read. */
const isFolderAt = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

const isPathBelow = (path: string): boolean =>
  !path.includes('\0') && path.split(/[/\\]/).every((name) => name !== '' && name !== '.' && name !== '..')

/**
 * What would leave a file out of a list that no list held yet, itself or the file that it leads to, such as
 * `src/.gitignore`; undefined where nothing does.
 */
const leftOutBy = async (root: Root, path: string): Promise<string | undefined> => {
  const by = await ignoredBy(root.folder, path)
  if (by !== undefined) return by
  const target = targetOf(root.folder, path)
  if (target === undefined || target === path || root.listed.has(target)) return undefined
  return ignoredBy(root.folder, target)
}

/**
 * Where links below a root lead, relative to it; undefined where that is outside, or nothing is there: reading says
 * which. With `/`.
 */
const targetOf = (root: string, path: string): string | undefined => {
  try {
    const real = realPathBelow(root, path)
    return real && relative(realpathSync.native(root), real).replaceAll(sep, '/')
  } catch {
    return undefined
  }
}

/**
 * Whether a path below a root (relative, with `/`) is left out by git or the person's own ignore files, or lies in a
 * git folder; it need not be there. What git tracks is not left out by git's rules.
 */
export const isIgnoredPath = async (root: string, path: string, isFolder = false): Promise<boolean> =>
  (await ignoredBy(root, path, isFolder)) !== undefined

/**
 * As {@link isIgnoredPath}: what leaves the path out, such as `src/.gitignore`; undefined where nothing does.
 * `isFolder`: the path is that of a folder.
 */
export const ignoredBy = async (root: string, path: string, isFolder = false): Promise<string | undefined> => {
  if (path.split('/').some((name) => isGitFolderName(name))) return '.git'
  for (const layer of ownLayers(root)) {
    const by = layer.leftOutBy(path, isFolder)
    if (by !== undefined) return by
  }
  const by = (await gitIgnores(root, '')).leftOutBy(path, isFolder)
  return by === undefined || (await isTracked(root, path)) ? undefined : by
}
