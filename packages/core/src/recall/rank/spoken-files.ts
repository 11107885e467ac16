/**
 * Files that a query names by words alone: "append in session log" names session-log.ts. Less certain than a name as it
 * is written, and so it only orders what the words find.
 */
import { foldText } from '../../text-analysis/characters.ts'
import { isFunctionWord } from '../../text-analysis/function-words.ts'
import { hashText } from '../../text-analysis/hash.ts'

/** As many adjacent words are tried as one name. */
const MOST_WORDS = 6
/** Of a longer query the beginning is read. */
const MOST_READ = 40
/** A single word names a file from so many letters on. */
const SHORTEST_WORD = 4
/** Files that nearly every project has say nothing of what is in them. */
const GENERIC = new Set(['index', 'main', 'init', 'readme', 'package', 'test', 'tests', 'types', 'utils', 'config'])

/** Letters of a file's ending. */
const LONGEST_ENDING = 5

const SEPARATORS = /[^\p{L}\p{N}]+/gu

/**
 * Hashes of the names, see {@link fileNameHash}, that the first 40 words of a query give: each of four letters or more
 * that is no function word and no usual name (`index`), and any two to six neighbours as one.
 */
export const spokenFileNames = (words: readonly string[]): ReadonlySet<number> => {
  const names = new Set<number>()
  const folded = words.slice(0, MOST_READ).map((word) => foldText(word).replace(SEPARATORS, ''))
  folded.forEach((word, from) => {
    if (word.length >= SHORTEST_WORD && !isFunctionWord(word) && !GENERIC.has(word)) names.add(hashText(word))
    let name = word
    for (const next of folded.slice(from + 1, from + MOST_WORDS)) names.add(hashText((name += next)))
  })
  return names
}

/** The hash of a file's name without folders, ending and separators: of "src/session-log.ts" that of "sessionlog". */
export const fileNameHash = (path: string): number => {
  const start = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1
  const end = path.lastIndexOf('.')
  const hasEnding = end > start && path.length - end <= LONGEST_ENDING + 1
  return hashText(foldText(path.slice(start, hasEnding ? end : path.length)).replace(SEPARATORS, ''))
}
