/** What the search index keeps of a message. */
import type { FileOperation } from '../ports/search-index.ts'

/** Up to about 80 words of a message, cut at the end of a line or sentence. */
export interface Passage {
  /** Tokens, at most 65,535. */
  readonly tokens: number
  /** Hashes of its terms, ascending, each once. */
  readonly hashes: Uint32Array
  /** By term: low four bits how often (at most 15), high four bits in which forms. */
  readonly counts: Uint8Array
}

export interface AnalysedMessage {
  /** At least one; a message without words has one without terms. */
  readonly passages: readonly Passage[]
  /** Sixteen bits; the lowest two are the role, the next two what kind of message it is: see {@link ROLE_BITS}, {@link KIND_BITS}. */
  readonly flags: number
  /** Hash of the author's name; 0 when none is known. */
  readonly author: number
  /** What its tools did to files. */
  readonly files: readonly { readonly path: string; readonly operation: FileOperation }[]
}

/** `flags & 3`. */
export const ROLE_BITS = { user: 0, assistant: 1, system: 2, tool: 3 } as const
/** `(flags >> 2) & 3`: words of a person or model; a tool's call; a call that edits a file; a tool's result. */
export const KIND_BITS = { said: 0, call: 1, edit: 2, result: 3 } as const
