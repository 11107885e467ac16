/** Imports of Go: all of them stand before the first declaration. */
import { createLineCounter, type FoundImport } from './found-import.ts'

const COMMENT = String.raw`\/\/[^\n]*|\/\*[^*]*\*+(?:[^\/*][^*]*\*+)*\/`
const PATH = '"([^"\\n]*)"|`([^`\\n]*)`'
const TOKENS = new RegExp(`${COMMENT}|${PATH}|\\b(func|type|var|const)\\b|\\b(import)\\b|([()])`, 'g')

/**
 * Returns all imports of a Go file, in the order of the text, with repeats; all are `static`. Stops at the first
 * declaration, after which Go allows no import. Empty for a text without imports. Uses patterns, not a parser.
 */
export const findGoImports = (text: string): readonly FoundImport[] => {
  const found: FoundImport[] = []
  const lineAt = createLineCounter(text)
  let isImport = false
  let isList = false
  for (const match of text.matchAll(TOKENS)) {
    const [, quoted, raw, declaration, keyword, bracket] = match
    if (declaration !== undefined) break
    if (keyword !== undefined) isImport = true
    else if (bracket !== undefined) {
      isList = bracket === '(' && isImport
      if (bracket === ')') isImport = false
    } else if (isImport) {
      const specifier = quoted ?? raw
      if (specifier === undefined) continue
      found.push({ specifier, kind: 'static', line: lineAt(match.index) })
      isImport = isList
    }
  }
  return found
}
