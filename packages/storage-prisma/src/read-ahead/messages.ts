/** What an import and the threads that read ahead for it send each other. */
import type { ErrorCode } from '@cairn/core'
import type { FileToRead, ReadBatch } from '@cairn/core/importers'
import type { Slice } from '../packs/pack-draft.ts'
import type { CompletedContent, RunFacts } from '../repository/prepared-content.ts'
import type { TailSize } from '../search/index-sizes.ts'

/** What a thread is started with. `kind` tells it from the data of other threads of the same bundle. */
export interface ReadAheadSetting {
  readonly kind: 'cairn-read-ahead'
  /** See `segmentFrom` of the index's sizes. */
  readonly segmentFrom: TailSize
}

/** Whether the data that a thread was started with makes it one that reads ahead, by its `kind`. */
export const isReadAheadSetting = (value: unknown): value is ReadAheadSetting =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'cairn-read-ahead'

/** Files and batches have numbers, which are not used again within a thread. */
export type ToThread =
  | { readonly kind: 'read'; readonly file: number; readonly toRead: FileToRead }
  /** The file is not read on, and its batches are forgotten. */
  | { readonly kind: 'drop'; readonly file: number }
  /** For each content and each of its texts what is stored, see {@link STORED}. */
  | {
      readonly kind: 'complete'
      readonly batch: number
      readonly stored: readonly Uint8Array[]
      readonly forTail: boolean
    }
  /** The batch is written, or will not be. */
  | { readonly kind: 'release'; readonly batch: number }

/** Bits of a text. */
export const STORED = { elsewhere: 1, indexed: 2 } as const

export type FromThread =
  | {
      readonly kind: 'batch'
      readonly file: number
      readonly batch: number
      /** Messages without their blocks; no source lines. */
      readonly read: ReadBatch
      readonly contents: readonly DraftFacts[]
    }
  /** All of a file was given; with an error: all that could be read. */
  | { readonly kind: 'end'; readonly file: number; readonly error?: ReadError }
  | { readonly kind: 'completed'; readonly batch: number; readonly contents: readonly CompletedMessage[] }
  | { readonly kind: 'not-completed'; readonly batch: number; readonly message: string }

/** An error without what can't be sent; `code`: that of a CairnError. */
export interface ReadError {
  readonly message: string
  readonly code?: ErrorCode
}

/** A drafted content without its bytes. */
export interface DraftFacts {
  readonly runs: readonly RunFacts[]
  /** SHA-256 of each text, one behind the other. */
  readonly digests: Uint8Array
  /** 1 for a text that an entry holds. */
  readonly inEntry: Uint8Array
}

/** A completed content; a pack's blocks and slices as lengths, as they follow one another. 0: a block elsewhere. */
export interface CompletedMessage {
  readonly inline: CompletedContent['inline']
  readonly packed:
    | {
        readonly rawSize: number
        readonly data: Uint8Array
        readonly blocks: Uint32Array
        readonly slices: Uint32Array
      }
    | undefined
  readonly segment: CompletedContent['indexed']['segment']
  /** By write; undefined where there is a segment, unless it was asked for. */
  readonly tail: readonly (Uint8Array | undefined)[] | undefined
}

/** Bytes of a digest. */
export const DIGEST_BYTES = 32

/** The lengths of slices that follow one another; 0 for none. */
export const lengthsOf = (slices: readonly (Slice | undefined)[]): Uint32Array =>
  Uint32Array.from(slices, (slice) => slice?.length ?? 0)
