/**
 * Secrets that only their name gives away: `password=…`, `"client_secret": "…"`, `--token …`. Their values have
 * no form of their own, so most of this is about what is none: code, placeholders, names of other things.
 */
import type { SecretPattern } from './secret-pattern.ts'

/** Letters of a name in either case; without the flag, so that the rest of a pattern may tell cases apart. */
export const eitherCase = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)

/** `userPass`, but not `compass` and not `bypass`. */
const PASS = '(?:(?<![A-Za-z])(?:pass|Pass|PASS)|(?<=[a-z0-9])Pass)'
const LONG_NAME = [
  `${eitherCase('passw')}(?:${eitherCase('or')})?[DdTt]`,
  eitherCase('passphrase'),
  eitherCase('pwd'),
  eitherCase('token'),
  `${eitherCase('secret')}(?:[_-]?${eitherCase('key')})?`,
  `${eitherCase('api')}[_-]?${eitherCase('key')}`,
].join('|')
const NAME = `(?:${LONG_NAME}|${PASS})`

const NAMED_LAST = /(pass|pwd)|(token)|(secret)|(api[_-]?key)/gi
/** The kind of what is assigned: the last name before it. */
const kindOf = (keep: string): string => {
  const [, password, token, secret] = [...keep.matchAll(NAMED_LAST)].at(-1) ?? []
  return password !== undefined
    ? 'password'
    : token !== undefined
      ? 'token'
      : secret !== undefined
        ? 'secret'
        : 'api-key'
}

/** A quote as it stands in text, in JSON, or in JSON within JSON. */
const QUOTE = String.raw`(?:\\*["'])?`
/** No comparison. */
const ASSIGNS = '(?::=|=>|[:=])(?![=>:])'
const ENDS = String.raw`(?![^\s"'\x60\\,;&}\])])`
/** JSON writes `&` like this where it is careful about HTML. */
const ESCAPED_AND = String.raw`\\+u0026`
/** `&` belongs to a password, but not as what joins commands or the fields of a form. */
const AND = String.raw`(?:&|${ESCAPED_AND})(?!&|amp;|[A-Za-z_][\w.-]*=|\s|$|["'\\])`
const PLAIN = String.raw`[^\s"'\x60\\<>(){}[\]$|,;&]`
const UNQUOTED = String.raw`(?:${PLAIN}|${AND}|(?<!=|:|\s)\$(?![{(])){8,128}${ENDS}`
/** Backslashes with what they escape, whole, so that JSON stays valid; no line break. */
const ESCAPE = String.raw`\\+(?:u00[2-7][0-9a-fA-F]|(?![\\nrtbfu"'\x60])\S)`
/** A JSON text's own end may look like an opening quote: what follows it is none of these. */
const quoted = (quote: string, not: string): string =>
  String.raw`(?<=${quote})(?![,:}\]])(?:[^\s\\${not}]|${ESCAPE}){8,128}(?=\\*${quote})`
const QUOTED = `(?:${quoted('"', '"')}|${quoted("'", `"'`)}|${quoted(String.raw`\x60`, String.raw`"'\x60`)})`
/** The name of a parameter in an address or a form: there, `&` ends the value. */
const PARAMETER = String.raw`(?:[?&]|${ESCAPED_AND})[\w.%-]{0,60}`

/** Words of which placeholders are made: `your-api-key-1`, `my_secret_here`. */
const FILLER =
  'test|testing|example|sample|dummy|fake|mock|demo|placeholder|your|my|the|a|an|new|old|some|this|user|users|admin|app|db|database|change|changeme|me|password|passwd|pwd|pass|passphrase|secret|secrets|token|key|keys|api|apikey|access|auth|client|private|value|string|redacted|hidden|masked|here|insert|enter|replace|todo|secure|strong|super|safe|foo|bar|baz|env|var|none|null|undefined|true|false|not|required|optional|xxx+'
