/**
 * Secrets that only their name gives away: `password=…`, `"client_secret": "…"`, `--token …`. Their values have
 * no form of their own, so most of this is about what is none: code, placeholders, names of other things.
 */
import {
  AMPERSAND,
  eitherCase,
  type Hints,
  isExampleOfAws,
  type Position,
  QUOTE,
  type SecretPattern,
} from './secret-pattern.ts'

/** `userPass`, but not `compass` and not `bypass`. */
const PASS = '(?:(?<![A-Za-z])(?:pass|Pass|PASS)|(?<=[a-z0-9])Pass)'
const KEYS =
  'api access private auth account signing encryption master deploy subscription application preshared'.split(' ')
const LONG_NAME = [
  `${eitherCase('passw')}(?:${eitherCase('or')})?[DdTt]`,
  eitherCase('passphrase'),
  eitherCase('pwd'),
  eitherCase('token'),
  `${eitherCase('secret')}(?:[_-]?${eitherCase('key')}(?:_${eitherCase('base')})?)?`,
  `(?:${KEYS.map(eitherCase).join('|')})[_-]?${eitherCase('key')}`,
  // Only as settings write it: `mapKey` ends in it, too.
  'APP_KEY',
].join('|')
/** A name of a secret, or the end of one. */
export const NAME = `(?:${LONG_NAME}|${PASS})`

const NAMED_LAST = /(pass|pwd)|(token)|(secret)(?:[_-]?key)?|(api[_-]?key)|key/gi
/** In the order of the groups above; the last is that of any other key. */
export const ASSIGNED_KINDS = ['password', 'token', 'secret', 'api-key', 'secret-key'] as const
/**
 * The kind of secret that a name promises (`api_key =`, `"password":`, …): that of the last known word in the text
 * before the value; `secret-key` where there is none.
 * @param keep the text before the value, which stays when the value is replaced
 */
export const kindOf = (keep: string): (typeof ASSIGNED_KINDS)[number] => {
  let last: RegExpExecArray | null = null
  NAMED_LAST.lastIndex = 0
  for (let next = NAMED_LAST.exec(keep); next !== null; next = NAMED_LAST.exec(keep)) last = next
  const group =
    last === null ? 0 : last.findIndex((text, index) => index > 0 && (text as string | undefined) !== undefined)
  return (group > 0 ? ASSIGNED_KINDS[group - 1] : undefined) ?? 'secret-key'
}

