/** Blocks as text, for wires that take nothing else in a place. */
import { isJsonObject } from '../../json.ts'
import type { ContentBlock, OtherBlock } from '../../messages.ts'

const LONGEST_VALUE = 2000

/**
 * A block of another API as a text in brackets that says what it was, with each text in it of over `LONGEST_VALUE`
 * characters left out.
 */
export const otherText = ({ value }: OtherBlock): string => {
  const { type, ...rest } = isJsonObject(value) ? value : { type: undefined, value }
  const text = JSON.stringify(rest, (_key, inner: unknown) =>
    typeof inner === 'string' && inner.length > LONGEST_VALUE ? `(${inner.length} characters left out)` : inner,
  )
  return `[${typeof type === 'string' ? type : 'a block without a type'}: ${text}]`
}

/**
 * What a wire that takes only text is sent of a block: an image is named by its type; calls, results and reasoning give ''.
 */
export const blockText = (block: ContentBlock): string => {
  switch (block.type) {
    case 'text':
      return block.text
    case 'other':
      return otherText(block)
    case 'file':
      return block.text === undefined ? block.path : `${block.path}\n${block.text}`
    case 'image':
      return `[${block.mediaType}]`
    default:
      return ''
  }
}
