/** `paths` and `baseUrl` of the tsconfig that is nearest to a file. */
import { isJsonObject, objectOf, stringOf, type JsonObject } from '../../json.ts'
import { folderOf, foldersUpwards, joinPath } from './path-index.ts'
import { extendedPaths, targetsOf, type ProjectSettings } from './project-settings.ts'

/** The `baseUrl` and `paths` that apply to a folder. */
interface PathRules {
  readonly baseUrl: string | undefined
  /** The folder that the targets are relative to, the patterns and targets; longest beginnings first. */
  readonly patterns: readonly { readonly pattern: string; readonly targets: readonly string[] }[]
}

/** Levels of `extends` that are followed. */
const DEEPEST = 16

/**
 * Returns a function that lists the paths a bare specifier may mean by `paths` and `baseUrl` of the nearest tsconfig or
 * jsconfig, in the order to try. They may lack an extension and need not exist. Empty if no configuration maps the
 * name.
 */
export const createTypeScriptPaths = (
  settings: ProjectSettings,
): ((folder: string, specifier: string) => readonly string[]) => {
  const rulesByFolder = new Map<string, PathRules | undefined>()
  /**
   * The rules of the nearest tsconfig or jsconfig of a folder, kept for the next call; undefined where there is none,
   * or it has no rules.
   */
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

/**
 * Returns the text that the star of a pattern stands for; empty if the pattern has no star and equals the text;
 * undefined if it does not match.
 */
export const matchOf = (pattern: string, text: string): string | undefined => {
  const star = pattern.indexOf('*')
  if (star === -1) return pattern === text ? '' : undefined
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)]
  if (text.length < before.length + after.length || !text.startsWith(before) || !text.endsWith(after)) return undefined
  return text.slice(before.length, text.length - after.length)
}

/**
 * The rules of a tsconfig; if it only refers to others, those of the first referenced one in the same folder that has
 * any. Undefined if there are none.
 */
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

/**
 * The `baseUrl` and `paths` of a tsconfig, its own or from what it extends, later ones first. Empty for a file that was
 * not read or beyond 16 levels.
 */
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

/**
 * A path in a tsconfig from the workspace's root, with `${configDir}` replaced; undefined if it leaves the workspace.
 */
const at = (file: string, path: string, leaf: string): string | undefined =>
  path.startsWith(CONFIG_FOLDER) ? joinPath(leaf, path.slice(CONFIG_FOLDER.length)) : joinPath(folderOf(file), path)

/**
 * The patterns with targets that start with `${configDir}` made absolute from the workspace's root (with a leading
 * `/`).
 */
const withConfigFolder = (paths: JsonObject, leaf: string): JsonObject =>
  Object.fromEntries(
    Object.entries(paths).map(([pattern, targets]) => [
      pattern,
      targetsOf(targets).map((target) =>
        target.startsWith(CONFIG_FOLDER) ? `/${joinPath(leaf, target.slice(CONFIG_FOLDER.length)) ?? ''}` : target,
      ),
    ]),
  )

/**
 * The rules with all targets from the workspace's root, the most specific pattern first. Targets out of the workspace
 * are left out.
 */
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
