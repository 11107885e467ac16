/** From Go's import paths to the files of a package, by the modules that the workspace's `go.mod` files name. */
import { folderOf, joinPath, type PathIndex } from './path-index.ts'
import type { ProjectSettings } from './project-settings.ts'
import type { ResolveImport } from './resolve-javascript.ts'

/**
 * Creates the resolver for Go: an import means all `.go` files of the package's folder, sorted, except tests and the
 * importer itself. Empty for packages that are in no module of the workspace.
 */
export const createGoResolver = (paths: PathIndex, { texts }: ProjectSettings): ResolveImport => {
  const modules = [...texts]
    .flatMap(([path, text]) => (path === 'go.mod' || path.endsWith('/go.mod') ? modulesIn(folderOf(path), text) : []))
    .toSorted((left, right) => right.name.length - left.name.length)
  return (importer, { specifier }) => {
    const module = modules.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
    const folder = module === undefined ? undefined : joinPath(module.folder, specifier.slice(module.name.length))
    if (folder === undefined) return []
    return paths
      .filesIn(folder)
      .filter((path) => path.endsWith('.go') && !path.endsWith('_test.go') && path !== importer)
  }
}

/** A module's import path and its folder in the workspace. */
interface GoModule {
  readonly name: string
  readonly folder: string
}

/**
 * The module that a go.mod declares, and those it replaces by folders of the workspace. Folders out of the workspace
 * are left out.
 */
const modulesIn = (folder: string, text: string): readonly GoModule[] => {
  const plain = text.replace(/\/\/[^\n]*/g, '')
  const [, own] = /^[ \t]*module[ \t]+"?([^\s"]+)/m.exec(plain) ?? []
  const replaced = [...plain.matchAll(/([^\s"()]+)"?(?:[ \t]+v[^\s]+)?[ \t]*=>[ \t]*"?(\.\.?\/[^\s"]*)/g)].flatMap(
    ([, name = '', path = '']): readonly GoModule[] => {
      const target = joinPath(folder, path)
      return target === undefined ? [] : [{ name, folder: target }]
    },
  )
  return own === undefined ? replaced : [{ name: own, folder }, ...replaced]
}
