/** Takes snapshots of a root, of the whole of it or of some paths, and says how two of them differ. */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { bytePathOf, textOfBytePath } from '../../checkpoints/byte-path.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import type { LeftOut } from '../../checkpoints/left-out.ts'
import { createPathScope } from '../../checkpoints/path-scope.ts'
import type { PathScope } from '../../checkpoints/path-scope.ts'
import type { SnapshotChange } from '../../checkpoints/snapshot-changes.ts'
import { CURRENT_PATHS_REF, CURRENT_REF, snapshotMessage, snapshotRef } from '../../checkpoints/snapshot-message.ts'
import { CairnError } from '../../errors.ts'
import { echoed } from '../../input.ts'
import type { CaptureOptions, CaptureOutcome, LeftOutFile, SnapshotRequest } from '../../ports/snapshot-repository.ts'
import { realPathOf } from '../real-path.ts'
import { capturePaths } from './capture-paths.ts'
import { capture } from './capture.ts'
import type { Captured, CaptureInput } from './capture.ts'
import type { RootLocation } from './private-repository.ts'
import { folderBytes, joinPacks, removeFailedImport, removeLeftovers } from './prune.ts'
import { gitOutput } from './git-process.ts'
import { changesBetween, listSnapshots, readEnds, withoutRef } from './read-snapshots.ts'
import type { SnapshotEnd } from './read-snapshots.ts'

export interface Location extends RootLocation {
  /** Files and folders of Cairn, relative to the root, where they lie in it. */
  readonly ownData: ReadonlySet<BytePath>
}

/** Progress, and what is looked at; everything without a scope. */
export interface TakeOptions extends Pick<CaptureOptions, 'onProgress' | 'onlyIfChanged'> {
  readonly scope?: PathScope | undefined
}

/** What was left out, with a path for people, in which bytes that are no UTF-8 show as U+FFFD. */
export const leftOutFile = ({ path, ...rest }: LeftOut): LeftOutFile => ({ path: textOfBytePath(path), ...rest })

/**
 * The scope of paths that a caller named, absolute or relative to the root; undefined without any.
 * @throws CairnError `invalid-input` for a path that is not in the root
 */
export const scopeOf = (root: string, paths: readonly string[] | undefined): PathScope | undefined =>
  paths === undefined ? undefined : createPathScope(paths.map((path) => pathInRoot(root, path)))

/**
 * A path, absolute or relative to the root, as one in the root with `/`, its folders' links followed; '' for the root
 * itself. Throws `invalid-input` for one that is outside of it.
 */
const pathInRoot = (root: string, path: string): BytePath => {
  const given = resolve(root, path)
  // A folder above may be a link; the file itself is looked at as a link.
  const real = given === root ? root : join(realPathOf(dirname(given)), basename(given))
  const within = [real, given].map((each) => relative(root, each)).find(isWithin)
  if (within === undefined || path.includes('\0'))
    throw new CairnError('invalid-input', `${echoed(path)} is not in the folder ${root}; nothing was changed.`)
  return bytePathOf(within.replaceAll(sep, '/'))
}

const isWithin = (path: string): boolean => !isAbsolute(path) && path.split(sep)[0] !== '..'

/**
 * Takes a snapshot that somebody asked for: of the scope where that can be done, else of the whole root (`paths` is
 * null then). `changed`: how many files differ from the snapshot before, all of them for the first one. With
 * `onlyIfChanged`, which a scope overrules, and nothing changed, the outcome has the newest snapshot there was and `isNew`
 * is false. Otherwise it also joins packs and removes leftovers. The caller holds the lock; rejects as git does.
 */
export const takeSnapshot = async (
  location: Location,
  request: SnapshotRequest,
  { scope, onProgress, onlyIfChanged = false }: TakeOptions,
): Promise<CaptureOutcome> => {
  const { gitFolder } = location
  const [before] = await listSnapshots(gitFolder)
  if (onlyIfChanged && before !== undefined && scope === undefined) {
    const current = await captureCurrent(location, onProgress ? { onProgress } : {})
    if (await haveSameTree(gitFolder, before.commit, current.commit))
      return {
        snapshot: withoutRef(before),
        isNew: false,
        changed: 0,
        leftOut: current.leftOut.map(leftOutFile),
        bytesOnDisk: folderBytes(gitFolder),
      }
  }
  const seen = scope?.paths.map(textOfBytePath) ?? null
  const messageWith = (paths: readonly string[] | null) => (files: number, bytes: number) =>
    snapshotMessage(request, { files, bytes, paths })
  const input = { ...location, ref: snapshotRef(request), at: request.at, options: onProgress ? { onProgress } : {} }
  const some = scope && (await capturePaths({ ...input, message: messageWith(seen) }, scope))
  const captured = some ?? (await captureAll({ ...input, message: messageWith(null) }))
  await joinPacks(gitFolder)
  removeLeftovers(gitFolder, Date.now())
  const { commit, files, bytes, leftOut } = captured
  return {
    isNew: true,
    snapshot: { ...request, commit, files, bytes, paths: some === undefined ? null : seen },
    changed: before === undefined ? files : await changedSince(gitFolder, before.commit, captured, some),
    leftOut: leftOut.map(leftOutFile),
    bytesOnDisk: folderBytes(gitFolder),
  }
}

/** Whether two snapshots hold the same: files, permissions, folders, and what was left out. */
const haveSameTree = async (gitFolder: string, first: string, second: string): Promise<boolean> => {
  const trees = await gitOutput(gitFolder, ['rev-parse', `${first}^{tree}`, `${second}^{tree}`])
  const [one, other] = trees.trim().split('\n')
  return one !== undefined && one === other
}

/** Captures the whole folder. Where that fails, nothing of it stays on the disk. */
const captureAll = async (input: CaptureInput): Promise<Captured> => {
  try {
    return await capture(input)
  } catch (error) {
    removeFailedImport(input.gitFolder)
    throw error
  }
}

/**
 * How many files differ from the snapshot before: those that the capture of some paths found, if it is based on that
 * snapshot; else by comparing both, as a preview may have captured in between.
 */
const changedSince = async (
  gitFolder: string,
  before: string,
  { commit }: Captured,
  some: { readonly base: string; readonly changed: number } | undefined,
): Promise<number> =>
  some?.base === before ? some.changed : (await changesOf(gitFolder, before, commit)).changes.length

/**
 * Captures the root, or only the scope where that can be done, as no snapshot that anybody made: it is not listed. The
 * caller holds the lock.
 */
export const captureCurrent = async (location: Location, { scope, onProgress }: TakeOptions): Promise<Captured> => {
  const options = onProgress ? { onProgress } : {}
  const input = { ...location, at: Date.now(), message: () => 'current files', options }
  const some = scope && (await capturePaths({ ...input, ref: CURRENT_PATHS_REF }, scope))
  return some ?? captureAll({ ...input, ref: CURRENT_REF })
}

export interface Changes {
  readonly changes: readonly SnapshotChange[]
  readonly from: SnapshotEnd
  readonly to: SnapshotEnd
}

/**
 * What differs from the first to the second commit, sorted by path, with the attributes of both. Rejects where one is
 * damaged.
 */
export const changesOf = async (gitFolder: string, first: string, second: string): Promise<Changes> => {
  const [from, to] = await readEnds(gitFolder, [first, second])
  if (from === undefined || to === undefined) throw new Error('two commits have two ends')
  return { changes: await changesBetween(gitFolder, from, to), from, to }
}
