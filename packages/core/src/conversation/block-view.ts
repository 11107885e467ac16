/**
 * A message's blocks as they are sent to the page: text only, long ones cut; images by their position, to be asked for
 * one by one.
 */
import type { JsonValue } from '../json.ts'
import type { ContentBlock, ToolResultBlock } from '../messages.ts'
import { callBrief, firstLine } from '../session/call-brief.ts'
import { taggedParts, type TextPart } from '../user-words/tagged-parts.ts'
import type { EditView } from './call-edit.ts'

/** Text that may have been cut: `length` counts all of its characters. */
export interface CutText {
  readonly text: string
  readonly length: number
}

/** A text in which programs may have put something between tags. */
export interface TaggedText extends CutText {
  /** What `text` is made of; empty where nothing stands between tags. */
  readonly parts: readonly TextPart[]
}

export type BlockView =
  | ({ readonly type: 'thinking' | 'other' } & CutText)
  | ({ readonly type: 'text' } & TaggedText)
  /** `brief`: what it is about, in one line. */
  | ({
      readonly type: 'call'
      readonly name: string
      readonly brief: string
      /** What it answered, and its position in the log; null where that is not near. */
      readonly output: CommandOutput | null
      /** What it writes into files; absent where it edits none, or this was not asked for. */
      readonly edit?: EditView
    } & CutText)
  /** A result that is shown with its call. */
  | { readonly type: 'answered' }
  | ({
      readonly type: 'result'
      readonly name: string | null
      readonly brief: string
      readonly isError: boolean
      readonly images: readonly ImageView[]
    } & TaggedText)
  | ({ readonly type: 'file'; readonly path: string } & CutText)
  | { readonly type: 'image'; readonly image: ImageView }

export interface CommandOutput {
  readonly seq: number
  readonly block: number
  readonly view: BlockView
}

/** An image by its position in the message; one that is not shown says why. */
export interface ImageView {
  /** Index of the block, and of the part within a tool's result. */
  readonly position: readonly [number, number | null]
  readonly mediaType: string
  readonly state: 'stored' | 'elsewhere' | 'unsupported'
  /** Where it was, when it was not stored. Never loaded. */
  readonly url: string | null
}

/** As images only these are shown: nothing in them can run. */
export const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Longest texts that a page of messages carries; the rest of a message is asked for when somebody wants to see it. */
const LONGEST_TEXT = 6_000
const LONGEST_FOLDED = 2_000
const LONGEST_URL = 2_000

/** The text up to a length (UTF-16 units; undefined: all of it), and how long it is as a whole. */
const cut = (text: string, most: number | undefined): CutText => ({
  text: most !== undefined && text.length > most ? text.slice(0, most).toWellFormed() : text,
  length: text.length,
})

/** How far behind a cut the end of a tag is looked for. */
const LONGEST_TAGGED = 200_000

/**
 * A text cut to `most` characters, with the parts in tags of what is left of it, none if it has no tags: where a tag's
 * end is cut off, all that is left is in the tag. `length` is that of the whole text.
 */
const tagged = (text: string, most: number | undefined): TaggedText => {
  const shown = cut(text, most)
  const parts = taggedParts(most === undefined ? text : text.slice(0, Math.max(most, LONGEST_TAGGED)))
  if (!parts.some(({ label }) => label !== undefined)) return { ...shown, parts: [] }
  return { ...shown, parts: shown.text.length === text.length ? parts : cutParts(parts, most ?? 0) }
}

/** The first parts, until their texts together have a length; the last one cut. The lengths are in characters. */
const cutParts = (parts: readonly TextPart[], most: number): readonly TextPart[] => {
  const kept: TextPart[] = []
  let left = most
  for (const part of parts) {
    if (left <= 0) break
    kept.push({ ...part, text: cut(part.text, left).text })
    left -= part.text.length
  }
  return kept
}

/**
 * Where an image is: stored, elsewhere, or of a kind that is not shown; an address that is data is left out. An address
 * is cut to `LONGEST_URL` characters.
 */
const imageView = (
  { mediaType, data, url }: Extract<ContentBlock, { type: 'image' }>,
  position: ImageView['position'],
): ImageView => ({
  position,
  mediaType,
  state: !IMAGE_TYPES.has(mediaType) ? 'unsupported' : data === undefined ? 'elsewhere' : 'stored',
  url: url === undefined || url.startsWith('data:') ? null : url.slice(0, LONGEST_URL),
})

const jsonText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

export interface BlockViewOptions {
  /** Nothing is cut. */
  readonly isWhole: boolean
  /** The tool that gave a result; undefined where it is not known. */
  readonly toolOf: (result: ToolResultBlock) => string | undefined
}

/**
 * A block as the page draws it. Unless `isWhole`, a text is cut to 6,000 characters, anything else to 2,000; `length`
 * tells how long it is as a whole. The name of a result's tool is null where its call is not known. A call's `output`
 * is null and its `edit` absent: who knows the entries around it adds them.
 * @param index of the block in its message
 */
export const blockView = (block: ContentBlock, index: number, { isWhole, toolOf }: BlockViewOptions): BlockView => {
  const most = (length: number): number | undefined => (isWhole ? undefined : length)
  switch (block.type) {
    case 'text':
      return { type: 'text', ...tagged(block.text, most(LONGEST_TEXT)) }
    case 'thinking':
      return { type: 'thinking', ...cut(block.text, most(LONGEST_FOLDED)) }
    case 'tool_call':
      return {
        type: 'call',
        name: block.name,
        brief: callBrief(block.input),
        output: null,
        ...cut(jsonText(block.input), most(LONGEST_FOLDED)),
      }
    case 'tool_result': {
      const text = block.content
        .map((part) => (part.type === 'text' ? part.text : part.type === 'other' ? jsonText(part.value) : ''))
        .filter((part) => part !== '')
        .join('\n')
      const images = block.content.flatMap((part, partIndex) =>
        part.type === 'image' ? [imageView(part, [index, partIndex])] : [],
      )
      return {
        type: 'result',
        name: toolOf(block) ?? null,
        brief: firstLine(text),
        isError: block.isError === true,
        images,
        ...tagged(text, most(LONGEST_FOLDED)),
      }
    }
    case 'file':
      return { type: 'file', path: block.path, ...cut(block.text ?? '', most(LONGEST_FOLDED)) }
    case 'image':
      return { type: 'image', image: imageView(block, [index, null]) }
    case 'other':
      return { type: 'other', ...cut(jsonText(block.value), most(LONGEST_FOLDED)) }
  }
}
