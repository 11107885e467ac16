/** Parts of a message in the form of OpenAI's Chat Completions, which others use, too. */
import { objectOf, stringOf } from '../json.ts'
import type { JsonValue } from '../json.ts'
import type { ContentBlock } from '../messages.ts'

/**
 * A text, or an image by its address or as data within it. `image`: the part's field with the image, whose name differs between
 * programs. Anything else stays as it came, in a block `other`.
 */
export const textOrImage = (part: JsonValue, image: JsonValue | undefined): ContentBlock => {
  const { type, text } = objectOf(part)
  if (type === 'text' && typeof text === 'string') return { type: 'text', text }
  const url = stringOf(objectOf(image).url)
  if (url === undefined) return { type: 'other', value: part }
  const inline = /^data:([^;,]+);base64,/.exec(url)
  return inline === null
    ? { type: 'image', mediaType: 'image/unknown', url }
    : { type: 'image', mediaType: inline[1] ?? 'image/unknown', data: url.slice(inline[0].length) }
}
