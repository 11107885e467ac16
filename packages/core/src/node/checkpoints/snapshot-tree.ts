/** The files of a snapshot's tree, read folder by folder as they are asked for. */
import type { GitMode } from '../../checkpoints/attributes.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import type { BlobReader } from './read-snapshots.ts'

interface TreeEntry {
  readonly name: string
  readonly gitMode: GitMode | 'folder'
  readonly id: string
}

export interface TreeFile {
  readonly gitMode: GitMode
  readonly blob: string
}

export interface SnapshotTree {
  /** Whether a file or link is at the path; false for a folder, and where nothing is. */
  isFile(path: BytePath): Promise<boolean>
  /** The file at a path, or all files below it ('' for all of the tree); empty where nothing is. */
  filesAt(path: BytePath): Promise<ReadonlyMap<BytePath, TreeFile>>
  /** Whether a folder holds a file for which `isCounted` is true of all folders above and itself. */
  hasFile(folder: BytePath, isCounted: (path: BytePath) => boolean): Promise<boolean>
}

/**
 * The entries of a tree in git's own form: `<mode> <name>\0` and the id's 20 bytes, again and again. Modes of other
 * kinds count as folders. Names are bytes (latin1).
 */
export const parseEntries = (tree: Buffer): readonly TreeEntry[] => {
  const entries: TreeEntry[] = []
  for (let at = 0; at < tree.length;) {
    const zero = tree.indexOf(0, at)
    const head = tree.toString('latin1', at, zero)
    const space = head.indexOf(' ')
    const mode = head.slice(0, space)
    const gitMode = mode === '100644' || mode === '100755' || mode === '120000' ? mode : 'folder'
    entries.push({ name: head.slice(space + 1), gitMode, id: tree.toString('hex', zero + 1, zero + 21) })
    at = zero + 21
  }
  return entries
}

/**
 * Reads the files of a snapshot's tree. `root`: the id of the tree; undefined for a snapshot without files. Each tree
 * is read once; reading rejects where one is missing.
 */
export const createSnapshotTree = (root: string | undefined, objects: Pick<BlobReader, 'readTree'>): SnapshotTree => {
  const read = new Map<string, readonly TreeEntry[]>()
  /** The entries of a tree by its id, read from git once. Rejects where it is missing. */
  const entriesOf = async (id: string): Promise<readonly TreeEntry[]> => {
    const known = read.get(id)
    if (known !== undefined) return known
    const tree = await objects.readTree(id)
    if (tree === undefined) throw new Error(`the tree ${id} is missing`)
    const entries = parseEntries(tree)
    read.set(id, entries)
    return entries
  }
  /** The file or folder at a path, '' for the tree itself; undefined where nothing is. */
  const entryAt = async (path: BytePath): Promise<TreeEntry | undefined> => {
    let entry: TreeEntry | undefined = root === undefined ? undefined : { name: '', gitMode: 'folder', id: root }
    for (const name of path === '' ? [] : path.split('/')) {
      if (entry?.gitMode !== 'folder') return undefined
      entry = (await entriesOf(entry.id)).find((each) => each.name === name)
    }
    return entry
  }
  return {
    isFile: async (path) => ((await entryAt(path))?.gitMode ?? 'folder') !== 'folder',
    /** The file at a path, or all files below a folder, however deep; empty where nothing is. */
    filesAt: async (path) => {
      const files = new Map<BytePath, TreeFile>()
      const top = await entryAt(path)
      const open = top === undefined ? [] : [{ ...top, path }]
      for (const { path: at, gitMode, id } of open)
        if (gitMode !== 'folder') files.set(at, { gitMode, blob: id })
        else for (const entry of await entriesOf(id)) open.push({ ...entry, path: joined(at, entry.name) })
      return files
    },
    /** Whether a folder has a file anywhere below; what `isCounted` is false for is not looked into. */
    hasFile: async (folder, isCounted) => {
      const top = await entryAt(folder)
      const open = top === undefined ? [] : [{ ...top, path: folder }]
      for (let each = open.pop(); each !== undefined; each = open.pop()) {
        if (!isCounted(each.path)) continue
        if (each.gitMode !== 'folder') return true
        for (const entry of await entriesOf(each.id)) open.push({ ...entry, path: joined(each.path, entry.name) })
      }
      return false
    },
  }
}

const joined = (folder: BytePath, name: string): BytePath => (folder === '' ? name : `${folder}/${name}`)
