/** Which files are read for imports, and by which language's rules. */
import { findGoImports } from './go-imports.ts'
import { findJavaScriptImports } from './javascript-imports.ts'
import { findPythonImports } from './python-imports.ts'
import { findRustImports } from './rust-imports.ts'
import type { FoundImport } from './found-import.ts'

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

/** The language of a file by its ending (TypeScript is `javascript`); undefined where imports are not read. */
export const sourceLanguageOf = (path: string): SourceLanguage | undefined =>
  LANGUAGE_BY_ENDING.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase())

/** The imports of a file's text, in the order of the text; empty for a language that is not known. */
export const findImports = (path: string, text: string): readonly FoundImport[] => {
  const language = sourceLanguageOf(path)
  return language === undefined ? [] : FIND[language](text)
}
