/** What names mean by `package.json`: packages of the workspace by name, their `exports`, and `#imports`. */
import { isJsonObject, stringOf, type JsonObject, type JsonValue } from '../../json.ts'
import { foldersUpwards, joinPath } from './path-index.ts'
import { splitPackageName, targetsOf, type ProjectSettings } from './project-settings.ts'
import { matchOf } from './typescript-paths.ts'

/**
 * Returns a function that lists the paths, from the workspace's root, that a bare specifier may mean when imported from
 * a folder, likeliest first: `name/sub` by a package of the workspace, `#internal` by the nearest `package.json`. A
 * path may lack an extension, be listed twice, and need not exist. Empty for other packages.
 */
export const createPackageTargets = (
  settings: ProjectSettings,
): ((folder: string, specifier: string) => readonly string[]) => {
  const packageIn = (folder: string): JsonObject | undefined =>
    settings.json.get(joinPath(folder, 'package.json') ?? '')
  return (folder, specifier) => {
    if (specifier.startsWith('#')) {
      const own = foldersUpwards(folder).find((up) => packageIn(up) !== undefined)
      if (own === undefined) return []
      return subpathTargets(packageIn(own)?.imports, specifier).flatMap((target) =>
        target.startsWith('.') ? (joinPath(own, target) ?? []) : [],
      )
    }
    const [name, rest] = splitPackageName(specifier)
    const found = settings.packages.get(name)
    return found === undefined ? [] : packageFiles(found, rest, packageIn(found) ?? {})
  }
}

/**
 * The paths that a subpath (empty for the package itself) of a package of the workspace may mean, likeliest first:
 * `exports`, entry fields, then plain paths; a build output is followed by its source in `src`.
 */
const packageFiles = (folder: string, rest: string, description: JsonObject): readonly string[] => {
  const exported = subpathTargets(exportsBySubpath(description.exports), rest === '' ? '.' : `./${rest}`)
  const main = rest === '' ? ['source', 'module', 'main', 'types'].map((field) => stringOf(description[field])) : []
  const plain = rest === '' ? ['index', 'src/index'] : [rest, `src/${rest}`]
  return [...exported, ...main, ...plain].flatMap((target) => {
    const path = target === undefined ? undefined : joinPath(folder, target)
    if (path === undefined) return []
    const source = sourceOf(folder, path)
    return source === undefined ? [path] : [path, source]
  })
}

/**
 * The path in `src` that a build output in `dist`, `build` or the like was made from; undefined for a path in no such
 * folder. Of a declaration (`.d.ts`) the source (`.ts`).
 */
const sourceOf = (folder: string, path: string): string | undefined => {
  const inside = folder === '' ? path : path.slice(folder.length + 1)
  const [, rest] = /^(?:dist|build|lib|out|esm|cjs)\/(?:(?:esm|cjs|src)\/)?(.+)$/.exec(inside) ?? []
  return rest === undefined ? undefined : joinPath(folder, `src/${rest.replace(/\.d\.([cm]?ts)$/, '.$1')}`)
}

/**
 * The value of `exports` as an object by subpath; a value that is only the package's own target becomes `{ '.': value
 * }`.
 */
const exportsBySubpath = (value: JsonValue | undefined): JsonValue | undefined =>
  isJsonObject(value) && Object.keys(value).some((key) => key.startsWith('.')) ? value : { '.': value }

/**
 * The targets of the most specific pattern that matches a subpath, with the star filled in, of all conditions in the
 * order of `targetsOf`; empty if none matches. `value`: `exports` by subpath, or `imports`.
 */
const subpathTargets = (value: JsonValue | undefined, subpath: string): readonly string[] => {
  if (!isJsonObject(value)) return []
  const patterns = Object.keys(value)
    .filter((pattern) => matchOf(pattern, subpath) !== undefined)
    .toSorted((left, right) => starAt(right) - starAt(left))
  const best = patterns[0]
  if (best === undefined) return []
  const star = matchOf(best, subpath) ?? ''
  return targetsOf(value[best]).map((target) => target.replaceAll('*', () => star))
}

/** The position of a pattern's star; infinite without one, because an exact pattern is the most specific. */
const starAt = (pattern: string): number => (pattern.includes('*') ? pattern.indexOf('*') : Infinity)
