/** Which snapshots of a damaged repository are whole: everything that they hold can be read, and is what its id says. */
import { createHash } from 'node:crypto'
import { createBlobReader } from './read-snapshots.ts'
import type { BlobReader } from './read-snapshots.ts'
import { parseEntries } from './snapshot-tree.ts'

type ObjectType = 'commit' | 'tree' | 'blob'

/**
 * Those of the commits that are whole. Each object is read once. Never rejects for damage. Of an object that can't be
 * read, every commit that has it is not whole.
 */
export const wholeCommits = async (gitFolder: string, commits: readonly string[]): Promise<ReadonlySet<string>> => {
  const objects = createProvenReader(gitFolder)
  const known = new Map<string, boolean>()
  /** Whether an object, and for a tree all in it, can be read and is what its id says; known ones are not read again. */
  const isWhole = async (type: 'tree' | 'blob', id: string): Promise<boolean> => {
    const before = known.get(id)
    if (before !== undefined) return before
    const content = await objects.read(type, id)
    let isSound = content !== undefined
    if (type === 'tree' && content !== undefined)
      for (const { gitMode, id: child } of parseEntries(content))
        isSound &&= await isWhole(gitMode === 'folder' ? 'tree' : 'blob', child)
    known.set(id, isSound)
    return isSound
  }
  const whole = new Set<string>()
  try {
    for (const commit of commits) {
      const content = await objects.read('commit', commit)
      const [, tree] = /^tree ([0-9a-f]{40})\n/.exec(content?.toString('latin1') ?? '') ?? []
      if (tree !== undefined && (await isWhole('tree', tree))) whole.add(commit)
    }
    return whole
  } finally {
    await objects.close()
  }
}

interface ProvenReader {
  /** What an id stands for; undefined where it can't be read, or is something else. */
  read(type: ObjectType, id: string): Promise<Buffer | undefined>
  close(): Promise<void>
}

/**
 * Reads objects of a repository in which some are damaged. `read` gives undefined for what is damaged, not there or of
 * another type; git is then started again.
 */
const createProvenReader = (gitFolder: string): ProvenReader => {
  let reader = createBlobReader(gitFolder)
  const readers: Readonly<Record<ObjectType, (each: BlobReader, id: string) => Promise<Buffer | undefined>>> = {
    commit: (each, id) => each.readCommit(id),
    tree: (each, id) => each.readTree(id),
    blob: (each, id) => each.read(id),
  }
  return {
    /** An object's content, if it is of the type and what its id says; undefined for any other. */
    read: async (type, id) => {
      try {
        const content = await readers[type](reader, id)
        return content !== undefined && idOf(type, content) === id ? content : undefined
      } catch {
        // Git ends at an object that it can't read.
        await reader.close()
        reader = createBlobReader(gitFolder)
        return undefined
      }
    },
    close: () => reader.close(),
  }
}

/** The id that git gives to an object. */
const idOf = (type: ObjectType, content: Buffer): string =>
  createHash('sha1').update(`${type} ${content.byteLength}\0`).update(content).digest('hex')
