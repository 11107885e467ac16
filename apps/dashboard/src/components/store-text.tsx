/**
 * Text of the store as it is: data, whatever it holds. Characters that can't be seen, or that turn the text around them,
 * are shown instead of obeyed: control characters (ANSI codes begin with one) as their pictures, marks of direction,
 * zero-width characters and tags by their numbers. Text that is written from right to left keeps that to itself.
 */

const PICTURES = 0x2400
const DELETE = 0x7f

/** Scripts whose letters are joined, or kept apart, by the two zero-width joiners. */
const JOINING = [
  'Arabic',
  'Syriac',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
]
  .map((script) => `\\p{Script=${script}}`)
  .join('')

/** Joiners where writing needs them: between those letters, and in an emoji that is made of several. */
const NEEDED = `(?<=[${JOINING}])[\\u200c\\u200d]|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})`

/** All but tabs and line ends. */
const CONTROLS = '[\\u0000-\\u0008\\u000b-\\u001f\\u007f]'

/** C1 controls, soft hyphen, marks and overrides of direction, zero-width characters, line separators, and selectors that no font shows. */
const UNSEEN =
  '[\\u0080-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0100}-\\u{e01ef}]'

/** A second alphabet that nobody sees: whole sentences can hide in it. */
const TAGS = '[\\u{e0000}-\\u{e007f}]+'

const SPECIAL = new RegExp(`(${NEEDED})|(${CONTROLS})|(${TAGS})|${UNSEEN}`, 'gu')
/** Most texts have nothing of it, and are passed on without a closer look. */
// Each of its characters is meant by itself.
// eslint-disable-next-line no-misleading-character-class
const ANY = new RegExp(`${CONTROLS}|${TAGS}|${UNSEEN}`, 'u')

const picture = (character: string): string => {
  const code = character.charCodeAt(0)
  return String.fromCharCode(code === DELETE ? PICTURES + 0x21 : PICTURES + code)
}

const number = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`

const tagText = (tags: string): string =>
  `⟨tags: ${Array.from(tags, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000))
    .join('')
    .replace(/[^ -~]/g, '·')}⟩`

/** `ESC[31m` as `␛[31m`, an override of direction as `⟨U+202E⟩`; line ends and tabs stay. */
export const visibleText = (text: string): string => {
  const lines = text.replace(/\r\n/g, '\n')
  if (!ANY.test(lines)) return lines
  return lines.replace(
    SPECIAL,
    (found: string, needed?: string, control?: string, tags?: string) =>
      needed ?? (control !== undefined ? picture(control) : tags !== undefined ? tagText(tags) : number(found)),
  )
}

export const StoreText = ({ text }: { readonly text: string }) => <bdi>{visibleText(text)}</bdi>
