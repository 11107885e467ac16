/** Text as HTML: nothing of it is markup, nothing hides. */

/** Markup, C0 (without tab and line feed), DEL, C1, marks that turn the direction of writing, and Unicode's own line ends. */
const SPECIAL = /[&<>"'\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g // eslint-disable-line no-control-regex -- what this is for

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\u2028': '\n',
  '\u2029': '\n',
}

/** ESC is ␛; a mark that turns the direction of writing is its number. */
const shown = (letter: string): string => {
  const code = letter.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return code < 0xa0 ? '\ufffd' : `[U+${code.toString(16).toUpperCase()}]`
}

const linesOf = (text: string): string =>
  text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text

/** Content of an element. What is not to be seen is made visible, and marked as that. */
export const escapeText = (text: string): string =>
  linesOf(text.toWellFormed()).replace(
    SPECIAL,
    (letter) => ENTITIES[letter] ?? `<span class="ctl">${shown(letter)}</span>`,
  )

/** Value of an attribute in double quotes. */
export const escapeAttribute = (text: string): string =>
  linesOf(text.toWellFormed()).replace(SPECIAL, (letter) => ENTITIES[letter] ?? shown(letter))
