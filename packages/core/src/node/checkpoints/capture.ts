/**
 * Takes a snapshot: walks over a root, reads what changed since the last one, and gives it to `git fast-import`, which
 * writes one pack and one commit without parents. Nothing counts until the commit's ref is there.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { gitModeOf, usualModesOf } from '../../checkpoints/attributes.ts'
import type { Attributes, UsualModes } from '../../checkpoints/attributes.ts'
import { folderOfPath } from '../../checkpoints/byte-path.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import type { LeftOut } from '../../checkpoints/left-out.ts'
import type { SnapshotOptions } from '../../ports/snapshot-repository.ts'
import { parseImportAnswer } from '../../checkpoints/import-stream.ts'
import { writeCaptureBase } from './capture-base.ts'
import { assertSpace } from './free-space.ts'
import { gitFailure } from './git-process.ts'
import type { GitAnswer } from './git-process.ts'
import { startImport } from './import-process.ts'
import type { ImportProcess } from './import-process.ts'
import { blobOf, readStable } from './read-stable.ts'
import type { ReadOutcome } from './read-stable.ts'
import { sendCommit, sendContent } from './send-commit.ts'
import { openSeed } from './seed.ts'
import type { Seed } from './seed.ts'
import { readStatCache, removeStatCache, writeStatCache } from './stat-cache.ts'
import type { CachedFile, StatCache } from './stat-cache.ts'
import { diskPath, stampOf, walkRoot } from './walk.ts'
import type { Walked, WalkedFile } from './walk.ts'

/** What a capture found and wrote. */
export interface Captured {
  readonly commit: string
  readonly files: number
  /** Of all files together. */
  readonly bytes: number
  readonly attributes: Attributes
  readonly leftOut: readonly LeftOut[]
}

export interface CaptureInput {
  readonly root: string
  readonly gitFolder: string
  /** Of Cairn, relative to the root, where it lies in it. */
  readonly ownData: ReadonlySet<BytePath>
  readonly ref: string
  /** ms */
  readonly at: number
  /** The commit's message; told what was captured. */
  readonly message: (files: number, bytes: number) => string
  readonly options: SnapshotOptions
}

/** What a file needs beside its content: its name in a tree, its entry in the pack's index. */
export const BYTES_BESIDE = 200
/** Other work has its turn, and progress is told, after so many files. */
const FILES_A_TURN = 64
/** Files up to this size are read into the same memory, bytes: memory of their own for thousands is costly to free. */
const SCRATCH_BYTES = 256 * 1024

/**
 * Captures a root as a commit. Contents that the stat cache knows are not read; where git can't build on them, once
 * more with everything read. Rejects with the failure of git when that fails, too. The caller holds the repository's
 * lock.
 */
export const capture = async (input: CaptureInput): Promise<Captured> => {
  const cache = readStatCache(input.gitFolder)
  const { onProgress } = input.options
  const walked = await walkRoot(input.root, {
    ownData: input.ownData,
    onSeen: (done) => onProgress?.({ phase: 'looking', done }),
  })
  const seed = cache === undefined ? await openSeed(input.root, input.gitFolder) : undefined
  const first = await write(input, walked, cache, seed)
  if (first.captured !== undefined) return first.captured
  if (cache === undefined && seed === undefined) throw gitFailure(input.gitFolder, 'fast-import', first.answer)
  seed?.discard()
  // The tree that the cache stands on may be gone, or the user's objects be damaged: without them everything is read again.
  removeStatCache(input.gitFolder)
  const second = await write(input, walked, undefined, undefined)
  if (second.captured !== undefined) return second.captured
  throw gitFailure(input.gitFolder, 'fast-import', second.answer)
}

/** A snapshot that is being made. */
interface Draft {
  readonly root: Buffer
  readonly cache: StatCache | undefined
  /** The cache's own, where there is one, and what is found to be otherwise. */
  readonly files: Map<BytePath, CachedFile>
  /** Paths that are not as the whole cache has them. */
  readonly changed: Set<BytePath>
  /** Without the usual ones, where those are known. */
  readonly fileModes: Map<BytePath, number>
  readonly leftOut: LeftOut[]
  /** What is put into the commit, and what is taken out of the one that it starts from. */
  readonly put: BytePath[]
  readonly deleted: BytePath[]
}

