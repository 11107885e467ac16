/**
 * The characters of foreign text that act on whoever displays it, or that nobody sees: one classification for every
 * surface. A surface (terminal, HTML, editor, web page, prompt, shell command, shared file) only chooses how it shows a
 * kind. Tabs and line feeds are no such characters; a surface of one line deals with them itself.
 */

export type UnsafeKind =
  /** C0 except tab and line feed, DEL, C1: terminals obey them. */
  | 'control'
  /** Turns the direction of writing: one text reads as another. */
  | 'bidi'
  /** Ends a line for some programs only: U+2028 and U+2029. */
  | 'line-separator'
  /** The invisible copy of ASCII at U+E0000: whole sentences can hide in it. */
  | 'tag'
  /** Variation selectors and fillers where no script or emoji needs them. */
  | 'filler'
  /** Half of a surrogate pair, which no encoding can write. */
  | 'lone-surrogate'
  /** Anything else that displays nothing: zero-width characters, soft hyphens, byte order marks. */
  | 'invisible'

/** Tags come as a run, so that a surface can show the hidden sentence; everything else comes one character at a time. */
const CANDIDATES =
  // eslint-disable-next-line no-control-regex -- control characters are what is searched
  /[\u{e0000}-\u{e007f}]+|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cs}]/gu

/** Neither printable ASCII nor tab or line feed. */
const BEYOND_ASCII = /[^\t\n\x20-\x7e]/

/** First and last of every run of UTF-16 units that a candidate can have; all surrogates. */
const CANDIDATE_UNITS: readonly (readonly [first: number, last: number])[] = [
  [0x0, 0x8],
  [0xb, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x600, 0x605],
  [0x61c, 0x61c],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x890, 0x891],
  [0x8e2, 0x8e2],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
]
/** By UTF-16 unit, 1 for those of {@link CANDIDATE_UNITS}. */
const isCandidateUnit = new Uint8Array(0x1_0000)
for (const [first, last] of CANDIDATE_UNITS) isCandidateUnit.fill(1, first, last + 1)

/**
 * Whether the text may have a candidate. Most have none, and in a text with any character beyond Latin-1 this takes a
 * sixth of the time that the expression takes.
 */
const mayHaveCandidates = (text: string): boolean => {
  const start = text.search(BEYOND_ASCII)
  if (start === -1) return false
  for (let index = start; index < text.length; index += 1)
    if (isCandidateUnit[text.charCodeAt(index)] === 1) return true
  return false
}

/** Number signs of Arabic and others that Unicode counts as format characters, although they are visible. */
const VISIBLE_FORMAT = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u

/** Letters and vowel signs whose shape changes with a joiner beside them. */
const JOINING =
  /(?!\p{Default_Ignorable_Code_Point})(?=[\p{L}\p{M}])[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]$/u
/** An emoji, with the marks that may follow it. */
const EMOJI_END = /\p{Extended_Pictographic}[\ufe0e\ufe0f]?\p{Emoji_Modifier}?$/u
const EMOJI_START = /^\p{Extended_Pictographic}/u
/** What the choice of a form (as text, as picture) may follow. */
const HAS_FORMS = /[\p{Emoji}\p{Extended_Pictographic}\p{S}\p{P}]$/u
const HAN = /\p{Script=Han}$/u
const MONGOLIAN = /(?=\p{L})\p{Script=Mongolian}$/u

/** UTF-16 units before and after a character that decide whether it is needed. */
const CONTEXT_LENGTH = 4

const isBetween = (code: number, first: number, last: number): boolean => code >= first && code <= last

/** Whether a character changes the direction of text. */
const isBidi = (code: number): boolean =>
  code === 0x61c ||
  isBetween(code, 0x200e, 0x200f) ||
  isBetween(code, 0x202a, 0x202e) ||
  isBetween(code, 0x2066, 0x2069)

const FILLERS = new Set([0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0])
/** Whether a character takes no space or selects a variant of another. */
const isFiller = (code: number): boolean =>
  FILLERS.has(code) ||
  isBetween(code, 0x180b, 0x180f) ||
  isBetween(code, 0xfe00, 0xfe0f) ||
  isBetween(code, 0xe0100, 0xe01ef)

/** The kind of a character that is known to be a candidate. */
const kindOfCandidate = (code: number): UnsafeKind => {
  if (code < 0xa0) return 'control'
  if (code === 0x2028 || code === 0x2029) return 'line-separator'
  if (isBetween(code, 0xd800, 0xdfff)) return 'lone-surrogate'
  if (isBetween(code, 0xe0000, 0xe007f)) return 'tag'
  if (isBidi(code)) return 'bidi'
  return isFiller(code) ? 'filler' : 'invisible'
}

/** Whether a script or an emoji needs the character where it is. */
const isNeeded = (character: string, code: number, before: string, after: string): boolean => {
  if (code === 0x200c) return JOINING.test(before)
  if (code === 0x200d) return JOINING.test(before) || (EMOJI_END.test(before) && EMOJI_START.test(after))
  if (code === 0xfe0e || code === 0xfe0f) return HAS_FORMS.test(before)
  if (isBetween(code, 0xfe00, 0xfe0d) || isBetween(code, 0xe0100, 0xe01ef)) return HAN.test(before)
  if (isBetween(code, 0x180b, 0x180f)) return MONGOLIAN.test(before)
  return VISIBLE_FORMAT.test(character)
}

/**
 * The text with every unsafe character replaced by what `show` returns for it. `found` is one character, or a run of
 * them for kind `tag`. Joiners and variation selectors that a script or an emoji needs stay.
 */
export const replaceUnsafe = (text: string, show: (found: string, kind: UnsafeKind) => string): string => {
  if (!mayHaveCandidates(text)) return text
  return text.replace(CANDIDATES, (found, offset: number) => {
    const code = found.codePointAt(0) ?? 0
    const kind = kindOfCandidate(code)
    if (kind === 'invisible' || kind === 'filler') {
      const end = offset + found.length
      const before = text.slice(Math.max(0, offset - CONTEXT_LENGTH), offset)
      if (isNeeded(found, code, before, text.slice(end, end + CONTEXT_LENGTH))) return found
    }
    return show(found, kind)
  })
}

/** Whether the text holds an unsafe character; joiners and variation selectors that are needed are none. */
export const hasUnsafe = (text: string): boolean => {
  let isFound = false
  replaceUnsafe(text, (found) => {
    isFound = true
    return found
  })
  return isFound
}

const REPLACEMENT = '\ufffd'

/**
 * The picture that Unicode has for a control character (␛ for ESC, ␡ for DEL), by the first of the text; `�` for C1 and
 * all else.
 */
export const controlPicture = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : REPLACEMENT
}

/**
 * Every character of the text as `write` puts its code point, which it is given in hexadecimal digits (small letters,
 * no zeros before).
 */
export const asCodePoints = (text: string, write: (hexadecimal: string) => string): string =>
  Array.from(text, (character) => write((character.codePointAt(0) ?? 0).toString(16))).join('')
