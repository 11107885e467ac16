/**
 * Captures some paths; everything else is taken from the commit that saw the folder last. It reads these files, whatever
 * their times, and nothing else of the folder, so that it costs what they cost, however large the folder is.
 */
import { gitModeOf, modeOf } from '../../checkpoints/attributes.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import { parseImportAnswer } from '../../checkpoints/import-stream.ts'
import type { LeftOut } from '../../checkpoints/left-out.ts'
import { createPathScope } from '../../checkpoints/path-scope.ts'
import type { PathScope } from '../../checkpoints/path-scope.ts'
import { readCaptureBase, writeCaptureBase } from './capture-base.ts'
import type { CaptureBase } from './capture-base.ts'
import { BYTES_BESIDE } from './capture.ts'
import type { CaptureInput, Captured } from './capture.ts'
import { assertSpace } from './free-space.ts'
import { startImport } from './import-process.ts'
import type { ImportProcess } from './import-process.ts'
import { blobOf, readStable } from './read-stable.ts'
import { createBlobReader, readEnd } from './read-snapshots.ts'
import type { BlobReader, SnapshotEnd } from './read-snapshots.ts'
import { scopedAttributes } from './scoped-attributes.ts'
import { sendCommit, sendContent } from './send-commit.ts'
import { createSnapshotTree } from './snapshot-tree.ts'
import type { SnapshotTree, TreeFile } from './snapshot-tree.ts'
import { diskPath, walkRoot } from './walk.ts'
import type { Walked } from './walk.ts'

/** With more files than this, a walk over the whole folder is as quick. */
const MOST_FILES = 1_000

export interface CapturedPaths extends Captured {
  /** Of the paths: files that came, went, or are not as the commit before has them. */
  readonly changed: number
  /** The commit that everything else is taken from. */
  readonly base: string
}

/** What a commit holds of the paths, and beside files. */
interface Before {
  readonly base: CaptureBase
  readonly end: SnapshotEnd
  readonly tree: SnapshotTree
  readonly files: ReadonlyMap<BytePath, TreeFile>
  /** Of these files together. */
  readonly bytes: number
}

interface ReadFile extends TreeFile {
  readonly path: BytePath
  readonly mode: number
  /** Undefined where the commit before has it. */
  readonly content: Buffer | undefined
  readonly size: number
}

/**
 * Captures the paths of a scope; undefined where only a capture of the whole folder is right: no commit was noted to
 * stand on or it can't be read, the scope is everything or has ignore rules in it, there are more than `MOST_FILES`
 * files, a folder is new that also holds other paths, or git refused the commit. Rejects with `storage-failed` without
 * git or disk space. Paths that a restore changed since are captured, too. The caller holds the repository's lock.
 */
export const capturePaths = async (input: CaptureInput, asked: PathScope): Promise<CapturedPaths | undefined> => {
  const base = readCaptureBase(input.gitFolder)
  if (base === undefined) return undefined
  const known = createPathScope([...asked.paths, ...base.restored])
  if (known.covers('') || known.paths.some(isRuleFile)) return undefined
  const walked = await walkRoot(input.root, { ownData: input.ownData, scope: known })
  if (walked.files.length > MOST_FILES) return undefined
  const scope = widened(known, walked)
  const objects = createBlobReader(input.gitFolder)
  try {
    const before = await readBefore(objects, input.gitFolder, base, scope, walked)
    return before === undefined ? undefined : await write(input, scope, walked, before)
  } finally {
    await objects.close()
  }
}

/**
 * Whether a path is a `.gitignore` or `.git`, or lies below one: rules of git decide about other files than their own.
 */
const isRuleFile = (path: BytePath): boolean => path.split('/').some((name) => name === '.gitignore' || name === '.git')

/** The scope, with what the walk found to be gone, or to be no folder any more: all that was below it is gone, too. */
const widened = (asked: PathScope, { files, leftOut, missing }: Walked): PathScope => {
  const found = [...files, ...leftOut].map(({ path }) => path)
  return createPathScope([...asked.paths, ...found, ...missing])
}

/**
 * What the last snapshot had of the paths; undefined where only a capture of the whole folder is right: it can't be
 * read, has more than `MOST_FILES` files there, or something has become a folder beside the paths. Never rejects.
 */
