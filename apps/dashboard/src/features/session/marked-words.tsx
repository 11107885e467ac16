/** Text of the store with the words that were searched for marked. */
import { createContext, useContext } from 'react'
import { StoreText } from '../../components/store-text.tsx'

/** Words that are marked in one entry. */
export interface MarkedWords {
  /** The entry in which they are marked. */
  readonly seq: number
  readonly words: readonly string[]
}

/** What is marked in the conversation; null: nothing. */
export const Marked = createContext<MarkedWords | null>(null)

/** Holds what is marked in one conversation. */
export const MarkedWordsProvider = Marked.Provider

/** Returns a function that says whether a text of an entry contains what is marked in it. */
export const useHasMark = (seq: number): ((text: string) => boolean) => {
  const marked = useContext(Marked)
  return (text) => marked?.seq === seq && marked.words.length > 0 && wordPattern(marked.words).test(text)
}

/** Returns a word, or several with any white space between them, as they are written in a regular expression. */
const escaped = (words: string): string =>
  words
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('\\s+')

/** In scripts with spaces, a word that is part of another one is not meant. */
const SPACED = '\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}'
const BEGINS_SPACED = new RegExp(`^[${SPACED}]`, 'u')
const ENDS_SPACED = new RegExp(`[${SPACED}]$`, 'u')

/** Returns a pattern that splits a text at words, which are marked nowhere within others; every second part is one of them. */
export const wordPattern = (words: readonly string[]): RegExp => {
  const alternatives = words.map((word) => {
    const before = BEGINS_SPACED.test(word) ? `(?<![${SPACED}_])` : ''
    const after = ENDS_SPACED.test(word) ? `(?![${SPACED}_])` : ''
    return `${before}${escaped(word)}${after}`
  })
  return new RegExp(`(${alternatives.join('|')})`, 'u')
}

/** A text of an entry; in the one that was found, with its words marked. */
export const MarkedText = ({ text, seq }: { readonly text: string; readonly seq: number }) => {
  const marked = useContext(Marked)
  if (marked?.seq !== seq || marked.words.length === 0) return <StoreText text={text} />
  const parts = text.split(wordPattern(marked.words))
  return parts.map((part, index) =>
    // Parts keep their order; every second one is a word.
    index % 2 === 0 ? (
      <StoreText key={index} text={part} />
    ) : (
      <mark key={index} className="rounded-sm bg-(--mark) text-ink">
        <StoreText text={part} />
      </mark>
    ),
  )
}
