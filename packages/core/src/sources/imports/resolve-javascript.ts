/** From the names in JavaScript and TypeScript to files of the workspace, as TypeScript, Node and bundlers do it. */
import type { FoundImport } from './found-import.ts'
import { createPackageTargets } from './package-targets.ts'
import { folderOf, joinPath, type PathIndex } from './path-index.ts'
import type { ProjectSettings } from './project-settings.ts'
import { createTypeScriptPaths } from './typescript-paths.ts'

/** Returns the files of the workspace that an import means; empty if it means nothing in the workspace. */
export type ResolveImport = (importer: string, found: FoundImport) => readonly string[]

const TYPESCRIPT_FIRST = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json']
const JAVASCRIPT_FIRST = ['.js', '.jsx', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts', '.json', '.d.ts']
/** Source extensions that an imported output extension may stand for, in TypeScript's order. */
const SOURCES_OF: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx', '.d.ts'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
}

/**
 * Creates the resolver for JavaScript and TypeScript: at most one file per import, found by relative path, tsconfig
 * paths, then packages of the workspace. Answers are cached, so create a new one when files or settings change.
 */
export const createJavaScriptResolver = (paths: PathIndex, settings: ProjectSettings): ResolveImport => {
  const typeScriptPaths = createTypeScriptPaths(settings)
  const packageTargets = createPackageTargets(settings)
  const known = new Map<string, string | undefined>()
  /**
   * The file that a specifier means from a folder, without what follows a `?`; undefined for absolute paths, URLs, and
   * whatever is no file of the workspace.
   */
  const find = (folder: string, specifier: string, isTypeScript: boolean): string | undefined => {
    const plain = specifier.replace(/(?<=.)[?].*$/, '')
    if (/^\.\.?(?:\/|$)/.test(plain)) {
      const target = joinPath(folder, plain)
      return target === undefined ? undefined : fileAt(target, plain.endsWith('/'), isTypeScript, paths)
    }
    if (plain.startsWith('/') || /^[a-z][a-z+.-]*:/i.test(plain)) return undefined
    for (const target of [...typeScriptPaths(folder, plain), ...packageTargets(folder, plain)]) {
      const file = fileAt(target, plain.endsWith('/'), isTypeScript, paths)
      if (file !== undefined) return file
    }
    return undefined
  }
  return (importer, { specifier }) => {
    const folder = folderOf(importer)
    const isTypeScript = /\.[cm]?tsx?$/.test(importer)
    const key = `${isTypeScript ? 't' : 'j'}${folder}\0${specifier}`
    if (!known.has(key)) known.set(key, find(folder, specifier, isTypeScript))
    const file = known.get(key)
    return file === undefined ? [] : [file]
  }
}

/**
 * The file that a path without regard to its extension means: the file itself, with an extension added, or the `index`
 * file of a folder; undefined if none exists. `isTypeScript`: whether a source (`.ts` for `.js`) comes first.
 */
const fileAt = (
  target: string,
  isFolder: boolean,
  isTypeScript: boolean,
  { has, hasFolder }: PathIndex,
): string | undefined => {
  const endings = isTypeScript ? TYPESCRIPT_FIRST : JAVASCRIPT_FIRST
  if (!isFolder && target !== '') {
    const ending = /\.[cm]?jsx?$/.exec(target)?.[0]
    const stem = ending === undefined ? target : target.slice(0, -ending.length)
    const sources = ending === undefined ? [] : (SOURCES_OF[ending] ?? []).map((source) => stem + source)
    const exact = isTypeScript ? [...sources, target] : [target, ...sources]
    const found = [...exact, ...endings.map((each) => target + each)].find(has)
    if (found !== undefined) return found
  }
  if (!hasFolder(target)) return undefined
  return endings.map((ending) => (target === '' ? `index${ending}` : `${target}/index${ending}`)).find(has)
}
