/** From Python's dotted names to files of the workspace. */
import { folderOf, foldersUpwards, joinPath, type PathIndex } from './path-index.ts'
import type { ResolveImport } from './resolve-javascript.ts'

/** Folders that hold packages without being one, beside the root. */
const SOURCE_FOLDERS = ['src', 'lib', 'python']

/**
 * Makes the resolver. A relative name is looked up from the importer's package. An absolute one from the folders that
 * Python could have on its path for this importer: the one around its outermost package (or its own, where it is in none), those
 * above, and the source folders beside them; nearest first.
 */
export const createPythonResolver = (paths: PathIndex): ResolveImport => {
  const rootsByFolder = new Map<string, readonly string[]>()
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

const isPackage = (folder: string, { has }: PathIndex): boolean =>
  has(`${folder}/__init__.py`) || has(`${folder}/__init__.pyi`)

/**
 * The file of the longest beginning of the segments that is a module, or of the name where it is one; the first segment must
 * be there. Undefined for none.
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

const moduleAt = (path: string, paths: PathIndex): string | undefined =>
  initOf(path, paths) ?? [`${path}.py`, `${path}.pyi`].find(paths.has)

const initOf = (folder: string, { has }: PathIndex): string | undefined =>
  ['__init__.py', '__init__.pyi'].map((name) => (folder === '' ? name : `${folder}/${name}`)).find(has)