const readBefore = async (
  objects: BlobReader,
  gitFolder: string,
  base: CaptureBase,
  scope: PathScope,
  { folders }: Walked,
): Promise<Before | undefined> => {
  const tree = createSnapshotTree(base.tree, objects)
  try {
    const end = await readEnd(objects, gitFolder, base.commit)
    const leftOut = new Set(end.leftOut.map(({ path }) => path))
    for (const path of folders.keys()) {
      // It was no folder that could be looked into, so all that is in it is new, also beside the paths.
      const isNewFolder = leftOut.has(path) || (await tree.isFile(path))
      if (isNewFolder && !scope.covers(path)) return undefined
    }
    const files = new Map<BytePath, TreeFile>()
    for (const path of scope.paths) {
      for (const [at, file] of await tree.filesAt(path)) files.set(at, file)
      if (files.size > MOST_FILES) return undefined
    }
    let bytes = 0
    for (const { blob } of files.values()) {
      const content = await objects.read(blob)
      if (content === undefined) return undefined
      bytes += content.length
    }
    return { base, end, tree, files, bytes }
  } catch {
    // The commit may have been pruned, or be damaged: the whole folder is captured, which says so if it fails, too.
    return undefined
  }
}

/**
 * Captures the files of the scope: what lies outside of it stays as in the snapshot before. Notes the commit as the
 * next capture's base. Undefined if git's import failed: the whole folder is then captured instead. Rejects where there
 * is no space for it; git is then ended.
 */
const write = async (
  input: CaptureInput,
  scope: PathScope,
  walked: Walked,
  before: Before,
): Promise<CapturedPaths | undefined> => {
  const leftOut = new Map<BytePath, LeftOut>()
  for (const each of [...before.end.leftOut.filter(({ path }) => !scope.covers(path)), ...walked.leftOut])
    leftOut.set(each.path, each)
  const read = readFiles(input.root, walked, before, leftOut)
  const needed = read.reduce((sum, { content }) => sum + (content?.length ?? 0) + BYTES_BESIDE, 0)
  assertSpace(input.gitFolder, needed, 'The checkpoint')
  const put = read.filter(({ path, blob, gitMode }) => {
    const known = before.files.get(path)
    return known?.blob !== blob || known.gitMode !== gitMode
  })
  const now = new Set(read.map(({ path }) => path))
  const deleted = [...before.files.keys()].filter((path) => !now.has(path))
  const attributes = await scopedAttributes(scope, walked.folders, before, read)
  const files = before.base.files - before.files.size + read.length
  const bytes = before.base.bytes - before.bytes + read.reduce((sum, { size }) => sum + size, 0)
  const head = { ref: input.ref, at: input.at, message: input.message(files, bytes), baseTree: before.base.tree }
  const process = await startImport(input.gitFolder, true)
  try {
    for (const { content } of put) if (content !== undefined) await sendContent(process, content)
    await sendCommit(process, { ...head, deleted, put, attributes, leftOut: [...leftOut.values()] })
    const imported = await endOf(process)
    if (imported === undefined) return undefined
    writeCaptureBase(input.gitFolder, { ...imported, files, bytes, restored: [] })
    const others = read.filter((file) => isOtherMode(before, file))
    const changed = new Set([...[...put, ...others].map(({ path }) => path), ...deleted]).size
    const { commit } = imported
    return { commit, files, bytes, attributes, leftOut: [...leftOut.values()], changed, base: before.base.commit }
  } catch (error) {
    await process.cancel()
    throw error
  }
}

/**
 * Reads the files; those that can't be are added to `leftOut`, those that are gone are not. `content` is undefined if
 * the snapshot before, or an earlier file, has it.
 */
const readFiles = (
  root: string,
  { files }: Walked,
  before: Before,
  leftOut: Map<BytePath, LeftOut>,
): readonly ReadFile[] => {
  const bytes = Buffer.from(root)
  const known = new Set([...before.files.values()].map(({ blob }) => blob))
  return files.flatMap(({ path, isLink }): ReadFile[] => {
    const read = readStable(diskPath(bytes, path), isLink)
    if ('failed' in read) {
      if (read.failed !== 'gone') leftOut.set(path, { path, isFolder: false, reason: read.failed })
      return []
    }
    const { content, facts } = read
    const blob = blobOf(content)
    const [gitMode, mode] = facts.isSymbolicLink()
      ? (['120000', 0o777] as const)
      : ([gitModeOf(facts.mode), facts.mode & 0o7777] as const)
    const isNew = !known.has(blob)
    known.add(blob)
    return [{ path, blob, gitMode, mode, content: isNew ? content : undefined, size: content.length }]
  })
}

/** Whether the commit before has the file with other permissions. */
const isOtherMode = ({ files, end }: Before, { path, mode }: ReadFile): boolean => {
  const known = files.get(path)
  return known !== undefined && modeOf(end.attributes, path, known.gitMode) !== mode
}

/**
 * Waits for git's import to end; its commit and tree, undefined where git failed, as when the tree that the commit
 * stands on is gone.
 */
const endOf = async (process: ImportProcess): Promise<ReturnType<typeof parseImportAnswer>> => {
  const { code, output } = await process.end()
  return code === 0 ? parseImportAnswer(output) : undefined
}
