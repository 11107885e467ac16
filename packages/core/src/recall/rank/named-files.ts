/** Files that a query names as they are called: "taxRates.ts", "src/taxRates.ts", "Dockerfile". */
import { isFunctionWord } from '../../text-analysis/function-words.ts'

const LONGEST_QUERY = 2_000
const MOST_NAMES = 16
/** Quotes, brackets and stops that stand about a name. */
const ABOUT = /^[^\p{L}\p{N}_./\\-]+|[^\p{L}\p{N}_]+$/gu
const SLASH = 47
const BACKSLASH = 92

/** Names and ends of paths in a text that may be files', with `/`. A word without a dot only where it has a capital. */
export const fileNamesIn = (text: string): readonly string[] => {
  const names = text
    .slice(0, LONGEST_QUERY)
    .split(/\s+/)
    .map((word) =>
      word
        .replace(ABOUT, '')
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

/** Tells paths of the files that a text names, in any case where the name has a dot; undefined where it can name none. */
export const namesFile = (text: string): ((path: string) => boolean) | undefined => {
  const names = fileNamesIn(text).map((name) => ({
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
      names.some(({ name, anyCase, last: own }) => {
        const start = path.length - name.length
        if ((own | 32) !== last || start < 0) return false
        if (start > 0 && path.charCodeAt(start - 1) !== SLASH && path.charCodeAt(start - 1) !== BACKSLASH) return false
        const end = path.slice(start).replaceAll('\\', '/')
        return name === (anyCase ? end.toLowerCase() : end)
      })
    )
  }
}