/** Values that are none, always as a whole: something to fill in, a variable, a path, a part of a program. */
const NO_VALUE = [
  new RegExp(String.raw`^(?:${FILLER})(?:[-_.](?:${FILLER}))+[-_.]?\d{0,3}$`, 'i'),
  /^(?:your|my|test|example|dummy|fake)(?:api|secret|access|client|auth)?(?:password|passwd|secret|token|key)$/i,
  /^(?:test|changeme|example|sample|dummy|fake|mock|placeholder|passw(?:or)?d)[-_]?\d{0,4}$/i,
  // Something left out: `sk-xxxx1234`, `abc1…`, `****7890`.
  /^[A-Za-z]{0,6}[-_]?(?:[xX*•]{3,}[-_]?)+\w{0,4}$/,
  /(?:\.{3}|…)$/,
  // Filled in by a shell, a template or a vault.
  /^(?:[$%<{[]|\\u003c|env[:.(]|ENC\[|vault:|op:)/i,
  /^[\w.]+\(.*\)$/,
  /^[A-Za-z_$]+\d{0,2}[A-Za-z_$]*(?:\??\.[A-Za-z_$]+\d{0,2}[A-Za-z_$]*)+$/,
  /^(?:process\.env|import\.meta\.env|os\.environ)\b/,
  /^[A-Za-z]+(?:_(?:[A-Za-z]+\d{0,3}|\d{1,3}))+$/,
  // Paths.
  /^(?:[.~]{0,2}|[A-Za-z]:)\/[\w./@+-]*$/,
  /^[A-Za-z._@-]*\d{0,3}[A-Za-z._@-]*(?:\/[A-Za-z._@-]*\d{0,3}[A-Za-z._@-]*)+$/,
  /:\/\//,
  /^(.)\1*$/,
  // Sentences of scripts without spaces.
  /[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]/,
  // Numbers, dates, types, rules of validation.
  /^0x[0-9a-f]+$/i,
  /^[\d.,]+[a-z%]{0,3}$/i,
  /^\d{4}-\d\d-\d\d(?:$|T)/,
  /^(?:u?int|float|utf|base|sha|md|oauth|ed|pbkdf|argon|bn)-?\d{1,4}[A-Za-z_]*$/i,
  /^[a-z_]+(?::[\w,]+)?(?:\|[a-z_]+(?::[\w,]+)?)+$/,
]
const PART = String.raw`(?:[A-Za-z]{2,}\d{0,2}|\d{1,6}|\d{1,3}[a-z]{1,2}|[a-z]\d?)`
/** What tokens are not, while passwords may be made of words: `space.100`, `test-token-12`, `v2-beta`, `secret123`. */
const NO_TOKEN = [new RegExp(`^-*${PART}(?:[-.:/]${PART})+$`), new RegExp(String.raw`^(?:${FILLER})\d{0,3}$`, 'i')]
/** `sha256Digest`, `token2`: a variable or a type, where code is what gives it. */
const IDENTIFIER = /^[A-Za-z_$]+\d{1,3}[A-Za-z_$]*$/

/** A letter, and a digit or, before more of it, a sign that names do not have: words alone are titles, types and labels. */
const isPassword = (text: string): boolean =>
  /[A-Za-z]/.test(text) && /[0-9]|[!@#%^&*+?~][A-Za-z]/.test(text) && !NO_VALUE.some((form) => form.test(text))
const isAssigned = (text: string, keep: string): boolean =>
  isPassword(text) && (kindOf(keep) === 'password' || (/[0-9]/.test(text) && !NO_TOKEN.some((form) => form.test(text))))
/** Code has spaces: `token = value`, `token: Value`. */
const isAssignedBare = (text: string, keep: string): boolean =>
  isAssigned(text, keep) && !(/\s$/.test(keep) && kindOf(keep) !== 'password' && IDENTIFIER.test(text))

/** A name as an argument of a command has it. */
const ARGUMENT = String.raw`(?<=^|[^\w-]|\\[nrt])--?(?:[A-Za-z]+-){0,4}`

/** Tried behind all secrets that have a form of their own. */
export const ASSIGNED_PATTERNS: readonly SecretPattern[] = [
  {
    name: kindOf,
    isSecret: isAssigned,
    expression: new RegExp(String.raw`(?<keep>${PARAMETER}${NAME}=)${PLAIN}{8,1024}`, 'g'),
  },
  // Test reports say `PASS: …`.
  {
    name: kindOf,
    isSecret: isAssignedBare,
    expression: new RegExp(
      String.raw`(?<keep>(?:(?:${LONG_NAME})(?<!${PARAMETER})\s*${ASSIGNS}|${PASS}(?<!${PARAMETER})=)[ \t]*)${UNQUOTED}`,
      'g',
    ),
  },
  {
    name: kindOf,
    isSecret: isAssigned,
    expression: new RegExp(String.raw`(?<keep>${NAME}${QUOTE}\s*${ASSIGNS}\s*\\*["'\x60])${QUOTED}`, 'g'),
  },
  // In a line or in a list.
  {
    name: kindOf,
    isSecret: isAssigned,
    expression: new RegExp(
      String.raw`(?<keep>${ARGUMENT}${NAME}(?:[ \t]+${QUOTE}|\\*["'],\s*\\*["']))${UNQUOTED}`,
      'g',
    ),
  },
]

const NAMED_VALUE = String.raw`\\*["']?\s*(?::=|=>|[:=])\s*\\*["'\x60]?(?=[^\s"]{0,1000}[0-9!@#%^&*+?~])[^\s"]{8}`
const ARGUMENT_VALUE = String.raw`(?<=(?:^|[^\w-]|\\[nrt])--?[A-Za-z-]{0,60})(?:[ \t]+\\*["']?|\\*["'],\s*\\*["'])(?=[^\s"]{0,1000}[0-9!@#%^&*+?~])[^\s"]{8}`
/** For the look at a whole text: what stands behind a name where any of these patterns matches. */
export const ASSIGNED_HINT = `(?:${NAMED_VALUE}|${ARGUMENT_VALUE})`
