/** From Python's dotted names to files of the workspace. */
import { folderOf, foldersUpwards, joinPath, type PathIndex } from './path-index.ts'
import type { ResolveImport } from './resolve-javascript.ts'

/** Folders that hold packages without being packages, searched beside the root. */
const SOURCE_FOLDERS = ['src', 'lib', 'python']

/**
 * Creates the resolver for Python; an import means at most one file, and never the importer. Relative names are looked
 * up from the importer's package, absolute ones in the folders that Python could have on its path: the one around the
 * importer's outermost package, those above it, and the source folders beside them; the nearest that has the module
 * counts.
 */
export const createPythonResolver = (paths: PathIndex): ResolveImport => {
  const rootsByFolder = new Map<string, readonly string[]>()
  /**
   * The folders that an import of a folder's files may start from, nearest first: above its outermost package, and
   * their source folders. Kept for the next call.
   */
  const rootsOf = (folder: string): readonly string[] => {
    const known = rootsByFolder.get(folder)
    if (known !== undefined) return known
    let root = folder
    while (root !== '' && isPackage(root, paths)) root = folderOf(root)
    const roots = foldersUpwards(root).flatMap((up) => [
      up,
      ...SOURCE_FOLDERS.map((name) => joinPath(up, name) ?? up).filter(
        (source) => paths.hasFolder(source) && !isPackage(source, paths),
      ),
    ])
    rootsByFolder.set(folder, roots)
    return roots
  }
  return (importer, { specifier }) => {
    const [from = '', name] = specifier.split(':')
    const [, dots = '', module = ''] = /^(\.*)(.*)$/.exec(from) ?? []
    const segments = module === '' ? [] : module.split('.')
    if (dots !== '') {
      const folder = joinPath(folderOf(importer), '../'.repeat(dots.length - 1))
      const file = folder === undefined ? undefined : inRoot(folder, segments, name, paths)
      return file === undefined || file === importer ? [] : [file]
    }
    for (const root of rootsOf(folderOf(importer))) {
      const file = inRoot(root, segments, name, paths)
      if (file !== undefined) return file === importer ? [] : [file]
    }
    return []
  }
}

/** Whether a folder is a regular package, that is, has an `__init__.py` or `.pyi`. */
const isPackage = (folder: string, { has }: PathIndex): boolean =>
  has(`${folder}/__init__.py`) || has(`${folder}/__init__.pyi`)

/**
 * The file of the longest prefix of the segments that is a module, or of `name` if it is a module itself. Undefined if
 * the first segment is not found below `root`.
 */
const inRoot = (
  root: string,
  segments: readonly string[],
  name: string | undefined,
  paths: PathIndex,
): string | undefined => {
  let folder = root
  let file = segments.length === 0 ? initOf(root, paths) : undefined
  for (const segment of segments) {
    const next = joinPath(folder, segment) ?? segment
    const own = moduleAt(next, paths)
    file = own ?? (paths.hasFolder(next) ? undefined : file)
    folder = next
    if (own === undefined && !paths.hasFolder(next)) return file
  }
  if (name === undefined || name === '*') return file
  return moduleAt(joinPath(folder, name) ?? name, paths) ?? file
}

/** The file of a module or package at a path without extension; undefined if there is none. */
const moduleAt = (path: string, paths: PathIndex): string | undefined =>
  initOf(path, paths) ?? [`${path}.py`, `${path}.pyi`].find(paths.has)

/** The `__init__` file of a folder; undefined if it has none. */
const initOf = (folder: string, { has }: PathIndex): string | undefined =>
  ['__init__.py', '__init__.pyi'].map((name) => (folder === '' ? name : `${folder}/${name}`)).find(has)
