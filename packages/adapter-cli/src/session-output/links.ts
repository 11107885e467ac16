/** Which addresses an exported document may link to: what opens a page or a mail, and never runs anything. */

const SCHEMES = new Set(['http:', 'https:', 'mailto:'])
/** Letters that could hide what an address is: controls, spaces, marks that turn the direction of writing. */
const HIDING = /[\u0000-\u0020\u007f-\u00a0\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\\]/ // eslint-disable-line no-control-regex -- what this is for
const BEGINNING = /^(?:https?:\/\/|mailto:)[^\s]/i
const LONGEST = 2000

/** The address as a browser reads it, or undefined for one that must stay text. Nothing is decoded: `&#106;avascript:` is no link. */
export const safeAddress = (text: string): string | undefined => {
  if (text.length > LONGEST || !BEGINNING.test(text) || HIDING.test(text)) return undefined
  try {
    const { protocol, href, username, password } = new URL(text)
    // `https://good.example@evil.example` leads to the second.
    return SCHEMES.has(protocol) && username + password === '' ? href : undefined
  } catch {
    return undefined
  }
}
