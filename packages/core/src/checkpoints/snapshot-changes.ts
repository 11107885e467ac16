/** The differences between two snapshots: files, links, permissions and empty folders. */
import { modeOf } from './attributes.ts'
import type { Attributes, GitMode } from './attributes.ts'
import type { BytePath } from './byte-path.ts'
import { FILES_FOLDER } from './import-stream.ts'

/** A file or a link in a snapshot. */
export interface SnapshotEntry {
  readonly gitMode: GitMode
  /** Permission bits. */
  readonly mode: number
  /** Git's id of the content. */
  readonly blob: string
}

/** A path that differs: `before` is absent for an added file, `after` for a removed one. */
export interface SnapshotChange {
  readonly path: BytePath
  readonly before?: SnapshotEntry
  readonly after?: SnapshotEntry
}

/** A difference as shown by git's trees. */
export interface TreeChange {
  readonly path: BytePath
  readonly before?: { readonly gitMode: GitMode; readonly blob: string }
  readonly after?: { readonly gitMode: GitMode; readonly blob: string }
}

const HEAD = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/

/** One side of a change; undefined for anything that is not a file or link, such as a missing one. */
const sideOf = (mode: string, blob: string): TreeChange['before'] => {
  if (mode !== '100644' && mode !== '100755' && mode !== '120000') return undefined
  return { gitMode: mode, blob }
}

/** The path of a file in a snapshot's tree, relative to the root. @throws Error for any other path of the tree */
const pathInRoot = (path: string): BytePath => {
  if (!path.startsWith(`${FILES_FOLDER}/`)) throw new Error('git named a file that is none of a snapshot’s')
  return path.slice(FILES_FOLDER.length + 1)
}

/**
 * Parses the output of `git diff-tree -r -z --raw --no-renames`, as bytes, in git's order. `before` is absent for an
 * added file, `after` for a removed one. @throws Error for any other text
 */
export const parseTreeChanges = (text: string): readonly TreeChange[] => {
  const fields = text.split('\0')
  const changes: TreeChange[] = []
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const head = HEAD.exec(fields[index] ?? '')
    const path = fields[index + 1] ?? ''
    if (head === null || path === '') throw new Error('git gave an answer about two trees that is not understood')
    const [, modeBefore = '', modeAfter = '', blobBefore = '', blobAfter = ''] = head
    const before = sideOf(modeBefore, blobBefore)
    const after = sideOf(modeAfter, blobAfter)
    changes.push({ path: pathInRoot(path), ...(before && { before }), ...(after && { after }) })
  }
  return changes
}

/**
 * Parses the output of `git ls-tree -r -z`, as bytes: all files of a tree, in its order. Entries that are not files or
 * links, or can't be parsed, are skipped. @throws Error for a file outside `FILES_FOLDER`
 */
export const parseTree = (
  text: string,
): ReadonlyMap<BytePath, { readonly gitMode: GitMode; readonly blob: string }> => {
  const files = new Map<BytePath, { readonly gitMode: GitMode; readonly blob: string }>()
  for (const line of text.split('\0')) {
    const [, mode = '', blob = '', path = ''] = /^(\d{6}) [a-z]+ ([0-9a-f]+)\t([^]*)$/.exec(line) ?? []
    const side = sideOf(mode, blob)
    if (side !== undefined) files.set(pathInRoot(path), side)
  }
  return files
}

/**
 * The changes of files between two snapshots, sorted by path. `trees`: what differs by git's trees. `common`: all files
 * of the later tree, of which those not in `trees` are compared by permissions; needed only if `haveOtherModes`, else
 * it may be empty.
 */
export const snapshotChanges = (
  trees: readonly TreeChange[],
  before: Attributes,
  after: Attributes,
  common: ReadonlyMap<BytePath, { readonly gitMode: GitMode; readonly blob: string }>,
): readonly SnapshotChange[] => {
  const changed = new Set(trees.map(({ path }) => path))
  const inTrees = trees.map((change): SnapshotChange => ({
    path: change.path,
    ...(change.before && { before: { ...change.before, mode: modeOf(before, change.path, change.before.gitMode) } }),
    ...(change.after && { after: { ...change.after, mode: modeOf(after, change.path, change.after.gitMode) } }),
  }))
  const inModes: SnapshotChange[] = []
  for (const [path, file] of common) {
    if (changed.has(path)) continue
    const [mode, newMode] = [modeOf(before, path, file.gitMode), modeOf(after, path, file.gitMode)]
    if (mode !== newMode) inModes.push({ path, before: { ...file, mode }, after: { ...file, mode: newMode } })
  }
  return [...inTrees, ...inModes].sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0))
}

/** Whether two snapshots may differ in permissions although git's trees are equal; false only if none differ. */
export const haveOtherModes = (before: Attributes, after: Attributes): boolean =>
  JSON.stringify(before.usual) !== JSON.stringify(after.usual) ||
  before.modes.size !== after.modes.size ||
  [...before.modes].some(([path, mode]) => after.modes.get(path) !== mode)
