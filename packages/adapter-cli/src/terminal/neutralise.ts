/**
 * Makes text from transcripts harmless on a terminal: an agent's tool may have printed sequences that
 * clear the screen, set its title or write to the clipboard. They are shown, not obeyed.
 */

/** C0 (without tab and line feed), DEL and C1. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g // eslint-disable-line no-control-regex -- what this is for
/** Marks that turn the direction of writing: they can make a command look like another. */
const BIDIRECTIONAL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** The picture of a control character: ESC is ␛. */
const picture = (control: string): string => {
  const code = control.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

/** Text of several lines; a carriage return before a line feed goes. */
export const neutralise = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(CONTROL, picture).replace(BIDIRECTIONAL, '\ufffd')

/** The same as one line: breaks and runs of spaces become one space. */
export const neutraliseLine = (text: string): string => neutralise(text.replace(/\s+/g, ' ')).trim()
