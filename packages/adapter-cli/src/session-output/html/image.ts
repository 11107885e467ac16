/**
 * Images of a conversation, embedded in the document: only types that can't hold scripts, and only content of that
 * type.
 */
import type { ImageBlock } from '@cairn/core'
import { formatBytes } from '../../terminal/format.ts'
import { safeAddress } from '../links.ts'
import { escapeAttribute, escapeText } from './escape.ts'

/** How content of each type starts, as base64. SVG is not accepted, because it can contain scripts. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  'image/png': /^iVBORw0KGgo/,
  'image/jpeg': /^\/9j\//,
  'image/gif': /^R0lGOD[dl]h/,
  'image/webp': /^UklGR.{7}XRUJQ/,
}
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const DATA = /^data:(image\/[a-z]+);base64,(.*)$/is

/**
 * Returns an image whose data is in the message as an `img`; for any other image a line that describes it, with a link
 * if its URL is safe. Nothing is loaded from elsewhere.
 */
export const imageHtml = ({ mediaType, data, url }: ImageBlock): string => {
  const [, typeInUrl = mediaType, dataInUrl] = DATA.exec(url ?? '') ?? []
  const [type, content] = data === undefined ? [typeInUrl.toLowerCase(), dataInUrl] : [mediaType.toLowerCase(), data]
  if (
    content !== undefined &&
    content.length % 4 === 0 &&
    BEGINNINGS[type]?.test(content.slice(0, 40)) === true &&
    BASE64.test(content)
  ) {
    return `<p class="image"><img src="data:${type};base64,${content}" alt="Image of the conversation (${escapeAttribute(type)})" decoding="async"></p>\n`
  }
  const address = content === undefined ? safeAddress(url ?? '') : undefined
  const what = `image, ${escapeText(mediaType)}${content === undefined ? '' : `, ${formatBytes(Math.floor(content.length * 0.75))}`}`
  if (address !== undefined)
    return `<p class="what"><a href="${escapeAttribute(address)}" rel="noopener noreferrer">${what}</a></p>\n`
  return `<p class="what">${what}, not shown</p>\n`
}
