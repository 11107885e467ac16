/** Classes of characters for the search: part of a word, a sign that is a term by itself, or a separator. */

export const SEPARATOR = 1
/** A letter, digit, mark or `_`. */
export const WORD = 2
/** Of a script without spaces between words, or an emoji: a term alone and as a pair with its neighbour. */
export const SIGN = 3

const IN_WORD = /[\p{L}\p{N}\p{M}_]/u
const BY_ITSELF =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const EMOJI = /\p{Extended_Pictographic}/u

/** By code unit; 0: not looked up yet, or half of a surrogate pair. See {@link characterClass}. */
const unitClasses = new Uint8Array(0x10000)
const pairClasses = new Map<number, number>()

/** The class of a code unit if it was looked up before; 0 when it was not, and `characterClass` has to tell. */
export const cachedClass = (unit: number): number => unitClasses[unit] as number

/** The class of the character at `index`: SEPARATOR, WORD or SIGN. Half of a surrogate pair alone is a separator. */
export const characterClass = (text: string, index: number): number => {
  const unit = text.charCodeAt(index)
  const found = unitClasses[unit] ?? 0
  if (found !== 0) return found
  if (unit < 0xd800 || unit > 0xdfff) return (unitClasses[unit] = classOf(String.fromCharCode(unit)))
  if (characterLength(text, index) === 1) return SEPARATOR
  // Not codePointAt: what V8 (of Node 24) compiles it to reads past the end of a text that is a slice of another.
  const code = 0x10000 + ((unit & 0x3ff) << 10) + (text.charCodeAt(index + 1) & 0x3ff)
  let pair = pairClasses.get(code)
  if (pair === undefined) {
    pair = classOf(String.fromCodePoint(code))
    if (pairClasses.size < 10_000) pairClasses.set(code, pair)
  }
  return pair
}

/** The class of a character; emoji and signs that stand by themselves are signs. */
const classOf = (character: string): number => {
  // The sound mark of katakana ("ー") belongs to no script of its own.
  if (BY_ITSELF.test(character) || character === 'ー') return SIGN
  if (IN_WORD.test(character)) return WORD
  return character > '\u00ff' && EMOJI.test(character) ? SIGN : SEPARATOR
}

/** Code units of the character at `index`: 2 for a surrogate pair, else 1. Half of a pair alone is 1. */
export const characterLength = (text: string, index: number): number => {
  const unit = text.charCodeAt(index)
  if (unit < 0xd800 || unit > 0xdbff || index + 1 >= text.length) return 1
  const next = text.charCodeAt(index + 1)
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1
}

const LIGATURES: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** The text in lower case, without Latin accents and compatibility forms: "Größe" and "ＧＲＯＳＳＥ" become "grosse". */
export const foldText = (text: string): string => {
  const lower = text.toLowerCase()
  if (!/[^\0-\x7f]/.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ßæœøłđðþı]/g, (letter) => LIGATURES[letter] ?? letter)
}
