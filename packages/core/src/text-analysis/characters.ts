/** What a character is to the search: part of a word, a sign that is a word by itself, or neither. */

export const SEPARATOR = 1
/** A letter, digit, mark or `_`. */
export const WORD = 2
/** Of a script that puts no spaces between words, or an emoji: found alone and together with its neighbour. */
export const SIGN = 3

const IN_WORD = /[\p{L}\p{N}\p{M}_]/u
const BY_ITSELF =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const EMOJI = /\p{Extended_Pictographic}/u

/** By code unit: 0 means not asked for yet, or half of a pair: see {@link characterClass}. */
const known = new Uint8Array(0x10000)
const knownPairs = new Map<number, number>()

/** Of a code unit: SEPARATOR, WORD or SIGN where that is known, else 0. */
export const knownClass = (unit: number): number => known[unit] as number

/** Of the character at `index`; halves of a pair that stand alone are separators. */
export const characterClass = (text: string, index: number): number => {
  const unit = text.charCodeAt(index)
  const found = known[unit] ?? 0
  if (found !== 0) return found
  if (unit < 0xd800 || unit > 0xdfff) return (known[unit] = classOf(String.fromCharCode(unit)))
  if (characterLength(text, index) === 1) return SEPARATOR
  // Not codePointAt: what V8 (of Node 24) compiles it to reads on behind the end of a text that was cut out of another.
  const code = 0x10000 + ((unit & 0x3ff) << 10) + (text.charCodeAt(index + 1) & 0x3ff)
  let pair = knownPairs.get(code)
  if (pair === undefined) {
    pair = classOf(String.fromCodePoint(code))
    if (knownPairs.size < 10_000) knownPairs.set(code, pair)
  }
  return pair
}

const classOf = (character: string): number => {
  // The sound mark of katakana ("ー") counts to no script of its own.
  if (BY_ITSELF.test(character) || character === 'ー') return SIGN
  if (IN_WORD.test(character)) return WORD
  return character > '\u00ff' && EMOJI.test(character) ? SIGN : SEPARATOR
}

/** Code units of the character at `index`: 2 for a pair. */
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

/** Lower case, compatible forms and Latin accents made one: "Größe", "ＧＲＯＳＳＥ" and "grosse" are the same word. */
export const folded = (text: string): string => {
  const lower = text.toLowerCase()
  if (!/[^\0-\x7f]/.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ßæœøłđðþı]/g, (letter) => LIGATURES[letter] ?? letter)
}
