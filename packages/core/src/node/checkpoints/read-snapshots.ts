/** Reads snapshots: their list, what they hold beside files, how they differ, contents of files. */
import { parseAttributes } from '../../checkpoints/attributes.ts'
import { ATTRIBUTES_FILE, FILES_FOLDER, LEFT_OUT_FILE } from '../../checkpoints/import-stream.ts'
import { parseLeftOut } from '../../checkpoints/left-out.ts'
import type { RestoreEnd } from '../../checkpoints/restore-plan.ts'
import { haveOtherModes, parseTree, parseTreeChanges, snapshotChanges } from '../../checkpoints/snapshot-changes.ts'
import type { SnapshotChange } from '../../checkpoints/snapshot-changes.ts'
import { parseSnapshotMessage, SNAPSHOT_REFS } from '../../checkpoints/snapshot-message.ts'
import { StorageError } from '../../errors.ts'
import type { Snapshot } from '../../ports/snapshot-repository.ts'
import { gitFailure, gitOutput, startGit } from './git-process.ts'

/** A snapshot with its ref. */
export interface StoredSnapshot extends Snapshot {
  readonly ref: string
}

/** A copy of a snapshot without its ref. */
export const withoutRef = ({ ref, ...snapshot }: StoredSnapshot): Snapshot => snapshot

/**
 * All snapshots of a repository, newest first, of the same time the greater id first; refs that are none of a
 * snapshot's are left out. Rejects with `storage-failed` where git fails.
 */
export const listSnapshots = async (gitFolder: string): Promise<readonly StoredSnapshot[]> => {
  const output = await gitOutput(gitFolder, [
    'for-each-ref',
    '--format=%(refname)%00%(objectname)%00%(contents)%00',
    SNAPSHOT_REFS,
  ])
  const fields = output.split('\0')
  const found: StoredSnapshot[] = []
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [ref = '', commit = '', message = ''] = fields.slice(index, index + 3)
    const snapshot = parseSnapshotMessage(commit, message)
    if (snapshot !== undefined) found.push({ ...snapshot, ref: ref.trim() })
  }
  return found.sort((left, right) => right.at - left.at || (left.id < right.id ? 1 : -1))
}

/** A snapshot's commit with what it holds beside files. */
export interface SnapshotEnd extends RestoreEnd {
  readonly commit: string
}

/**
 * Permissions, empty folders and what was left out of snapshots, in the order of `commits`. Rejects with
 * `storage-corrupt` for a damaged one, `storage-failed` where git fails.
 */
export const readEnds = async (gitFolder: string, commits: readonly string[]): Promise<readonly SnapshotEnd[]> => {
  const reader = createBlobReader(gitFolder)
  try {
    const ends: SnapshotEnd[] = []
    for (const commit of commits) ends.push(await readEnd(reader, gitFolder, commit))
    return ends
  } finally {
    await reader.close()
  }
}

/**
 * What one snapshot holds beside files: its attributes, and what was left out.
 * @throws StorageError `storage-corrupt` where it is damaged or missing, `storage-failed` where git ended
 */
export const readEnd = async (
  reader: Pick<BlobReader, 'read'>,
  gitFolder: string,
  commit: string,
): Promise<SnapshotEnd> => {
  const attributes = await reader.read(`${commit}:${ATTRIBUTES_FILE}`)
  const leftOut = await reader.read(`${commit}:${LEFT_OUT_FILE}`)
  if (attributes === undefined || leftOut === undefined) throw damaged(gitFolder, commit)
  try {
    return {
      commit,
      attributes: parseAttributes(attributes.toString('utf8')),
      leftOut: parseLeftOut(leftOut.toString('utf8')),
    }
  } catch (cause) {
    throw damaged(gitFolder, commit, cause)
  }
}

/** Makes (does not throw) the error of a checkpoint that is damaged. `cause` is what was found. */
const damaged = (gitFolder: string, commit: string, cause?: unknown): StorageError =>
  new StorageError(
    'storage-corrupt',
    `The checkpoint at ${commit.slice(0, 12)} in ${gitFolder} is damaged, and nothing was changed; other checkpoints may be whole.`,
    { cause },
  )

