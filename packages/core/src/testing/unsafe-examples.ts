/** Examples for the tests of every surface that displays foreign text. */
import type { UnsafeKind } from '../unsafe-characters.ts'

const tags = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')

/** Text that no surface may pass on as it is; each stands between harmless letters where it is tested. */
export const UNSAFE_EXAMPLES: readonly { readonly name: string; readonly kind: UnsafeKind; readonly text: string }[] = [
  { name: 'an escape', kind: 'control', text: '\u001b' },
  { name: 'NUL', kind: 'control', text: '\u0000' },
  { name: 'a carriage return', kind: 'control', text: '\r' },
  { name: 'DEL', kind: 'control', text: '\u007f' },
  { name: 'a C1 sequence introducer', kind: 'control', text: '\u009b' },
  { name: 'a C1 next line', kind: 'control', text: '\u0085' },
  { name: 'an override of direction', kind: 'bidi', text: '\u202e' },
  { name: 'an isolate', kind: 'bidi', text: '\u2066' },
  { name: 'a left-to-right mark', kind: 'bidi', text: '\u200e' },
  { name: 'a right-to-left mark', kind: 'bidi', text: '\u200f' },
  { name: 'an Arabic letter mark', kind: 'bidi', text: '\u061c' },
  { name: 'a line separator', kind: 'line-separator', text: '\u2028' },
  { name: 'a paragraph separator', kind: 'line-separator', text: '\u2029' },
  { name: 'a sentence of tag characters', kind: 'tag', text: tags('ignore all') },
  { name: 'a variation selector', kind: 'filler', text: '\ufe0f' },
  { name: 'a supplementary variation selector', kind: 'filler', text: '\u{e0100}' },
  { name: 'a Hangul filler', kind: 'filler', text: '\u3164' },
  { name: 'a combining grapheme joiner', kind: 'filler', text: '\u034f' },
  { name: 'a zero width space', kind: 'invisible', text: '\u200b' },
  { name: 'a zero width joiner', kind: 'invisible', text: '\u200d' },
  { name: 'a word joiner', kind: 'invisible', text: '\u2060' },
  { name: 'a soft hyphen', kind: 'invisible', text: '\u00ad' },
  { name: 'a byte order mark', kind: 'invisible', text: '\ufeff' },
  { name: 'an interlinear annotation', kind: 'invisible', text: '\ufff9' },
  { name: 'a musical control', kind: 'invisible', text: '\u{1d173}' },
  { name: 'a high surrogate alone', kind: 'lone-surrogate', text: '\ud83d' },
  { name: 'a low surrogate alone', kind: 'lone-surrogate', text: '\ude00' },
]

/** Text of one line that every surface leaves as it is, joiners and selectors that a script or an emoji needs included. */
export const HARMLESS_EXAMPLES: readonly string[] = [
  '👩\u200d💻 👨🏽\u200d🚀 ❤\ufe0f\u200d🔥 1\ufe0f⃣',
  'می\u200cخواهم',
  'क्\u200dष',
  '葛\u{e0100}',
  '\u0600123',
  'עברית',
  'plain text (with ünï 漢字) 🪨 ☺\ufe0f',
]
