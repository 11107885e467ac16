/** `paths` and `baseUrl` of the tsconfig that is nearest to a file. */
import { isJsonObject, objectOf, stringOf, type JsonObject } from '../../json.ts'
import { folderOf, foldersUpwards, joinPath } from './path-index.ts'
import { extendedPaths, targetsOf, type ProjectSettings } from './project-settings.ts'

interface PathRules {
  readonly baseUrl: string | undefined
  /** The folder that the targets are relative to, the patterns and targets; longest beginnings first. */
  readonly patterns: readonly { readonly pattern: string; readonly targets: readonly string[] }[]
}

/** Extends and references of a tsconfig that are followed within one another. */
const DEEPEST = 16

/** Gives the paths, without regard to endings, that a bare name may mean by the nearest tsconfig of a folder. */
export const createTypeScriptPaths = (
  settings: ProjectSettings,
): ((folder: string, specifier: string) => readonly string[]) => {
  const rulesByFolder = new Map<string, PathRules | undefined>()
  const rulesOf = (folder: string): PathRules | undefined => {
    if (rulesByFolder.has(folder)) return rulesByFolder.get(folder)
    const file = foldersUpwards(folder)
      .flatMap((up) => ['tsconfig.json', 'jsconfig.json'].map((name) => joinPath(up, name) ?? name))
      .find((path) => settings.json.has(path))
    const rules = file === undefined ? undefined : readRules(file, settings)
    rulesByFolder.set(folder, rules)
    return rules
  }
  return (folder, specifier) => {
    const rules = rulesOf(folder)
    if (rules === undefined) return []
    const best = rules.patterns.find(({ pattern }) => matchOf(pattern, specifier) !== undefined)
    const star = best === undefined ? undefined : matchOf(best.pattern, specifier)
    const mapped = best?.targets.map((target) => target.replace('*', () => star ?? '')) ?? []
    const own = rules.baseUrl === undefined ? undefined : joinPath(rules.baseUrl, specifier)
    return own === undefined ? mapped : [...mapped, own]
  }
}

/** What stands for the star of a pattern, `` where it has none; undefined where it does not match. */
export const matchOf = (pattern: string, text: string): string | undefined => {
  const star = pattern.indexOf('*')
  if (star === -1) return pattern === text ? '' : undefined
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)]
  if (text.length < before.length + after.length || !text.startsWith(before) || !text.endsWith(after)) return undefined
  return text.slice(before.length, text.length - after.length)
}

/** Of a tsconfig that only refers to others, the rules of the first of them that has some. */
const readRules = (file: string, settings: ProjectSettings): PathRules | undefined => {
  const own = inherited(file, settings, folderOf(file), 0)
  if (own.paths !== undefined || own.baseUrl !== undefined) return toRules(own)
  const references = settings.json.get(file)?.references
  for (const reference of Array.isArray(references) ? references : []) {
    const path = isJsonObject(reference) ? stringOf(reference.path) : undefined
    const target = path === undefined ? undefined : joinPath(folderOf(file), path)
    if (target === undefined) continue
    const referred = target.endsWith('.json') ? target : (joinPath(target, 'tsconfig.json') ?? '')
    // A folder's own tsconfig rules its own files.
    if (folderOf(referred) !== folderOf(file)) continue
    const rules = inherited(referred, settings, folderOf(referred), 0)
    if (rules.paths !== undefined || rules.baseUrl !== undefined) return toRules(rules)
  }
  return undefined
}

interface Inherited {
  readonly baseUrl?: string | undefined
  readonly paths?: JsonObject | undefined
  /** The folder of the file that has `paths`. */
  readonly pathsFolder?: string | undefined
}

const inherited = (file: string, settings: ProjectSettings, leaf: string, depth: number): Inherited => {
  const value = settings.json.get(file)
  if (value === undefined || depth > DEEPEST) return {}
  const bases = extendedPaths(file, value.extends, settings.packages)
    .filter((base) => settings.json.has(base))
    .map((base) => inherited(base, settings, leaf, depth + 1))
  const options = objectOf(value.compilerOptions)
  const baseUrl = stringOf(options.baseUrl)
  const paths = isJsonObject(options.paths) ? options.paths : undefined
  return {
    baseUrl:
      baseUrl === undefined ? bases.findLast((base) => base.baseUrl !== undefined)?.baseUrl : at(file, baseUrl, leaf),
    ...(paths === undefined
      ? pathsOf(bases.findLast((base) => base.paths !== undefined))
      : { paths: withConfigFolder(paths, leaf), pathsFolder: folderOf(file) }),
  }
}

const pathsOf = (base: Inherited | undefined): Pick<Inherited, 'paths' | 'pathsFolder'> =>
  base === undefined ? {} : { paths: base.paths, pathsFolder: base.pathsFolder }

const CONFIG_FOLDER = '${configDir}'

const at = (file: string, path: string, leaf: string): string | undefined =>
  path.startsWith(CONFIG_FOLDER) ? joinPath(leaf, path.slice(CONFIG_FOLDER.length)) : joinPath(folderOf(file), path)

/** Targets that begin with the folder of the outermost tsconfig, from the workspace's root. */
const withConfigFolder = (paths: JsonObject, leaf: string): JsonObject =>
  Object.fromEntries(
    Object.entries(paths).map(([pattern, targets]) => [
      pattern,
      targetsOf(targets).map((target) =>
        target.startsWith(CONFIG_FOLDER) ? `/${joinPath(leaf, target.slice(CONFIG_FOLDER.length)) ?? ''}` : target,
      ),
    ]),
  )

const toRules = ({ baseUrl, paths = {}, pathsFolder = '' }: Inherited): PathRules => {
  const from = baseUrl ?? pathsFolder
  const fixedLength = (pattern: string): number => (pattern.includes('*') ? pattern.indexOf('*') : Infinity)
  return {
    baseUrl,
    patterns: Object.entries(paths)
      .map(([pattern, targets]) => ({
        pattern,
        targets: targetsOf(targets).flatMap(
          (target) => (target.startsWith('/') ? joinPath('', target) : joinPath(from, target)) ?? [],
        ),
      }))
      .toSorted((left, right) => (fixedLength(right.pattern) > fixedLength(left.pattern) ? 1 : -1)),
  }
}
