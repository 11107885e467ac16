/** Images and documents in the forms of the usual APIs, as blocks of the log. */
import { isJsonObject, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { FileBlock, ImageBlock } from '../messages.ts'

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/
const UNKNOWN_IMAGE = 'image/unknown'

/** Where the bytes of an image or a document are. */
interface Media {
  readonly mediaType?: string
  readonly data?: string
  readonly url?: string
}

/** The image or document that a block is; undefined for what is neither, or names a file that only its provider has. */
export const mediaOf = (block: JsonObject): ImageBlock | FileBlock | undefined => {
  switch (block.type) {
    case 'image':
      return imageOf(block)
    case 'image_url':
    case 'input_image': {
      const given = isJsonObject(block.image_url) ? block.image_url.url : block.image_url
      return typeof given === 'string' ? image(mediaAt(given)) : undefined
    }
    case 'document':
      return documentOf(block)
    case 'file':
    case 'input_file':
      return fileOf(block)
    default:
      return block.type === undefined ? partOf(block) : undefined
  }
}

/**
 * An image in Cairn's form, in Anthropic's with its source, or in the AI SDK's with its image; undefined without data
 * or URL.
 */
const imageOf = (block: JsonObject): ImageBlock | undefined => {
  const given = objectIn(block.image)?.href ?? block.image
  if (typeof given === 'string') {
    const media = mediaAt(given)
    // Base64 may stand there without the head that says so.
    return image({
      ...(media.url !== undefined && !URL_LIKE.test(media.url) ? { data: media.url } : media),
      ...typeOf(block),
    })
  }
  const source = isJsonObject(block.source) ? block.source : block
  const data = stringOf(source.data)
  const url = stringOf(source.url)
  if (data === undefined && url === undefined) return undefined
  return image({ ...typeOf(source), ...(data === undefined ? {} : { data }), ...(url === undefined ? {} : { url }) })
}

/** Anthropic's document; one with more than a source and a title stays as it is, so that nothing of it is lost. */
const documentOf = ({
  type: _type,
  source,
  title,
  cache_control: _cache,
  ...rest
}: JsonObject): FileBlock | undefined => {
  if (!isJsonObject(source) || Object.values(rest).some((value) => value !== undefined && value !== null))
    return undefined
  const path = stringOf(title) ?? 'document'
  const data = stringOf(source.data)
  const url = stringOf(source.url)
  if (source.type === 'text' && data !== undefined) return { type: 'file', path, text: data }
  if (data !== undefined) return { type: 'file', path, ...typeOf(source), data }
  return url === undefined ? undefined : { type: 'file', path, ...typeOf(source), url }
}

/**
 * OpenAI's file parts (chat and responses) and the AI SDK's, which may be images; of one with a path its text alone.
 * Undefined without path, data or URL.
 */
const fileOf = (block: JsonObject): FileBlock | ImageBlock | undefined => {
  const file = isJsonObject(block.file) ? block.file : block
  if (typeof file.path === 'string')
    return { type: 'file', path: file.path, ...(typeof file.text === 'string' ? { text: file.text } : {}) }
  const given = [file.file_data, file.file_url, file.data, file.url].find((value) => typeof value === 'string')
  if (typeof given !== 'string') return undefined
  const at = mediaAt(given)
  const isBare = at.url !== undefined && !URL_LIKE.test(at.url)
  const media: Media = { ...(isBare ? { data: given } : at), ...typeOf(file) }
  if (media.mediaType?.startsWith('image/') === true) return image(media)
  return { type: 'file', path: stringOf(file.filename) ?? stringOf(file.name) ?? 'document', ...media }
}

/**
 * Gemini's inline data and file references; undefined for any other part. One with neither data nor address is none.
 */
const partOf = (part: JsonObject): FileBlock | ImageBlock | undefined => {
  const inline = objectIn(part.inlineData, part.inline_data)
  const stored = objectIn(part.fileData, part.file_data)
  const from = inline ?? stored
  const data = stringOf(inline?.data)
  const url = stringOf(stored?.fileUri) ?? stringOf(stored?.file_uri)
  if (from === undefined || (data === undefined && url === undefined)) return undefined
  const media: Media = {
    ...typeOf(from),
    ...(data === undefined ? {} : { data }),
    ...(url === undefined ? {} : { url }),
  }
  if (media.mediaType?.startsWith('image/') === true) return image(media)
  return { type: 'file', path: stringOf(from.displayName) ?? 'document', ...media }
}

const URL_LIKE = /^[a-z][a-z0-9+.-]*:/i

/** An address as such, or the data that it holds. */
const mediaAt = (given: string): Media => {
  const head = DATA_URL.exec(given)
  if (head === null) return { url: given }
  const mediaType = head[1] ?? ''
  return { ...(mediaType === '' ? {} : { mediaType }), data: given.slice(head[0].length) }
}

/** The media type under any of its usual names; empty if it has none. The first of them that is not empty. */
const typeOf = (given: JsonObject): Pick<Media, 'mediaType'> => {
  const mediaType = [given.mediaType, given.media_type, given.mimeType, given.mime_type].find(
    (value) => typeof value === 'string' && value !== '',
  )
  return typeof mediaType === 'string' ? { mediaType } : {}
}

/** An image; without a type it is read from its data, and `image/unknown` if that does not tell it. */
const image = ({ mediaType, ...where }: Media): ImageBlock => ({
  type: 'image',
  mediaType: mediaType ?? seenType(where.data) ?? UNKNOWN_IMAGE,
  ...where,
})

/** The first bytes of the formats that models take, in base64. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['iVBORw', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

const seenType = (data = ''): string | undefined => BEGINNINGS.find(([start]) => data.startsWith(start))?.[1]

const objectIn = (...values: readonly (JsonValue | undefined)[]): JsonObject | undefined => values.find(isJsonObject)
