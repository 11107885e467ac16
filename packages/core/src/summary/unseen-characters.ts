/**
 * Characters that nobody sees can carry text to a model past the person who reads along, or pull words apart that are
 * looked for. They are shown as what they are, `\u{200b}`; those that a script or an emoji needs stay.
 */

/** Format characters and what displays nothing by default; line and paragraph separators. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu
/** Signs of Arabic and others that count as format characters and are seen. */
const SEEN = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u

/** Scripts whose letters change with a joiner beside them. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]$/u
/** An emoji, with the marks that may follow it. */
const EMOJI_END = /\p{Extended_Pictographic}[\ufe0e\ufe0f]?\p{Emoji_Modifier}?$/u
const EMOJI_START = /^\p{Extended_Pictographic}/u
/** What the choice of a form (as text, as picture) may follow. */
const HAS_FORMS = /[\p{Emoji}\p{S}\p{P}]$/u
const HAN = /\p{Script=Han}$/u
const MONGOLIAN = /\p{Script=Mongolian}$/u

/** So much of the text before and after decides. */
const LOOKED_AT = 4

const isNeeded = (character: string, before: string, after: string): boolean => {
  const code = character.codePointAt(0) ?? 0
  if (code === 0x200c) return JOINING.test(before)
  if (code === 0x200d) return JOINING.test(before) || (EMOJI_END.test(before) && EMOJI_START.test(after))
  if (code === 0xfe0e || code === 0xfe0f) return HAS_FORMS.test(before)
  if ((code >= 0xfe00 && code <= 0xfe0d) || (code >= 0xe0100 && code <= 0xe01ef)) return HAN.test(before)
  if (code >= 0x180b && code <= 0x180f) return MONGOLIAN.test(before)
  return SEEN.test(character)
}

/** The text with unseen characters written `\u{…}`. What is shown once stays as it is. */
export const showUnseen = (text: string): string =>
  text.replace(UNSEEN, (character, position: number) => {
    const end = position + character.length
    return isNeeded(
      character,
      text.slice(Math.max(0, position - LOOKED_AT), position),
      text.slice(end, end + LOOKED_AT),
    )
      ? character
      : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
