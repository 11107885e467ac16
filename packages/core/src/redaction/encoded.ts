/** Settings (`KEY=value` lines) that were wrapped in base64: what they hold is as secret as without it. */
import { START } from './secret-pattern.ts'

/** The kind in the placeholder of settings that were encoded as base64. */
export const ENCODED_KIND = 'encoded-settings'

/** Base64 of a text that begins with a name in capitals, in small letters, or with `# `. */
const BEGINS = '(?:[M-X][DEFTUVjklz01]|[YZa-e][DFGHTVWXjlmnz123]|Iy)[ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+]'
/** Base64 of three characters of ASCII. */
const ASCII = '[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+]'
/** True of one random run in a million, so that almost nothing has to be decoded. */
const BEGINNING = `${BEGINS}(?:${ASCII}){4}`
const BEGINNING_LENGTH = 20
const LINE = '[A-Za-z0-9+/]'
const BREAK = String.raw`(?:(?:\\+r)?\\+n|\r?\n)`

/** In lines of one of the usual widths, or in one. */
export const ENCODED = new RegExp(
  `${START}(?=${BEGINNING})(?:(?:${LINE}{76}|${LINE}{64})${BREAK})*${LINE}{4,}={0,2}(?![A-Za-z0-9+/=])`,
  'g',
)

const AT_BEGINNING = new RegExp(BEGINNING, 'y')
const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 43

/**
 * Whether `ENCODED` may match. Only every twentieth character is looked at, because a run of twenty holds one of
 * them: a fifth of the time that an expression takes. An escape's letter (`\n`) may stand before the run.
 */
export const mayHoldEncoded = (text: string): boolean => {
  let at = BEGINNING_LENGTH - 1
  while (at < text.length) {
    let end = at
    if (isLetter(text.charCodeAt(at))) {
      let start = at
      while (isLetter(text.charCodeAt(start - 1))) start--
      while (isLetter(text.charCodeAt(end + 1))) end++
      if (end - start + 1 >= BEGINNING_LENGTH && (begins(text, start) || begins(text, start + 1))) return true
    }
    at = end + BEGINNING_LENGTH
  }
  return false
}
const begins = (text: string, at: number): boolean => {
  AT_BEGINNING.lastIndex = at
  return AT_BEGINNING.test(text)
}

const SETTING = /^(?:#.*|(?:export )?[A-Za-z_][A-Za-z0-9_]*=.*|\s*)$/

/** The settings that a text found by `ENCODED` holds; undefined where it holds anything else. */
export const decodedSettings = (found: string): string | undefined => {
  const beginning = decoded(found.slice(0, BEGINNING_LENGTH))
  if (beginning === undefined || !/^(?:#|export |[A-Za-z_]\w*(?:=|$))/.test(beginning)) return undefined
  const text = decoded(found.replace(/\\+[rn]|\s/g, ''))
  return text?.split(/\r?\n/).every((line) => SETTING.test(line)) === true ? text : undefined
}

/** Undefined for what is no base64 and for what is no plain text. */
const decoded = (base64: string): string | undefined => {
  try {
    const text = atob(base64)
    // eslint-disable-next-line no-control-regex -- control characters are what tells bytes from text
    return /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
