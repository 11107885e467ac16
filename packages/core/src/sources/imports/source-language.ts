/** Which files are read for imports, and by which language's rules. */
import { findGoImports } from './go-imports.ts'
import { findJavaScriptImports } from './javascript-imports.ts'
import { findPythonImports } from './python-imports.ts'
import { findRustImports } from './rust-imports.ts'
import type { FoundImport } from './found-import.ts'

/** A language whose imports are read; TypeScript counts as `javascript`. */
export type SourceLanguage = 'javascript' | 'python' | 'go' | 'rust'

const LANGUAGE_BY_ENDING: ReadonlyMap<string, SourceLanguage> = new Map([
  ...['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'].map((ending) => [ending, 'javascript'] as const),
  ['py', 'python'],
  ['pyi', 'python'],
  ['go', 'go'],
  ['rs', 'rust'],
])

const FIND: Readonly<Record<SourceLanguage, (text: string) => readonly FoundImport[]>> = {
  javascript: findJavaScriptImports,
  python: findPythonImports,
  go: findGoImports,
  rust: findRustImports,
}

/**
 * Returns the language of a file by its extension, ignoring case (TypeScript is `javascript`); undefined if its imports
 * are not read.
 */
export const sourceLanguageOf = (path: string): SourceLanguage | undefined =>
  LANGUAGE_BY_ENDING.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase())

/** Returns the imports in a file's text, in the order of the text; empty if the language is not supported. */
export const findImports = (path: string, text: string): readonly FoundImport[] => {
  const language = sourceLanguageOf(path)
  return language === undefined ? [] : FIND[language](text)
}
