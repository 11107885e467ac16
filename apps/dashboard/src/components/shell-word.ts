/** A text as one word of a POSIX shell's command line. */

/** What no shell takes for anything else. */
const PLAIN = /^[\w@%+=:,./-]+$/

/**
 * Returns a text as one word for a POSIX shell: unchanged if that is safe, otherwise in single quotes. Unsafe
 * characters stay: show the result with `visibleText`.
 */
export const shellWord = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
