/** The files that say what names mean in a workspace: `package.json`, `tsconfig.json`, `go.mod`, `Cargo.toml`. */
import { isJsonObject, stringOf, type JsonObject, type JsonValue } from '../../json.ts'
import { jsonObjectIn } from './json-text.ts'
import { baseName, folderOf, joinPath } from './path-index.ts'

/** The configuration files that decide what an import means, by path. */
export interface ProjectSettings {
  /** `package.json`, `tsconfig.json` and what it extends, where they hold an object. */
  readonly json: ReadonlyMap<string, JsonObject>
  /** `go.mod`, `Cargo.toml`. */
  readonly texts: ReadonlyMap<string, string>
  /** The folders of the packages of JavaScript by their names. */
  readonly packages: ReadonlyMap<string, string>
}

const SETTINGS = /^(?:package\.json|[tj]sconfig(?:\.[\w.-]+)?\.json|go\.mod|Cargo\.toml)$/
/** Longer chains of `extends`, and deeper nested targets, are cut off. */
const LONGEST_CHAIN = 16

/**
 * Reads all `package.json`, tsconfig, jsconfig, `go.mod` and `Cargo.toml` files of a workspace, and the files they
 * extend inside of it. Files that can't be read or parsed are treated as absent. If two packages have the same name,
 * the first path counts.
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
 * Returns the paths in the workspace that the `extends` value of a tsconfig (at `path`) may mean, to be tried in order.
 * Of several values later ones take precedence. Empty for values that are no text or lead out of the workspace.
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

/** The path of `@scope/name/base.json` if `@scope/name` is a package of the workspace, otherwise undefined. */
const inPackage = (name: string, packages: ReadonlyMap<string, string>): string | undefined => {
  const [packageName, rest] = splitPackageName(name)
  const folder = packages.get(packageName)
  return folder === undefined ? undefined : joinPath(folder, rest)
}

/** Splits `@scope/name/sub/path` into the package's name and the path in it, which is empty if there is none. */
export const splitPackageName = (specifier: string): readonly [name: string, rest: string] => {
  const end = specifier.indexOf('/', specifier.startsWith('@') ? specifier.indexOf('/') + 1 || specifier.length : 0)
  return end === -1 ? [specifier, ''] : [specifier.slice(0, end), specifier.slice(end + 1)]
}

/**
 * Returns the targets in an `exports`, `imports` or `paths` value, in order, but those for types and special
 * environments (browser, deno, …) last. Empty for undefined; nesting beyond 16 levels is ignored.
 */
export const targetsOf = (value: JsonValue | undefined): readonly string[] => {
  const code: string[] = []
  const types: string[] = []
  /** Adds the texts in a value to `code`, or to `types` below a special condition. */
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

/** Conditions whose targets are used only if there are no others. */
const SPECIAL_CONDITIONS = /^(?:types(?:@.*)?|browser|worker|deno|bun|react-native|react-server|electron|workerd)$/