/** No comparison. */
const ASSIGNS = '(?::=|=>|[:=])(?![=>:])'
/** What follows a value without quotes. */
const ENDS = /^(?:$|[\s"'`\\,;&}\])])/
/** What follows a value within quotes. */
const QUOTE_ENDS = /^\\*["'`]/
/** `&` belongs to a password, but not as what joins commands or the fields of a form. */
const AND = String.raw`${AMPERSAND}(?!&|amp;|[A-Za-z_][\w.-]*=|\s|$|["'\\])`
const PLAIN = String.raw`[^\s"'\x60\\<>(){}[\]$|,;&]`
/** As far as it goes: what it is, the whole value decides. */
const UNQUOTED = String.raw`(?:${PLAIN}|${AND}|(?<!=|:|\s)\$(?![{(])){8,}`
/** Backslashes with what they escape, whole, so that JSON stays valid; no line break. */
const ESCAPE = String.raw`\\+(?:u00[2-7][0-9a-fA-F]|(?![\\nrtbfu"'\x60])\S)`
/** A JSON text's own end may look like an opening quote: what follows it is none of these. */
const quoted = (quote: string, not: string): string =>
  String.raw`(?<=${quote})(?![,:}\]])(?:[^\s\\${not}]|${ESCAPE}){8,}`
const QUOTED = `(?:${quoted('"', '"')}|${quoted("'", `"'`)}|${quoted(String.raw`\x60`, String.raw`"'\x60`)})`
/** The name of a parameter in an address or a form: there, `&` ends the value. */
const PARAMETER = String.raw`(?:\?|${AMPERSAND})[\w.%-]{0,60}`

/** Words of which placeholders are made: `your-api-key-1`, `my_secret_here`. */
const FILLERS = new Set(
  (
    'test testing example sample dummy fake mock demo placeholder your my the a an new old some this user users admin app db database change ' +
    'changeme me password passwd pwd pass passphrase secret secrets token key keys api apikey access auth client private value string redacted hidden masked here insert ' +
    'enter replace todo secure strong super safe foo bar baz env var none null undefined true false not required optional'
  ).split(' '),
)
const isFiller = (word: string): boolean => FILLERS.has(word) || /^xxx+$/.test(word)
/**
 * Whether a text is a filled-in placeholder: `test-token-12`, `your_password`; and, as one word, `secret123` where
 * `single` allows it.
 */
const isFilled = (text: string, single: boolean): boolean => {
  const words = text.toLowerCase().split(/[-_.]/)
  const last = words.pop() ?? ''
  const digits = /\d{0,3}$/.exec(last)?.[0] ?? ''
  const stem = last.slice(0, last.length - digits.length)
  if (!words.every(isFiller)) return false
  return words.length === 0 ? single && isFiller(stem) : stem === '' ? words.length > 1 : isFiller(stem)
}
/** Values that are none, always as a whole: something to fill in, a variable, a path, a part of a program. */
const NO_VALUE = [
  /^(?:your|my|test|example|dummy|fake)(?:api|secret|access|client|auth)?(?:password|passwd|secret|token|key)$/i,
  /^(?:test|changeme|example|sample|dummy|fake|mock|placeholder|passw(?:or)?d)[-_]?\d{0,4}$/i,
  // Something left out: `sk-xxxx1234`, `abc1…`, `****7890`.
  /^(?:[A-Za-z]{0,5}[A-WYZa-wyz]|[A-Za-z]{1,6}(?=[-_]))?[-_]?[xX*•]{3}(?:[-_]?[xX*•])*[-_]?\w{0,4}$/,
  /(?:\.{3}|…)$/,
  // Filled in by a shell, a template or a vault.
  /^(?:[$%<{[]|\\u003c|env[:.(]|ENC\[|vault:|op:)/i,
  /^[\w.]+\(.*\)$/,
  /^[A-Za-z_$]+(?:\d{1,2}[A-Za-z_$]*)?(?:\??\.[A-Za-z_$]+(?:\d{1,2}[A-Za-z_$]*)?)+$/,
  /^(?:process\.env|import\.meta\.env|os\.environ)\b/,
  /^[A-Za-z]+(?:_(?:[A-Za-z]+\d{0,3}|\d{1,3}))+$/,
  // Paths.
  /^(?:[.~]{0,2}|[A-Za-z]:)\/[\w./@+-]*$/,
  /^[A-Za-z._@-]*(?:\d{1,3}[A-Za-z._@-]*)?(?:\/[A-Za-z._@-]*(?:\d{1,3}[A-Za-z._@-]*)?)+$/,
  /:\/\//,
  /^(.)\1*$/,
  // Sentences of scripts without spaces.
  /[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]/,
  // Numbers, dates, types, rules of validation.
  // Colours, numbers and addresses; a private key in hexadecimal has 64 digits.
  /^0x(?![0-9a-f]{64}$)[0-9a-f]+$/i,
  /^[\d.,]+[a-z%]{0,3}$/i,
  /^\d{4}-\d\d-\d\d(?:$|T)/,
  /^(?:u?int|float|utf|base|sha|md|oauth|ed|pbkdf|argon|bn)-?\d{1,4}[A-Za-z_]*$/i,
  /^[a-z_]+(?::[\w,]+)?(?:\|[a-z_]+(?::[\w,]+)?)+$/,
]
const PART = String.raw`(?:[A-Za-z]{2,}\d{0,2}|\d{1,6}|\d{1,3}[a-z]{1,2}|[a-z]\d?)`
/** What tokens are not, while passwords may be made of words: `space.100`, `test-token-12`, `v2-beta`, `secret123`. */
const IN_PARTS = new RegExp(`^-*${PART}(?:[-.:/]${PART})+$`)
/** `sha256Digest`, `token2`: a variable or a type, where code is what gives it. */
const IDENTIFIER = /^[A-Za-z_$]+(?:\d{1,3}[A-Za-z_$]*|\d{1,5}[A-Z][a-z][A-Za-z_$]*\d{0,2})$/

/**
 * Whether a text longer than any name, path or placeholder is random all over, such as a session token of AWS: it has
 * only the signs of tokens, one digit in 32 characters or more, a letter, and 12 different characters. False above
 * 16,384 characters.
 */
const isLongToken = (text: string): boolean => {
  if (text.length > LONGEST || !/^[A-Za-z0-9+/=_.~%:|-]+$/.test(text) || text.includes('://')) return false
  const digits = text.match(/[0-9]/g)?.length ?? 0
  return digits * 32 >= text.length && /[A-Za-z]/.test(text) && new Set(text).size >= 12
}
/** Beyond it stands data, not a password of any kind. */
const LONGEST = 16_384
const LONGEST_WORD = 128

/**
 * Whether a value may be a password: a letter, and a digit or, before more of it, a sign that names do not have, as
 * words alone are titles, types and labels. False for placeholders, variables, paths and code; above 128 characters
 * only a long token is one.
 */
const isPassword = (text: string): boolean =>
  text.length > LONGEST_WORD
    ? isLongToken(text)
    : /[A-Za-z]/.test(text) &&
      /[0-9]|[!@#%^&*+?~][A-Za-z]/.test(text) &&
      !isFilled(text, false) &&
      !isExampleOfAws(text) &&
      !NO_VALUE.some((form) => form.test(text))
/**
 * Whether what is assigned to such a name is a secret, and no placeholder, word or piece of code. Of a password
 * anything else counts; other kinds must hold a digit.
 */
export const isAssigned = (text: string, { keep }: Position): boolean =>
  isPassword(text) &&
  (kindOf(keep) === 'password' || (/[0-9]/.test(text) && !isFilled(text, true) && !IN_PARTS.test(text)))
/** Whether a pattern fits what follows a position. */
const follows = ({ text, end }: Position, what: RegExp): boolean => what.test(text.slice(end, end + 40))
/** {@link isAssigned} for a value without quotes around it, which must also be followed by what ends a value. */
export const isAssignedBare = (text: string, position: Position): boolean =>
  follows(position, ENDS) && isAssigned(text, position)
/** Code has spaces: `token = value`, `token: Value`. */
const isAssignedInCode = (text: string, position: Position): boolean =>
  isAssignedBare(text, position) &&
  !(/\s$/.test(position.keep) && kindOf(position.keep) !== 'password' && IDENTIFIER.test(text))
const isAssignedQuoted = (text: string, position: Position): boolean =>
  follows(position, QUOTE_ENDS) && isAssigned(text, position)

/** A name as an argument of a command has it. */
const ARGUMENT = String.raw`(?<=^|[^\w-]|\\[nrt])--?(?:[A-Za-z]+-){0,4}`

/** Tried behind all secrets that have a form of their own. */
export const ASSIGNED_PATTERNS: readonly SecretPattern[] = [
  {
    kind: kindOf,
    isSecret: isAssigned,
    expression: new RegExp(String.raw`(?<keep>${PARAMETER}${NAME}=)${PLAIN}{8,}`, 'g'),
  },
  // Test reports say `PASS: …`; `smtp_pass: …` is none of theirs.
  {
    kind: kindOf,
    isSecret: isAssignedInCode,
    expression: new RegExp(
      String.raw`(?<keep>(?:(?:${LONG_NAME})(?<!${PARAMETER})\s*${ASSIGNS}|${PASS}(?<!${PARAMETER})(?:=|(?<=[A-Za-z0-9]_(?:pass|Pass|PASS)):))[ \t]*)${UNQUOTED}`,
      'g',
    ),
  },
  {
    kind: kindOf,
    isSecret: isAssignedQuoted,
    expression: new RegExp(String.raw`(?<keep>${NAME}${QUOTE}\s*${ASSIGNS}\s*\\*["'\x60])${QUOTED}`, 'g'),
  },
  // In a line or in a list.
  {
    kind: kindOf,
    isSecret: isAssignedBare,
    expression: new RegExp(
      String.raw`(?<keep>${ARGUMENT}${NAME}(?:[ \t]+${QUOTE}|\\*["'],\s*\\*["']))${UNQUOTED}`,
      'g',
    ),
  },
]

/** Soon a digit or a sign: what values have that are no words. */
const soonSigned = (not: string): string => String.raw`(?=[^${not}0-9!@#%^&*+?~]{0,100}[0-9!@#%^&*+?~])`
const VALUE = String.raw`${soonSigned(String.raw`\s"`)}[^\s"]{8}`
/** What is no value without quotes: `Option<…`, `call(…`, and `Uint8Array`, of which code has many. */
const NO_BARE = String.raw`\s"'\x60<>(){}[\]|,;`
const SIZED_TYPE = String.raw`(?:[Uu]?[Ii]nt|[Ff]loat)\d{1,3}[A-Za-z]*(?:$|[\s"'\x60,;}\])]|\\[nrt])`
const BARE_VALUE = String.raw`${soonSigned(NO_BARE)}(?!${SIZED_TYPE})(?:[^${NO_BARE}]{100}|[^${NO_BARE}]{8,99}(?=$|[\s"'\x60\\,;&}\])]))`
/** One of them is true for every text that any of these patterns matches. What is rare is looked for first, then names. */
export const ASSIGNED_HINTS: Hints = {
  signs: [
    [
      ':=',
      String.raw`(?<=${NAME}\\*["']?\s*:?[:=])(?:(?:[>=]|(?![>:]))(?:\s*\\*["'\x60]${VALUE}|[ \t]*${BARE_VALUE})|(?<=${PARAMETER}[\w-]{1,40}=)${VALUE})`,
    ],
    [
      '-',
      String.raw`(?<=(?:^|[^\w-]|\\[nrt])--?)(?:[A-Za-z]+-){0,4}${NAME}(?:[ \t]+\\*["']?|\\*["'],\s*\\*["'])${VALUE}`,
    ],
  ],
}
