/** The files that say what names mean in a workspace: `package.json`, `tsconfig.json`, `go.mod`, `Cargo.toml`. */
import { isJsonObject, stringOf, type JsonObject, type JsonValue } from '../../json.ts'
import { jsonObjectIn } from './json-text.ts'
import { baseName, folderOf, joinPath } from './path-index.ts'

/** What the settings of a workspace say, by path. */
export interface ProjectSettings {
  /** `package.json`, `tsconfig.json` and what it extends, where they hold an object. */
  readonly json: ReadonlyMap<string, JsonObject>
  /** `go.mod`, `Cargo.toml`. */
  readonly texts: ReadonlyMap<string, string>
  /** The folders of the packages of JavaScript by their names. */
  readonly packages: ReadonlyMap<string, string>
}

const SETTINGS = /^(?:package\.json|[tj]sconfig(?:\.[\w.-]+)?\.json|go\.mod|Cargo\.toml)$/
/** Longer chains of `extends` are not followed to their end. */
const LONGEST_CHAIN = 16

/**
 * Reads the settings of a workspace, and what they extend inside of it. What can't be read, or holds something else, is
 * as if it were not there.
 */
export const readSettings = async (
  paths: ReadonlySet<string>,
  read: (path: string) => Promise<string | undefined>,
): Promise<ProjectSettings> => {
  const json = new Map<string, JsonObject>()
  const texts = new Map<string, string>()
  const packages = new Map<string, string>()
  const seen = new Set<string>()
  let next = [...paths].filter((path) => SETTINGS.test(baseName(path))).sort()
  for (let step = 0; step < LONGEST_CHAIN && next.length > 0; step += 1) {
    for (const path of next) {
      seen.add(path)
      const text = await read(path)
      if (text === undefined) continue
      if (!path.endsWith('.json')) texts.set(path, text)
      else {
        const value = jsonObjectIn(text)
        if (value === undefined) continue
        json.set(path, value)
        const name = baseName(path) === 'package.json' ? stringOf(value.name) : undefined
        if (name !== undefined && !packages.has(name)) packages.set(name, folderOf(path))
      }
    }
    next = [...new Set([...json].flatMap(([path, value]) => extendedPaths(path, value.extends, packages)))].filter(
      (path) => paths.has(path) && !seen.has(path),
    )
  }
  return { json, texts, packages }
}

/**
 * The workspace's paths that the `extends` of a tsconfig (at `path`) may mean, to be tried in order; of several names
 * the last one rules. None for what is no text or leads out.
 */
export const extendedPaths = (
  path: string,
  value: JsonValue | undefined,
  packages: ReadonlyMap<string, string>,
): readonly string[] => {
  const names = (Array.isArray(value) ? value : [value]).filter((name) => typeof name === 'string')
  return names.flatMap((name) => {
    const target = name.startsWith('.') ? joinPath(folderOf(path), name) : inPackage(name, packages)
    if (target === undefined) return []
    return target.endsWith('.json') ? [target] : [`${target}.json`, joinPath(target, 'tsconfig.json') ?? '']
  })
}

/** `@scope/name/base.json` as a path, where `@scope/name` is a package of the workspace. */
const inPackage = (name: string, packages: ReadonlyMap<string, string>): string | undefined => {
  const [packageName, rest] = splitPackageName(name)
  const folder = packages.get(packageName)
  return folder === undefined ? undefined : joinPath(folder, rest)
}

/** `@scope/name/sub/path` as the package's name and the path in it, `` for none. */
export const splitPackageName = (specifier: string): readonly [name: string, rest: string] => {
  const end = specifier.indexOf('/', specifier.startsWith('@') ? specifier.indexOf('/') + 1 || specifier.length : 0)
  return end === -1 ? [specifier, ''] : [specifier.slice(0, end), specifier.slice(end + 1)]
}

/**
 * The targets of an `exports`, `imports` or `paths` value, in order: of conditions those that code is run by come
 * before those for types and tools. Empty for undefined.
 */
export const targetsOf = (value: JsonValue | undefined): readonly string[] => {
  const code: string[] = []
  const types: string[] = []
  const visit = (each: JsonValue | undefined, isForTypes: boolean, depth: number): void => {
    if (typeof each === 'string') (isForTypes ? types : code).push(each)
    else if (depth > LONGEST_CHAIN) return
    else if (Array.isArray(each)) for (const one of each as readonly JsonValue[]) visit(one, isForTypes, depth + 1)
    else if (isJsonObject(each))
      for (const [condition, target] of Object.entries(each))
        visit(target, isForTypes || SPECIAL_CONDITIONS.test(condition), depth + 1)
  }
  visit(value, false, 0)
  return [...code, ...types]
}

/** Conditions whose targets are taken where nothing else is there. */
const SPECIAL_CONDITIONS = /^(?:types(?:@.*)?|browser|worker|deno|bun|react-native|react-server|electron|workerd)$/