type Written =
  | { readonly captured: Captured }
  | { readonly captured?: undefined; readonly answer: Awaited<ReturnType<ImportProcess['end']>> }

/**
 * Writes the files that changed as objects, takes the others from the cache, and makes the commit and its ref; then
 * notes the stat cache and the capture base. Where git failed, `captured` is missing, no ref was made, and `answer` is
 * what git said. Rejects without space or git; git is then ended.
 */
const write = async (
  input: CaptureInput,
  walked: Walked,
  cache: StatCache | undefined,
  seed: Seed | undefined,
): Promise<Written> => {
  const draft: Draft = {
    root: Buffer.from(input.root),
    cache,
    files: cache?.files ?? new Map<BytePath, CachedFile>(),
    changed: cache?.whole.changed ?? new Set<BytePath>(),
    fileModes: new Map(),
    leftOut: [...walked.leftOut],
    put: [],
    deleted: [],
  }
  const toRead = takeUnchanged(draft, walked)
  const needed = toRead.reduce((sum, { size }) => sum + size + BYTES_BESIDE, 0)
  assertSpace(input.gitFolder, needed, 'The checkpoint')
  const process = await startImport(input.gitFolder, cache !== undefined)
  let isWritten = false
  try {
    await readAll(draft, toRead, senderOf(process, seed), input.options)
    const failed = await failureOf(seed?.copy())
    if (failed !== undefined) {
      await process.cancel()
      return { answer: failed }
    }
    const attributes = attributesOf(draft, walked)
    const bytes = sizeOf(draft.files)
    const { leftOut, put, deleted } = draft
    const head = {
      ref: input.ref,
      at: input.at,
      message: input.message(draft.files.size, bytes),
      baseTree: cache?.tree,
    }
    await sendCommit(process, { ...head, deleted, put: filesAt(draft.files, put), attributes, leftOut })
    const answer = await process.end()
    const imported = answer.code === 0 ? parseImportAnswer(answer.output) : undefined
    if (imported === undefined) return { answer }
    isWritten = true
    writeStatCache(input.gitFolder, {
      ...imported,
      usual: attributes.usual,
      files: draft.files,
      ...(cache === undefined ? {} : { whole: cache.whole }),
    })
    const captured = { commit: imported.commit, files: draft.files.size, bytes, attributes, leftOut }
    writeCaptureBase(input.gitFolder, { ...imported, files: captured.files, bytes, restored: [] })
    return { captured }
  } catch (error) {
    await process.cancel()
    if (!isWritten) seed?.discard()
    throw error
  }
}

type SendContent = (blob: string, content: Buffer) => Promise<void>

/**
 * Sends a content, unless the seed copies it from the user's repository. It may lie in memory that is used again: what
 * is sent is a copy.
 */
const senderOf =
  (process: ImportProcess, seed: Seed | undefined): SendContent =>
  async (blob, content) => {
    if (seed?.take(blob, content.length) !== true) await sendContent(process, Buffer.from(content))
  }

/** The answer of a git that failed; undefined where it succeeded, or none ran. Rejects as `running` does. */
const failureOf = async (running: Promise<GitAnswer | undefined> | undefined): Promise<GitAnswer | undefined> => {
  const answer = await running
  return answer?.code === 0 ? undefined : answer
}

/**
 * Goes over the files that were walked: those with the cache's stamp stay as they were, those that are no more are
 * taken out, and the others are returned, as they have to be read. A file that was captured while it changed (an empty
 * stamp) is read again.
 */
const takeUnchanged = (draft: Draft, { files }: Walked): readonly WalkedFile[] => {
  const toRead: WalkedFile[] = []
  const cached = draft.cache?.files
  let known = 0
  for (const file of files) {
    const before = cached?.get(file.path)
    if (before !== undefined) known += 1
    if (before === undefined || before.stamp === '' || before.stamp !== file.stamp) toRead.push(file)
    else if (!file.isLink) noteMode(draft, file.path, file.mode)
  }
  if (cached !== undefined && known < cached.size) {
    const found = new Set(files.map(({ path }) => path))
    for (const path of cached.keys()) if (!found.has(path)) takeOut(draft, path)
  }
  return toRead
}

