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
  return (text) => marked?.seq === seq && marked.words.some((word) => text.includes(word))
}

/** Returns a word as it is written in a regular expression. */
const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns a pattern that splits a text at words; every second part is one of them. */
export const wordPattern = (words: readonly string[]): RegExp => new RegExp(`(${words.map(escaped).join('|')})`, 'u')

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
