/** Finds the names of files in a query, such as "taxRates.ts", "src/taxRates.ts" or "Dockerfile". */
import { isFunctionWord } from '../../text-analysis/function-words.ts'

const LONGEST_QUERY = 2_000
const MOST_NAMES = 16
/** Quotes, brackets and punctuation around a name. */
const AROUND = /^[^\p{L}\p{N}_./\\-]+|[^\p{L}\p{N}_]+$/gu
const SLASH = 47
const BACKSLASH = 92

/**
 * Words of a text that may be file names or ends of paths, with `/` as separator: with a dot or a capital letter. In
 * order, each once; of a long text only the beginning is read.
 */
export const findFileNames = (text: string): readonly string[] => {
  const names = text
    .slice(0, LONGEST_QUERY)
    .split(/\s+/)
    .map((word) =>
      word
        .replace(AROUND, '')
        .replaceAll('\\', '/')
        .replace(/^(?:\.{0,2}\/)+/, ''),
    )
  return [...new Set(names)]
    .filter(
      (name) =>
        name.length > 2 &&
        !isFunctionWord(name.toLowerCase()) &&
        (/[^/]\.[^/.]/.test(name) || name.startsWith('.') || /\p{Lu}/u.test(name)),
    )
    .slice(0, MOST_NAMES)
}

/**
 * A test for paths that end with a file name in the text; undefined when the text has none. Names with a dot are compared
 * without regard to case.
 */
export const namedFileMatcher = (text: string): ((path: string) => boolean) | undefined => {
  const names = findFileNames(text).map((name) => ({
    name: name.includes('.') ? name.toLowerCase() : name,
    anyCase: name.includes('.'),
    last: name.toLowerCase().charCodeAt(name.length - 1),
  }))
  if (names.length === 0) return undefined
  const ends = new Set(names.map(({ last }) => last | 32))
  return (path) => {
    const last = path.charCodeAt(path.length - 1) | 32
    return (
      ends.has(last) &&
      names.some(({ name, anyCase, last: nameEnd }) => {
        const start = path.length - name.length
        if ((nameEnd | 32) !== last || start < 0) return false
        if (start > 0 && path.charCodeAt(start - 1) !== SLASH && path.charCodeAt(start - 1) !== BACKSLASH) return false
        const end = path.slice(start).replaceAll('\\', '/')
        return name === (anyCase ? end.toLowerCase() : end)
      })
    )
  }
}
