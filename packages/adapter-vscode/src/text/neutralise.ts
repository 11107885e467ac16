/**
 * Makes foreign text harmless in the editor. Transcripts hold whatever a tool printed: control sequences, marks that turn
 * the direction of writing (a command then reads as another), line ends that the editor warns of. They are shown, not obeyed.
 */

/** Control characters, without tab and line feed. */
// eslint-disable-next-line no-control-regex -- what this is for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Marks of direction, and the separators that break a line for some programs only. */
const MISLEADING = /[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const REPLACEMENT = '\ufffd'

/** The picture that Unicode has for a control character: ␛ for ESC. */
const pictureOf = (control: string): string => {
  const code = control.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : REPLACEMENT
}

/** Text of several lines. */
export const neutralise = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(CONTROL, pictureOf).replace(MISLEADING, REPLACEMENT)

/** The same on one line: breaks and runs of spaces become one space. */
export const neutraliseLine = (text: string): string => neutralise(text.replace(/\s+/g, ' ')).trim()

/** At most so many characters; what was cut shows as `…`. */
export const shorten = (text: string, most: number): string => {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  // Not through the middle of a character that takes two places.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
