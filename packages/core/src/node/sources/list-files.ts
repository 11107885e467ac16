/** Lists the files below a root: git's list where there is git, else a walk that reads the ignore files itself. */
import { lstatSync, readdirSync } from 'node:fs'
import type { Dirent, Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isGitFolderName } from '../../checkpoints/byte-path.ts'
import type { WorkspaceFile } from '../../ports/workspace-files.ts'
import { isRepositoryTop, repositoryIgnores, userIgnoreRules } from '../checkpoints/ignore-files.ts'
import type { IgnoreFile } from '../../checkpoints/ignore-rules.ts'
import { listWithGit } from './git-files.ts'
import type { IndexedContent } from './git-files.ts'
import { layeredIgnores } from './layered-ignores.ts'
import type { LayeredIgnores } from './layered-ignores.ts'

/** Folders that a walk without git leaves out, as no repository holds them. */
const NEVER_WALKED = new Set(['.hg', '.svn', '.jj', 'node_modules', '__pycache__'])
/** Repositories in repositories. */
const MOST_REPOSITORIES = 16
const FILES_A_TURN = 500
/** Times are numbers with fractions, exact to less than a microsecond. */
const SAME_TIME_MS = 0.001

export interface Listing {
  readonly root: string
  readonly files: WorkspaceFile[]
  /** What the person's own ignore files leave out. */
  readonly isLeftOut: (path: string, isFolder: boolean) => boolean
  /** Which files are listed at all. */
  readonly isWanted: (path: string) => boolean
  readonly maxFiles: number
  readonly signal?: AbortSignal | undefined
  looked: number
}

/**
 * Adds the files below `folder` (relative to the root, '' for it) to the listing, as git lists them, else by walking;
 * at most one more than its limit. Repositories inside are listed by their own rules, too, at most `MOST_REPOSITORIES`
 * deep; a submodule that was not fetched is not. Rejects with the signal's reason.
 */
export const listFolder = async (listing: Listing, folder = '', depth = 0): Promise<void> => {
  const entries = await listWithGit(join(listing.root, folder))
  if (entries === undefined) return walk(listing, folder, depth)
  for (const { path, isRepository, indexed } of entries) {
    if (listing.files.length > listing.maxFiles) return
    const full = folder === '' ? path : `${folder}/${path}`
    if (listing.isLeftOut(full, isRepository)) continue
    if (!isRepository) await addFile(listing, full, indexed)
    // Without its own .git it is a submodule that was not fetched, and git would list the repository around it.
    else if (depth < MOST_REPOSITORIES && isRepositoryTop(join(listing.root, full)))
      await listFolder(listing, full, depth + 1)
  }
}

/**
 * Git's ignore rules for a folder (relative to the root) that git does not list, those of the user and of the
 * repository around it included. Never rejects: what can't be read has no rules.
 */
export const gitIgnores = async (root: string, folder: string): Promise<LayeredIgnores> => {
  const top = join(root, folder)
  let base: readonly IgnoreFile[] = []
  try {
    base = (await repositoryIgnores(top, '', userIgnoreRules(top))).files
  } catch {
    // Without git its settings are unknown; the files in the folder still count.
  }
  return layeredIgnores(top, '.gitignore', base)
}

/**
 * Adds the files below `start`, in no certain order, until there are more than `maxFiles`; links, git's own folders and
 * those in `NEVER_WALKED` are left out. A repository in a folder is listed by its own rules, at most
 * `MOST_REPOSITORIES` deep.
 */
const walk = async (listing: Listing, start: string, depth: number): Promise<void> => {
  const ignores = await gitIgnores(listing.root, start)
  const pending = [start]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of entriesOf(join(listing.root, folder))) {
      if (listing.files.length > listing.maxFiles) return
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const isFolder = entry.isDirectory()
      if (isFolder ? isSkipped(entry.name) : !entry.isFile()) continue
      const below = start === '' ? path : path.slice(start.length + 1)
      if (ignores.isLeftOut(below, isFolder) || listing.isLeftOut(path, isFolder)) continue
      if (!isFolder) await addFile(listing, path)
      else if (depth < MOST_REPOSITORIES && isRepositoryTop(join(listing.root, path)))
        await listFolder(listing, path, depth + 1)
      else pending.push(path)
    }
  }
}

const isSkipped = (name: string): boolean => isGitFolderName(name) || NEVER_WALKED.has(name)

/** What a folder holds; empty if it can't be read. */
const entriesOf = (folder: string): readonly Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/**
 * Adds a file to the listing if it is wanted and a regular file on disk. Its blob id is kept only if it has not changed
 * since it was indexed. Lets others have a turn now and then, and then rejects if aborted.
 */
const addFile = async (listing: Listing, path: string, indexed?: IndexedContent): Promise<void> => {
  listing.looked += 1
  if (listing.looked % FILES_A_TURN === 0) {
    await nextTurn()
    listing.signal?.throwIfAborted()
  }
  if (!listing.isWanted(path)) return
  const facts = factsOf(join(listing.root, path))
  // Removed, or no file by now: git lists links and what was removed, too.
  if (facts?.isFile() !== true) return
  const { size: bytes, mtimeMs } = facts
  const isAsIndexed =
    indexed?.bytes === bytes &&
    Math.abs(mtimeMs - indexed.mtimeSeconds * 1000 - indexed.mtimeNanoseconds / 1e6) < SAME_TIME_MS
  listing.files.push({ path, bytes, mtimeMs, ...(isAsIndexed ? { blobId: indexed.blobId } : {}) })
}

/** The facts of a path, not following a link; undefined if there are none. */
const factsOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
