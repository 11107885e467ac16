/** Analyses a message for the search index: its terms by passage, flags, author and files. */
import type { Role } from '../messages.ts'
import type { FileOperation } from '../ports/search-index.ts'
import { authorHash } from './author.ts'
import { guessLanguage, LANGUAGE_CHARACTERS, type Language } from './languages/language.ts'
import { splitIntoPassages, type Passage } from './passages.ts'

export type { Passage } from './passages.ts'

/** All that the index stores of a message. */
export interface AnalysedMessage {
  /** At least one; a message without words has one without terms. */
  readonly passages: readonly Passage[]
  /** Sixteen bits: two for the role, two for the kind (see {@link ROLE_BITS}, {@link KIND_BITS}), then traits. */
  readonly flags: number
  /** Hash of the author's name; 0 when none is known. */
  readonly author: number
  /** Files that its tools read, edited or named. */
  readonly files: readonly TouchedFile[]
}

/** What a tool did to a file. */
export interface TouchedFile {
  readonly path: string
  readonly operation: FileOperation
}

/** `flags & 3`. */
export const ROLE_BITS = { user: 0, assistant: 1, system: 2, tool: 3 } as const
/** `(flags >> 2) & 3`: text of a person or model; a tool call; a tool call that edits a file; a tool result. */
export const KIND_BITS = { text: 0, call: 1, edit: 2, result: 3 } as const

/** The kind of a message for the ranking. */
export type MessageKind = keyof typeof KIND_BITS

/** Bits 4 to 10 of the flags are the traits of its words, see traits.ts. */
export const FIRST_TRAIT_BIT = 4
/** The bits above the traits. */
export const MESSAGE_BITS = {
  /** It has a question mark. */
  asks: 1 << 11,
  /** At most {@link SHORT_WORDS} words. */
  short: 1 << 12,
  /** Nothing follows its last question. */
  endsAsking: 1 << 13,
} as const
const SHORT_WORDS = 12

/** A message as {@link analyseMessage} takes it. */
export interface MessageToAnalyse {
  readonly role: Role
  readonly kind: MessageKind
  readonly author?: string
  /** Its texts in order; no sentence continues from one to the next. */
  readonly texts: readonly string[]
  readonly files?: readonly TouchedFile[]
}

/**
 * What the search index keeps of a message: flags, author, files, and the counts of terms by passage. Accepts any text;
 * takes a time that grows with its length.
 */
export const analyseMessage = ({ role, kind, author, texts, files = [] }: MessageToAnalyse): AnalysedMessage => {
  const { passages, traits, words, asks, endsAsking } = splitIntoPassages(texts, languageOf(kind, texts))
  let flags = ROLE_BITS[role] | (KIND_BITS[kind] << 2) | (traits << FIRST_TRAIT_BIT)
  if (asks) flags |= MESSAGE_BITS.asks
  if (words <= SHORT_WORDS) flags |= MESSAGE_BITS.short
  if (endsAsking) flags |= MESSAGE_BITS.endsAsking
  return { passages, flags, author: author === undefined ? 0 : authorHash(author), files }
}

/**
 * The language whose stems are indexed beside the English ones: of text that a person or model wrote. Undefined for
 * English, if it is not known, and for tool calls and results, which are code.
 */
const languageOf = (kind: MessageKind, texts: readonly string[]): Language | undefined => {
  if (kind !== 'text') return undefined
  const language = guessLanguage(texts.length === 1 ? (texts[0] ?? '') : texts.map(beginningOf).join('\n'))
  return language === 'en' ? undefined : language
}

const beginningOf = (text: string): string => text.slice(0, LANGUAGE_CHARACTERS)
