/** Decides which addresses an exported document may link to: pages and mail, never anything that runs. */
import { hasUnsafe } from '@cairn/core'

const SCHEMES = new Set(['http:', 'https:', 'mailto:'])
/** Characters, besides unsafe ones, that could hide where an address leads. */
const HIDING = /[\s\\]/
const BEGINNING = /^(?:https?:\/\/|mailto:)[^\s]/i
const LONGEST = 2000

/**
 * Returns the address as a browser reads it; undefined if it must stay text, because it is no HTTP or mail address, is
 * too long or could mislead. Nothing is decoded: `&#106;avascript:` is no link.
 */
export const safeAddress = (text: string): string | undefined => {
  if (text.length > LONGEST || !BEGINNING.test(text) || HIDING.test(text) || hasUnsafe(text)) return undefined
  try {
    const { protocol, href, username, password } = new URL(text)
    // `https://good.example@evil.example` leads to the second.
    return SCHEMES.has(protocol) && username + password === '' ? href : undefined
  } catch {
    return undefined
  }
}
