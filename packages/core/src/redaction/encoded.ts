/** Settings (`KEY=value` lines) that were wrapped in base64: what they hold is as secret as without it. */
import type { Run } from './long-runs.ts'
import { BASE64_OF_ASCII, START } from './secret-pattern.ts'

/** The kind in the placeholder of settings that were encoded as base64. */
export const ENCODED_KIND = 'encoded-settings'

/** Base64 of a text that begins with a name in capitals, in small letters, or with `# `. */
const BEGINS = '(?:[M-X][DEFTUVjklz01]|[YZa-e][DFGHTVWXjlmnz123]|Iy)[ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+]'
/** No `/`: such a run may begin behind one. */
const ASCII = BASE64_OF_ASCII.replace('+/', '+')
/** True of one random run in a million, so that almost nothing has to be decoded. */
const BEGINNING = `${BEGINS}(?:${ASCII}){4}`
/** Letters, digits and `+` that stand together where `ENCODED` matches. */
export const BEGINNING_LENGTH = 20
const LINE = '[A-Za-z0-9+/]'
const BREAK = String.raw`(?:(?:\\+r)?\\+n|\r?\n)`

/** In lines of one of the usual widths, or in one. */
export const ENCODED = new RegExp(
  `${START}(?=${BEGINNING})(?:(?:${LINE}{76}|${LINE}{64})${BREAK})*${LINE}{4,}={0,2}(?![A-Za-z0-9+/=])`,
  'g',
)

const AT_BEGINNING = new RegExp(BEGINNING, 'y')

/**
 * Whether `ENCODED` may match in a text: a quick look that is never wrong when it says no. `runs`: all of the text's
 * runs of at least `BEGINNING_LENGTH` letters, digits, `+` and `/`, in order. An escape's letter (`\n`) may stand
 * before what is found.
 */
export const mayHoldEncoded = (text: string, runs: readonly Run[]): boolean => {
  /** The next `/`, searched again only when it is passed, so that nothing is read twice. */
  let slash = -1
  for (const { start, end } of runs) {
    for (let from = start; end - from >= BEGINNING_LENGTH;) {
      if (slash < from) slash = text.indexOf('/', from)
      if (slash < 0) slash = text.length
      const next = Math.min(slash, end)
      if (next - from >= BEGINNING_LENGTH && (begins(text, from) || begins(text, from + 1))) return true
      from = next + 1
    }
  }
  return false
}
/** Whether something begins at a position that `ENCODED` may match. */
const begins = (text: string, at: number): boolean => {
  AT_BEGINNING.lastIndex = at
  return AT_BEGINNING.test(text)
}

const SETTING = /^(?:#.*|(?:export )?[A-Za-z_][A-Za-z0-9_]*=.*|\s*)$/

/**
 * The settings (lines such as `NAME=value`) that a text found by `ENCODED` holds; undefined where it holds anything
 * else.
 */
export const decodedSettings = (found: string): string | undefined => {
  const beginning = decoded(found.slice(0, BEGINNING_LENGTH))
  if (beginning === undefined || !/^(?:#|export |[A-Za-z_]\w*(?:=|$))/.test(beginning)) return undefined
  const text = decoded(found.replace(/\\+[rn]|\s/g, ''))
  return text?.split(/\r?\n/).every((line) => SETTING.test(line)) === true ? text : undefined
}

/** The text in base64; undefined for what is no base64 and for what is no plain text. */
const decoded = (base64: string): string | undefined => {
  try {
    const text = atob(base64)
    // eslint-disable-next-line no-control-regex -- control characters are what tells bytes from text
    return /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
