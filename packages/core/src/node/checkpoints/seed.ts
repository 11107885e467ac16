/**
 * Contents that the user's own repository has in its packs. They are copied as they lie there, compressed, into the private
 * repository, and so need not be compressed again at the first snapshot of a folder. What is copied is decided by the
 * id of the bytes that were read from the disk, never by the index: filters, line ends, flags and times have no say in it.
 *
 * Git runs on the private repository, told by its environment where else it may read objects: nothing of the user's is
 * written, configured or fetched, and nothing of the private repository refers to the user's afterwards.
 */
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { readUserGit, runGit } from './git-process.ts'
import type { GitAnswer } from './git-process.ts'

export interface Seed {
  /** Whether a content need not be sent: the user's packs have it, and `copy` will bring it. `size`: bytes */
  take(blob: string, size: number): boolean
  /**
   * Copies what was taken into one pack; undefined where nothing was. A code other than 0: the user's objects can't be
   * read, and everything has to be sent.
   */
  copy(): Promise<GitAnswer | undefined>
  /** Removes what was copied. The caller holds the lock, and no commit stands on it. */
  discard(): void
}

/** With fewer files a second pack and three more processes cost more than they save. */
const FEWEST = 200

/** A tracked file or link without a conflict; ids of another hash function than SHA-1 are longer. */
const ENTRY = /^(?:100644|100755|120000) ([0-9a-f]{40}) 0\t/
const FOUND = /^([0-9a-f]{40}) blob (\d+)$/

/**
 * What the repository around a root may give; undefined where that is little, or where anything is doubtful. It is
 * little below `FEWEST` contents, or where the private repository has a pack already. `copy` brings what was taken into
 * the private repository, `discard` removes that again.
 */
export const openSeed = async (root: string, gitFolder: string): Promise<Seed | undefined> => {
  // With a pack there, this is not the first snapshot: git has most contents already.
  if (packFiles(gitFolder).some((name) => name.endsWith('.pack'))) return undefined
  const objects = await objectFolder(root)
  if (objects === undefined) return undefined
  const known = await packedBlobs(root, gitFolder, objects)
  if (known.size < FEWEST) return undefined
  const taken = new Set<string>()
  return {
    take: (blob, size) => {
      if (known.get(blob) !== size) return false
      taken.add(blob)
      return true
    },
    /**
     * Packs what was taken into the private repository; undefined where nothing was. Never rejects for an exit code.
     */
    copy: async () =>
      taken.size === 0
        ? undefined
        : runGit(
            gitFolder,
            ['pack-objects', '--quiet', '--window=0', '--delta-base-offset', join(packFolder(gitFolder), 'pack')],
            [...taken, ''].join('\n'),
            objects,
          ),
    // There was no pack before this one.
    discard: () => {
      for (const name of packFiles(gitFolder))
        if (/^(?:pack-|tmp_)/.test(name)) rmSync(join(packFolder(gitFolder), name), { force: true })
    },
  }
}

const packFolder = (gitFolder: string): string => join(gitFolder, 'objects', 'pack')
const packFiles = (gitFolder: string): readonly string[] => namesIn(packFolder(gitFolder))

/** The names in a folder; none where it can't be read. */
const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * Where the repository around a root keeps its objects; undefined where there is none, or one that can't be used:
 * without packs, with another hash than SHA-1, with objects of a third repository, an index that `isPlainIndex`
 * refuses, or a path that git would split.
 */
const objectFolder = async (root: string): Promise<string | undefined> => {
  const answer = await readUserGit(root, [
    'rev-parse',
    '--path-format=absolute',
    '--show-object-format',
    '--git-path',
    'objects',
    '--git-path',
    'index',
  ])
  const [format, objects, index, end] = Buffer.from(answer ?? '', 'latin1')
    .toString('utf8')
    .split('\n')
  if (format !== 'sha1' || objects === undefined || index === undefined || end !== '') return undefined
  // It stands in a list of folders that git takes apart.
  if (objects.includes(delimiter) || objects.includes('"') || !existsSync(join(objects, 'pack'))) return undefined
  // They are of a third repository.
  if (existsSync(join(objects, 'info', 'alternates'))) return undefined
  return isPlainIndex(index) ? objects : undefined
}

/**
 * Whether git reads an index without a change of times in the repository: of a split or a sparse one it renews some.
 * False, too, if it can't be read.
 */
const isPlainIndex = (path: string): boolean => {
  if (namesIn(dirname(path)).some((name) => name.startsWith('sharedindex.'))) return false
  try {
    // The signature of a sparse one; a path with these letters is only no help.
    return !readFileSync(path).includes('sdir')
  } catch {
    return false
  }
}

/**
 * The contents (ids) of tracked files that lie in a pack, with their sizes in bytes; none where fewer than `FEWEST` are
 * tracked and not loose, or git fails.
 */
const packedBlobs = async (root: string, gitFolder: string, objects: string): Promise<ReadonlyMap<string, number>> => {
  if (!namesIn(join(objects, 'pack')).some((name) => name.endsWith('.pack'))) return new Map()
  const entries = (await readUserGit(root, ['ls-files', '--stage', '-z'])) ?? ''
  const loose = looseObjects(objects)
  const tracked = new Set<string>()
  for (const entry of entries.split('\0')) {
    const blob = ENTRY.exec(entry)?.[1]
    // Loose ones would be compressed again, which saves nothing; and no checksum outside of them protects their bytes.
    if (blob !== undefined && !loose.has(blob)) tracked.add(blob)
  }
  if (tracked.size < FEWEST) return new Map()
  const { output } = await runGit(gitFolder, ['cat-file', '--batch-check'], [...tracked, ''].join('\n'), objects)
  const found = new Map<string, number>()
  for (const line of output.split('\n')) {
    const [, blob, size] = FOUND.exec(line) ?? []
    if (blob !== undefined) found.set(blob, Number(size))
  }
  return found
}

/** The ids of all loose objects. */
const looseObjects = (objects: string): ReadonlySet<string> => {
  const loose = new Set<string>()
  for (const folder of namesIn(objects))
    if (/^[0-9a-f]{2}$/.test(folder)) for (const name of namesIn(join(objects, folder))) loose.add(folder + name)
  return loose
}
