/** Counts the terms of a question in a file without an index: only words that begin as one of the question's are looked at. */
import { FieldCounts, NO_TERMS } from './field-counts.ts'
import type { FileTerms } from './field-counts.ts'
import { definedNames } from './file-terms.ts'
import type { QuestionTerm } from './question.ts'
import { visitTerms } from './terms.ts'

/** Counts the question's terms in a text of so many bytes; no terms if it contains none. */
export type ScanFile = (text: string, bytes: number) => FileTerms

/** Stems are at least so long, or the whole word. */
const SHORTEST_STEM = 4
/** Characters that suffixes of English words remove from their end at most. */
const LONGEST_SUFFIX = 3
const LONGEST_LINE = 2_000
const IN_WORD = /\w/

/**
 * Returns a function that counts the question's terms in a file's text, as `analyseFile` does for all terms, but with
 * bytes as lengths. It finds no terms if the question has none.
 */
export const createScan = (question: readonly QuestionTerm[]): ScanFile => {
  const wanted = new Set(question.map(({ hash }) => hash))
  const beginnings = [...new Set(question.map(({ text }) => beginningOf(text)))].filter(
    (beginning, _, all) => !all.some((other) => other !== beginning && beginning.startsWith(other)),
  )
  const pattern = beginnings.length === 0 ? undefined : new RegExp(beginnings.map(escaped).join('|'), 'gi')
  const counts = new FieldCounts()
  return (text, bytes) => {
    if (pattern !== undefined)
      for (const word of wordsAt(text, pattern))
        visitTerms(word, (hash) => {
          if (wanted.has(hash)) counts.addContent(hash)
        })
    if (!counts.hasContent) return { ...NO_TERMS, contentLength: bytes, symbolLength: bytes }
    for (const name of definedNames(text))
      visitTerms(name, (hash) => {
        if (wanted.has(hash)) counts.addSymbol(hash)
      })
    return { ...counts.take(), contentLength: bytes, symbolLength: bytes }
  }
}

/** The beginning that all forms of a word share. */
const beginningOf = (text: string): string => text.slice(0, Math.max(SHORTEST_STEM, text.length - LONGEST_SUFFIX))
/** The text as a literal for a regular expression. */
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The words around what the pattern finds, each once where it stands. At most about `LONGEST_LINE` characters. */
function* wordsAt(text: string, pattern: RegExp): Generator<string> {
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    let start = found.index
    let end = pattern.lastIndex
    while (start > 0 && end - start < LONGEST_LINE && isInWord(text, start - 1)) start -= 1
    while (end < text.length && end - start < LONGEST_LINE && isInWord(text, end)) end += 1
    pattern.lastIndex = end
    yield text.slice(start, end)
  }
}

/** Whether the character at an index is part of a word; everything beyond ASCII is. */
const isInWord = (text: string, index: number): boolean =>
  text.charCodeAt(index) >= 128 || IN_WORD.test(text.charAt(index))
