/** Where something was found: positions are those of the secret alone, without what is kept. */
export interface Position {
  readonly text: string
  readonly start: number
  readonly end: number
  /** What stands before the secret and stays. */
  readonly keep: string
}

/** A pattern that finds one kind of secret. */
export interface SecretPattern {
  /** Names the placeholder: `[redacted:<kind>]`; by what stands before the secret, where that says what it is. */
  readonly kind: string | ((keep: string) => string)
  /**
   * Global. Group `keep`, where there is one, is text before the secret that stays. It must take a time that
   * grows with the text alone: nothing that may fail follows a repetition without a limit, unless what is
   * repeated can't begin another match.
   */
  readonly expression: RegExp
  /** Of what was found, behind `keep`: whether it is a secret. Absent: it always is. */
  readonly isSecret?: (found: string, position: Position) => boolean
  /** Where only parts of what was found are secret, and all the rest stays: what to look for in it. */
  readonly parts?: Omit<SecretPattern, 'kind' | 'parts'>
}

/**
 * What every text has that some patterns match. Most texts have none of it, and finding that out is nearly all of the time
 * that redaction takes: a sign is searched, and only there is it checked what is before and behind.
 */
export interface Hints {
  /** One or more of {@link SIGNS}, and what is true behind it: an expression that may look back beyond the sign. */
  readonly signs?: readonly (readonly [signs: string, behind: string])[]
  /** Expressions for words without any of these signs. */
  readonly words?: readonly string[]
  /** Expressions for what ends with a long run of letters and digits, see `long-runs.ts`: only there is it looked for. */
  readonly runs?: readonly string[]
}

/**
 * What hints begin with: signs that most secrets have, and letters that are rare, the rarest last. V8 skips all other
 * characters at once where there are at most sixteen of these.
 */
const SIGNS: readonly string[] = Array.from('_.-:=/%~>$AKQZzV')

/** A text as part of a regular expression that matches just this text; for use outside of a class. */
export const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

/**
 * A hint for what begins with the literal text `start` and goes on as the expression `rest`: the rarest of the signs in
 * `start`, to be searched for first, and the expression that must match directly behind it, which looks back at `start` up to
 * and with the sign. Undefined where `start` has none of the signs.
 */
export const behindRarest = (start: string, rest: string): readonly [sign: string, behind: string] | undefined => {
  const sign = SIGNS.findLast((each) => start.includes(each))
  if (sign === undefined) return undefined
  const end = start.indexOf(sign) + 1
  return [sign, `(?<=${literal(start.slice(0, end))})${literal(start.slice(end))}${rest}`]
}

/** Base64 of three characters of ASCII. */
export const BASE64_OF_ASCII = '[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/]'

/** Before a key: nothing that could make it the middle of a word; an escape's letter is no word. */
export const START = String.raw`(?<=^|[^A-Za-z0-9_]|\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9A-F]{2})`
/** After a key: nothing that could be more of it. */
export const END = '(?![A-Za-z0-9_])'

/** A quote as it stands in text, in JSON, or in JSON within JSON. */
export const QUOTE = String.raw`(?:\\*["'])?`
/** `&`, also as JSON writes it where it is careful about HTML, and as HTML does. */
export const AMPERSAND = String.raw`(?:&amp;|&|\\+u0026)`

/**
 * An expression's small letters as classes of both cases; used instead of the flag `i`, so that the rest of a pattern
 * may tell cases apart.
 */
export const eitherCase = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)

/**
 * Whether a text is what files and programs show where a password would be: `your-password`, `xxxx`, `token`, `…`. In
 * any letter case.
 */
export const isPlaceholder = (text: string): boolean =>
  /^(?:your-?|my-?)?(?:pass|password|passwd|pwd|token|secret|api[-_]?key|x+|\.+|…)$/i.test(text)
/**
 * Whether a text is an id or a secret key from the documentation of AWS, where all end in `EXAMPLE` or `EXAMPLEKEY`:
 * published, and copied everywhere.
 */
export const isExampleOfAws = (text: string): boolean =>
  /^(?:A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{9}EXAMPLE|[A-Za-z0-9/+]{30}EXAMPLEKEY)$/.test(text)

const count = (text: string, of: RegExp): number => text.match(of)?.length ?? 0
/**
 * Whether a text has so many different characters that it is no word, path or hash: at least 20, and 8 capitals, 5
 * small letters and a digit in all.
 */
export const looksRandom = (text: string): boolean =>
  count(text, /[A-Z]/g) >= 8 && count(text, /[a-z]/g) >= 5 && /\d/.test(text) && new Set(text).size >= 20
