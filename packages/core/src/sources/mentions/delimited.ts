/** Foreign text as a model is handed it: data between fences that it can't close. */
import { escapeTags, wrapInTag } from '../../summary/markup.ts'
import { showUnseen } from '../../summary/unseen-characters.ts'
import { controlPicture, replaceUnsafe } from '../../unsafe-characters.ts'

/** The text with what acts on a reader, or hides from one, made visible. A byte order mark at its beginning goes. */
export const visibleText = (text: string): string =>
  showUnseen(
    replaceUnsafe(
      text
        .replace(/^\ufeff/, '')
        .toWellFormed()
        .replaceAll('\r\n', '\n'),
      (found, kind) => (kind === 'control' || kind === 'bidi' ? controlPicture(found) : found),
    ),
  )

/** A name or path on one line, made visible: part of a sentence of ours. */
export const visibleName = (name: string): string => visibleText(name).replace(/\s+/g, ' ').trim()

/**
 * The text between fences of more backticks than it has in a row (at least three). It must have gone through {@link
 * visibleText} already.
 */
export const fencedData = (text: string): string => {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`
}

/**
 * What is not a file, between tags that say that a program put it there; `head`: one sentence on what it is. `text`
 * must be visible already.
 */
export const mentionedData = (head: string, text: string): string =>
  wrapInTag('mentioned_data', escapeTags(`${head}\n${fencedData(text)}`))
