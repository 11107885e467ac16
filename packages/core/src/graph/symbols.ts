/** Names of code in texts. No parser: what defines something in the usual languages, and words that only code writes so. */
import { GRAPH_LIMITS } from './limits.ts'

/** What defines something, followed by what code puts after a name: prose about a "type of" is no definition. */
const DEFINITION =
  /\b(?:function\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|impl|module|namespace|record)\s+([\p{L}_$][\p{L}\p{N}_$]{2,79})(?=\s*[=(<{:;]|\s+(?:extends|implements)\b)/gu
const WORD = /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]{3,79}(?![\p{L}\p{N}_$])/gu
/** `readFile`, `read_file`, `MAX_SIZE`. */
const COMPOUND = /[\p{Ll}\p{N}]\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]/u

/**
 * The different names of code in a text: first those that it defines (`function read(`), then words that only code
 * writes so (`readFile`, `read_file`), each in order of appearance. Of a very long text only the beginning is read.
 */
export const symbolsIn = (text: string): readonly string[] => {
  const part = text.slice(0, GRAPH_LIMITS.characters)
  const symbols = new Set<string>()
  for (const [, name = ''] of part.matchAll(DEFINITION)) symbols.add(name)
  for (const [name] of part.matchAll(WORD)) if (COMPOUND.test(name)) symbols.add(name)
  return [...symbols]
}

/** A pattern that finds the symbol only as a whole word: `auth` is not found in `authors`. */
export const wholeWordPattern = (symbol: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_$])${symbol.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)}(?![\\p{L}\\p{N}_$])`, 'u')
