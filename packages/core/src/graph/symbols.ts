/**
 * Finds names of code in texts, without a parser: by how common languages define things, and by words that only code
 * spells that way.
 */
import { GRAPH_LIMITS } from './limits.ts'

/** A definition keyword, then what code puts after a name: prose about a "type of" is not a definition. */
const DEFINITION =
  /\b(?:function\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|impl|module|namespace|record)\s+([\p{L}_$][\p{L}\p{N}_$]{2,79})(?=\s*[=(<{:;]|\s+(?:extends|implements)\b)/gu
const WORD = /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]{3,79}(?![\p{L}\p{N}_$])/gu
/** `readFile`, `read_file`, `MAX_SIZE`. */
const COMPOUND = /[\p{Ll}\p{N}]\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]/u

/**
 * The distinct names of code in a text: first those it defines (`function read(`), then words that only code spells
 * that way (`readFile`, `read_file`), each in order of appearance. Only the beginning of a very long text is read.
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
