/** Foreign text as a model is handed it: data between fences that it can't close. */
import { escapeTags, wrapInTag } from '../../summary/markup.ts'
import { showUnseen } from '../../summary/unseen-characters.ts'
import { controlPicture, replaceUnsafe } from '../../unsafe-characters.ts'

/**
 * Returns the text with control and bidirectional characters, and others that can't be seen, replaced by visible signs.
 * Line ends become `\n`; a byte order mark at its start is removed.
 */
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

/** Returns a name or path made visible and on one line, trimmed, for use in a sentence. */
export const visibleName = (name: string): string => visibleText(name).replace(/\s+/g, ' ').trim()

/**
 * Returns the text in a Markdown fence longer than any run of backticks in it (at least three). The text must have gone
 * through {@link visibleText}.
 */
export const fencedData = (text: string): string => {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`
}

/**
 * Returns mentioned content that is not a file in tags that mark it as inserted by a program. `head` is one sentence
 * about what it is; `text` must be visible already.
 */
export const mentionedData = (head: string, text: string): string =>
  wrapInTag('mentioned_data', escapeTags(`${head}\n${fencedData(text)}`))
