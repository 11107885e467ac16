// Which file imports which, read from the sources; shared by the rules on levels and cycles.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import ts from 'typescript'

const ENDINGS = ['', '.ts', '.tsx', '/index.ts']
/** @type {Map<string, { modified: number, imports: string[] }>} */
const known = new Map()

/** The file that a relative specifier means, or undefined. It must be a file that is there. */
export function resolveRelative(fromFile, specifier) {
  if (!specifier.startsWith('.')) return undefined
  const base = resolve(dirname(fromFile), specifier)
  const candidates = [...ENDINGS.map((ending) => base + ending), base.replace(/\.js$/, '.ts')]
  return candidates.find((file) => existsSync(file) && statSync(file).isFile())
}

/** The existing files that a source text imports by relative specifiers, types included. */
function importsOf(file, text) {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => resolveRelative(file, fileName))
    .filter((found) => found !== undefined)
}

/**
 * The files that a file on disk imports by relative paths, remembered until it changes. Throws where the file is not
 * there.
 */
export function importsOnDisk(file) {
  const modified = statSync(file).mtimeMs
  const before = known.get(file)
  if (before?.modified === modified) return before.imports
  const imports = importsOf(file, readFileSync(file, 'utf8'))
  known.set(file, { modified, imports })
  return imports
}