/** Takes a file out that the last snapshot had; the commit deletes it. */
const takeOut = (draft: Draft, path: BytePath): void => {
  draft.files.delete(path)
  draft.changed.add(path)
  draft.deleted.push(path)
}

/** Notes a file's permissions: all while the usual ones are not known, else only others. */
const noteMode = ({ cache, fileModes }: Draft, path: BytePath, mode: number): void => {
  if (cache === undefined || !isUsual(cache.usual, mode)) fileModes.set(path, mode)
}

const isUsual = (usual: UsualModes, mode: number): boolean =>
  mode === (gitModeOf(mode) === '100755' ? usual.executable : usual.file)

/**
 * Reads files and sends the contents that are not as the last snapshot has them at the same path. One that can't be
 * read is left out, with the reason. Every 64 files progress is told and other work has its turn.
 */
const readAll = async (
  draft: Draft,
  toRead: readonly WalkedFile[],
  send: SendContent,
  { onProgress }: SnapshotOptions,
): Promise<void> => {
  const scratch = Buffer.allocUnsafe(toRead.length === 0 ? 0 : SCRATCH_BYTES)
  for (const [index, { path, isLink }] of toRead.entries()) {
    if (index % FILES_A_TURN === FILES_A_TURN - 1) {
      onProgress?.({ phase: 'reading', done: index, total: toRead.length })
      await turn()
    }
    const fresh = takeRead(draft, path, readStable(diskPath(draft.root, path), isLink, scratch))
    if (fresh !== undefined) await send(fresh.blob, fresh.content)
  }
}

/**
 * Notes what was read of a file, or why it could not be; its content where it is another one than at the last snapshot.
 * Undefined if that is the same, or it could not be read.
 */
const takeRead = (
  draft: Draft,
  path: BytePath,
  read: ReadOutcome,
): { readonly blob: string; readonly content: Buffer } | undefined => {
  const known = draft.cache === undefined ? undefined : draft.files.get(path)
  if ('failed' in read) {
    if (read.failed !== 'gone') draft.leftOut.push({ path, isFolder: false, reason: read.failed })
    if (known !== undefined) takeOut(draft, path)
    return undefined
  }
  const { content, facts } = read
  const blob = blobOf(content)
  const gitMode = facts.isSymbolicLink() ? '120000' : gitModeOf(facts.mode)
  if (!facts.isSymbolicLink()) noteMode(draft, path, facts.mode & 0o7777)
  draft.files.set(path, { stamp: stampOf(facts, Date.now()), blob, gitMode, size: content.length })
  draft.changed.add(path)
  if (known?.blob !== blob || known.gitMode !== gitMode) draft.put.push(path)
  return known?.blob === blob ? undefined : { blob, content }
}

/**
 * The usual permissions (the cache's, else found from all files and folders), those that differ from them, and the
 * folders without a file. Of folders within each other without a file only the innermost are in `emptyFolders`.
 */
const attributesOf = ({ cache, files, fileModes }: Draft, { folders }: Walked): Attributes => {
  const usual: UsualModes = cache?.usual ?? usualModesOf([...fileModes.values()], [...folders.values()])
  const filled = new Set<BytePath>()
  for (const path of files.keys())
    for (let folder = folderOfPath(path); folder !== '' && !filled.has(folder); folder = folderOfPath(folder))
      filled.add(folder)
  const empty = [...folders.keys()].filter((path) => !filled.has(path))
  // A folder that only holds empty ones is there because of them.
  const parents = new Set(empty.map(folderOfPath))
  return {
    usual,
    modes: new Map([...fileModes].filter(([, mode]) => !isUsual(usual, mode))),
    folderModes: new Map([...folders].filter(([, mode]) => mode !== usual.folder)),
    emptyFolders: empty.filter((path) => !parents.has(path)),
  }
}

/** Paths with kind and blob; those that the snapshot has not are left out. */
const filesAt = (files: ReadonlyMap<BytePath, CachedFile>, paths: readonly BytePath[]) =>
  paths.flatMap((path) => {
    const file = files.get(path)
    return file === undefined ? [] : [{ path, gitMode: file.gitMode, blob: file.blob }]
  })

/** The bytes of all files. */
const sizeOf = (files: ReadonlyMap<BytePath, CachedFile>): number => {
  let bytes = 0
  for (const { size } of files.values()) bytes += size
  return bytes
}
