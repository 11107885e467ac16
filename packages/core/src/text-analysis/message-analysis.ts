/** What the search index keeps of a message. */
import type { Role } from '../messages.ts'
import type { FileOperation } from '../ports/search-index.ts'
import { authorHash } from './author.ts'
import { passagesOf, type Passage } from './passages.ts'

export type { Passage } from './passages.ts'

export interface AnalysedMessage {
  /** At least one; a message without words has one without terms. */
  readonly passages: readonly Passage[]
  /** Sixteen bits; the lowest two are the role, the next two what kind of message it is: see {@link ROLE_BITS}, {@link KIND_BITS}. */
  readonly flags: number
  /** Hash of the author's name; 0 when none is known. */
  readonly author: number
  /** What its tools did to files. */
  readonly files: readonly FileTouched[]
}

export interface FileTouched {
  readonly path: string
  readonly operation: FileOperation
}

/** `flags & 3`. */
export const ROLE_BITS = { user: 0, assistant: 1, system: 2, tool: 3 } as const
/** `(flags >> 2) & 3`: words of a person or model; a tool's call; a call that edits a file; a tool's result. */
export const KIND_BITS = { said: 0, call: 1, edit: 2, result: 3 } as const

export type MessageKind = keyof typeof KIND_BITS

/** Flags above role and kind, for the ranking alone: bits 4 to 10 are traits of words (see traits), then these. */
export const FIRST_TRAIT_BIT = 4
export const MESSAGE_BITS = {
  /** It asks: holds a question mark. */
  asks: 1 << 11,
  /** At most {@link SHORT_WORDS} words. */
  short: 1 << 12,
  /** Nothing follows its last question. */
  endsAsking: 1 << 13,
} as const
const SHORT_WORDS = 12

export interface MessageToAnalyse {
  readonly role: Role
  readonly kind: MessageKind
  readonly author?: string
  /** Its texts in order; nothing spans two of them. */
  readonly texts: readonly string[]
  readonly files?: readonly FileTouched[]
}

/** Never fails, whatever the texts hold; time grows with their length alone. */
export const analyseMessage = ({ role, kind, author, texts, files = [] }: MessageToAnalyse): AnalysedMessage => {
  const { passages, traits, words, asks, endsAsking } = passagesOf(texts)
  let flags = ROLE_BITS[role] | (KIND_BITS[kind] << 2) | (traits << FIRST_TRAIT_BIT)
  if (asks) flags |= MESSAGE_BITS.asks
  if (words <= SHORT_WORDS) flags |= MESSAGE_BITS.short
  if (endsAsking) flags |= MESSAGE_BITS.endsAsking
  return { passages, flags, author: author === undefined ? 0 : authorHash(author), files }
}
