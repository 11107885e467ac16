/** What a text asks for: its terms, without what says only that something is changed. */
import { isFunctionWord } from '../../text-analysis/function-words.ts'
import { analyseWord } from '../../text-analysis/words.ts'

/** A search term of the question. */
export interface QuestionTerm {
  readonly hash: number
  /** As it stood in the text, in lower case. */
  readonly text: string
  /** How often. */
  readonly count: number
}

/** Words such as "fix" and "update", which nearly every request contains. */
const CHANGE_WORDS = new Set(
  'add adds added adding update updates updated updating remove removes removed removing fix fixes fixed fixing change changes changed changing make makes made making use uses used using improve improves improved refactor refactors refactored rename renamed move moved support supports implement implements implemented introduce allow allows ensure instead now when more new please want need needs should'.split(
    ' ',
  ),
)
/** A conventional commit prefix, `fix(cli)!: …`: the kind is dropped, the scope is kept. */
const KIND =
  /^(?:fix|feat|feature|chore|docs?|refactor|test|tests|perf|style|build|ci|revert|wip)(?:\(([^)]*)\))?!?:\s*/i
const ISSUE = /\(?#\d+\)?/g
const WORD = /[\p{L}\p{N}_]+/gu
/** Characters of a text that are read. */
const LONGEST = 20_000

/**
 * Returns the terms of a text, each once with its count, in the order of the text. Function words, single characters,
 * words such as "fix" and issue numbers are left out; only the first 20,000 characters count. Empty if nothing else is
 * in the text.
 */
export const questionTerms = (text: string): readonly QuestionTerm[] => {
  const asked = text.slice(0, LONGEST).replace(KIND, '$1 ').replaceAll(ISSUE, ' ')
  const counts = new Map<number, { text: string; count: number }>()
  for (const [raw] of asked.matchAll(WORD)) {
    const lower = raw.toLowerCase()
    if (raw.length < 2 || isFunctionWord(lower) || CHANGE_WORDS.has(lower)) continue
    for (const term of analyseWord(raw).terms) {
      const known = counts.get(term.hash)
      if (known === undefined) counts.set(term.hash, { text: term.text, count: 1 })
      else known.count += 1
    }
  }
  return [...counts].map(([hash, { text: word, count }]) => ({ hash, text: word, count }))
}
