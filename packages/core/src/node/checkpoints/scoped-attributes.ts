/** Permissions and empty folders after a capture of some paths: those of the commit before, and what was seen. */
import { gitModeOf } from '../../checkpoints/attributes.ts'
import type { Attributes, GitMode } from '../../checkpoints/attributes.ts'
import { folderOfPath } from '../../checkpoints/byte-path.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import type { PathScope } from '../../checkpoints/path-scope.ts'
import type { SnapshotTree } from './snapshot-tree.ts'

interface SeenFile {
  readonly path: BytePath
  readonly gitMode: GitMode
  readonly mode: number
}

/**
 * The attributes of a capture of some paths: in the scope as seen now, outside of it as they were `before`. `folders`:
 * those that were seen, which are all in the scope and all that lead to it, with their permissions. Rejects where a
 * tree is missing.
 */
export const scopedAttributes = async (
  scope: PathScope,
  folders: ReadonlyMap<BytePath, number>,
  before: { readonly end: { readonly attributes: Attributes }; readonly tree: SnapshotTree },
  files: readonly SeenFile[],
): Promise<Attributes> => {
  const { usual, modes, folderModes, emptyFolders } = before.end.attributes
  const isOutside = (path: BytePath): boolean => !scope.covers(path)
  const usualOf = (mode: number): number => (gitModeOf(mode) === '100755' ? usual.executable : usual.file)
  const filled = new Set<BytePath>()
  for (const { path } of files) addFolders(filled, path)
  const empty = new Set(emptyFolders.filter((path) => isOutside(path) && !filled.has(path)))
  for (const path of folders.keys())
    if (!filled.has(path) && !(await before.tree.hasFile(path, isOutside))) empty.add(path)
  // A folder that only holds empty ones is there because of them.
  const parents = new Set<BytePath>()
  for (const path of empty) addFolders(parents, path)
  return {
    usual,
    modes: new Map([
      ...[...modes].filter(([path]) => isOutside(path)),
      ...files.flatMap(({ path, gitMode, mode }) =>
        gitMode === '120000' || mode === usualOf(mode) ? [] : [[path, mode] as const],
      ),
    ]),
    folderModes: new Map([
      ...[...folderModes].filter(([path]) => isOutside(path) && !folders.has(path)),
      ...[...folders].filter(([, mode]) => mode !== usual.folder),
    ]),
    emptyFolders: [...empty].filter((path) => !parents.has(path)),
  }
}

/** Adds the folders above a path. */
const addFolders = (folders: Set<BytePath>, path: BytePath): void => {
  for (let folder = folderOfPath(path); folder !== '' && !folders.has(folder); folder = folderOfPath(folder))
    folders.add(folder)
}
