/** What one mention puts behind the text. */
import type { ContentBlock } from '../../messages.ts'
import type { LineRange } from './mention.ts'

/** Lines of a file that are sent whole. */
export interface FilePart {
  readonly file: string
  readonly lines: LineRange
}

/** What a mention stands for, before it is known how much of it fits. */
export interface Draft {
  /** Tells it from all others. */
  readonly key: string
  /** What it is, in a few words. */
  readonly name: string
  /** The lines that were asked for, of a file that is text. */
  readonly part?: FilePart
  /** The file that counts as mentioned. */
  readonly path?: string
  /** The block with at most so many characters of content; what can't be cut is returned whole. Pure. */
  readonly cut: (maxCharacters: number) => Contribution
}

/** Why a mention has no draft: one sentence. */
export interface Refusal {
  readonly refused: string
}

/** What one mention adds to the message. */
export interface Contribution {
  readonly block: ContentBlock
  /** Of the content, without what stands around it. */
  readonly characters: number
  /** What it is once it is cut; default: as in the draft. */
  readonly name?: string
  /** What of it is not sent, in words. */
  readonly leftOut?: string
  /** The lines of a file that are in it. */
  readonly part?: FilePart
  /** What is odd about the content, as the end of a sentence about it. */
  readonly notice?: string
}

/** Whether all lines of `inner` are in `outer`. False if either is undefined or of another file. */
export const holds = (outer: FilePart | undefined, inner: FilePart | undefined): boolean =>
  outer !== undefined &&
  inner !== undefined &&
  outer.file === inner.file &&
  outer.lines.first <= inner.lines.first &&
  outer.lines.last >= inner.lines.last