/**
 * How files differ from one snapshot to another, also in permissions alone, sorted by path; a renamed file is one
 * removed and one added. Rejects where git fails.
 */
export const changesBetween = async (
  gitFolder: string,
  from: SnapshotEnd,
  to: SnapshotEnd,
): Promise<readonly SnapshotChange[]> => {
  const options = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', from.commit, to.commit]
  const raw = await gitOutput(gitFolder, [...options, '--', FILES_FOLDER])
  const all = haveOtherModes(from.attributes, to.attributes)
    ? await gitOutput(gitFolder, ['ls-tree', '-r', '-z', to.commit, '--', `${FILES_FOLDER}/`])
    : ''
  return snapshotChanges(parseTreeChanges(raw), from.attributes, to.attributes, parseTree(all))
}

/**
 * How many files of each snapshot differ from the next one of the list, which is the one before where the newest come
 * first; so there is one number fewer than snapshots, and none for an empty list. Rejects as {@link readEnds}.
 */
export const countChanges = async (
  gitFolder: string,
  snapshots: readonly Pick<Snapshot, 'commit'>[],
): Promise<readonly number[]> => {
  const ends = await readEnds(
    gitFolder,
    snapshots.map(({ commit }) => commit),
  )
  const counts: number[] = []
  for (const [index, end] of ends.entries()) {
    const before = ends[index + 1]
    if (before !== undefined) counts.push((await changesBetween(gitFolder, before, end)).length)
  }
  return counts
}

/** Reads objects of a repository, one at a time. Reading rejects with `storage-failed` where git ended. */
export interface BlobReader {
  /** A content by its id, or by `<commit>:<path>`; undefined where there is none. */
  read(name: string): Promise<Buffer | undefined>
  /** A tree by its id, as git stores it; undefined where there is none. */
  readTree(id: string): Promise<Buffer | undefined>
  /** A commit by its id, as git stores it; undefined where there is none. */
  readCommit(id: string): Promise<Buffer | undefined>
  /** Ends git, and resolves when it has ended. */
  close(): Promise<void>
}

/**
 * Starts `git cat-file --batch` at once, which runs until `close` and is asked for one object after another. Reading
 * gives the whole content; undefined for what is missing or of another type. It rejects where git ended, which it does
 * at an object that it can't read. Don't ask for two at once, nor with a line break in a name: nothing checks that.
 */
export const createBlobReader = (gitFolder: string): BlobReader => {
  const child = startGit(gitFolder, ['cat-file', '--batch'])
  const chunks = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  child.stdin.on('error', () => undefined)
  child.stderr.resume()
  let rest: Buffer = Buffer.alloc(0)
  /** Waits for the next chunk of git's output; throws if it has ended. */
  const more = async (): Promise<void> => {
    const next = await chunks.next()
    if (next.done === true) throw gitFailure(gitFolder, 'cat-file', { code: -1, output: '', error: '' })
    rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value])
  }
  /** The next `size` bytes of git's output, once they are there; throws if it ends before. */
  const take = async (size: number): Promise<Buffer> => {
    const parts: Buffer[] = []
    for (let missing = size; missing > 0;) {
      if (rest.length === 0) await more()
      const part = rest.subarray(0, missing)
      parts.push(part)
      rest = rest.subarray(part.length)
      missing -= part.length
    }
    return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts)
  }
  const takeLine = async (): Promise<string> => {
    while (!rest.includes(10)) await more()
    const line = await take(rest.indexOf(10) + 1)
    return line.toString('latin1').trimEnd()
  }
  /** Asks git for an object by its name; undefined where it is missing or of another type. Rejects where git ended. */
  const readObject = async (name: string, type: 'blob' | 'tree' | 'commit'): Promise<Buffer | undefined> => {
    child.stdin.write(`${name}\n`)
    const [, found, size] = /^[0-9a-f]+ ([a-z]+) (\d+)$/.exec(await takeLine()) ?? []
    if (size === undefined) return undefined
    const content = await take(Number(size))
    await take(1)
    return found === type ? content : undefined
  }
  return {
    read: (name) => readObject(name, 'blob'),
    readTree: (id) => readObject(id, 'tree'),
    readCommit: (id) => readObject(id, 'commit'),
    close: async () => {
      child.stdin.end()
      await ended
    },
  }
}
