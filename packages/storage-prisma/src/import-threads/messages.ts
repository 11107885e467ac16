/** What the thread that imports and those that read ahead tell each other. */
import type { BatchFacts, FileAhead, FileEnd } from '@cairn/core/importers'
import type { FoundBlocks, PreparedContent, SoughtText } from '../repository/prepared-content.ts'
import type { TailSize } from '../search/index-sizes.ts'

/** What a reading thread is started with. */
export interface ReadingSetting {
  /** Tells it from the data of other threads of the same bundle. */
  readonly kind: 'cairn-reading'
  readonly segmentFrom: TailSize
}

/** To a reading thread. */
export type ToReader =
  | { readonly file: FileAhead }
  /** To its question of this number. */
  | { readonly answer: number; readonly found: FoundBlocks }
  /** A batch was taken: it may prepare another one. */
  | { readonly taken: true }
  /** Nothing more is wanted of the file at this position. */
  | { readonly drop: number }
  /** Nothing more is wanted at all: it ends when what it compresses is compressed. */
  | { readonly end: true }

/** Which texts of a session need not be stored; answered in the order of commits. */
export interface BlockQuestion {
  readonly ask: number
  readonly position: number
  /** The batch of the file, from 0. */
  readonly batch: number
  readonly session: string
  readonly texts: readonly SoughtText[]
}

/** Prepared content of a session; its facts and writes are those of the batch. */
export interface PreparedParts extends Omit<PreparedContent, 'session' | 'writes' | 'indexed'> {
  readonly segment: PreparedContent['indexed']['segment']
  /** By write: its message for the tail of the index. */
  readonly tail: readonly (Uint8Array | undefined)[]
}

/** A batch that was read and prepared. */
export interface ReadBatch {
  readonly position: number
  readonly batch: number
  readonly facts: BatchFacts
  /** By session, in the order of `contentsOf`. */
  readonly contents: readonly PreparedParts[]
}

/** The last word on a file; undefined: the rest of it is for the other side. */
export interface ReadEnd {
  readonly position: number
  readonly end: FileEnd | undefined
}

/** From a reading thread. */
export type FromReader = BlockQuestion | ReadBatch | ReadEnd
