/**
 * Paths as on disk: bytes that need not be UTF-8. A byte path is a string with one character per byte, relative to the
 * root, with `/` between names. It compares and sorts as in git, and is lossless.
 */
export type BytePath = string

/** Converts a text to the bytes of its UTF-8 encoding, one character each. */
export const bytePathOf = (text: string): BytePath => {
  const bytes = new TextEncoder().encode(text)
  let path = ''
  for (const byte of bytes) path += String.fromCharCode(byte)
  return path
}

/** Converts a byte path for display; invalid UTF-8 becomes U+FFFD. */
export const textOfBytePath = (path: BytePath): string =>
  new TextDecoder().decode(Uint8Array.from(path, (character) => character.charCodeAt(0)))

/** The folder of a path, with `/` as separator and none at the end; empty for a path directly in the root. */
export const folderOfPath = (path: BytePath): BytePath => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Characters that HFS+ ignores in names, as the bytes of their UTF-8: U+200C to U+200F, U+202A to U+202E, U+206A to U+206F, U+FEFF. */
const IGNORED_BYTES = /\u00e2\u0080[\u008c-\u008f\u00aa-\u00ae]|\u00e2\u0081[\u00aa-\u00af]|\u00ef\u00bb\u00bf/g

/** A property of every name that may stand for `.git`. */
const SUSPECT = /^[.\u0080-\u00ff]|~/

/**
 * Whether some file system treats this name as `.git`: different case, trailing dots or spaces, a stream
 * (`.git::$DATA`), the short name `git~1`, ignored characters. Written into a repository's folder, such a file could
 * run commands. `name` is one name of a byte path.
 */
export const isGitFolderName = (name: string): boolean => {
  // Nearly all names: none of those begins with another letter and has no tilde.
  if (!SUSPECT.test(name)) return false
  const plain = (name.replace(IGNORED_BYTES, '').split(':')[0] ?? '').toLowerCase().replace(/[. ]+$/, '')
  return plain === '.git' || plain === 'git~1'
}

/**
 * Why no file may be written at this path under a root (absolute, with `..`, empty names, a zero byte, or in a `.git`),
 * as the end of a sentence; undefined if the path is valid.
 */
export const pathRefusal = (path: BytePath): string | undefined => {
  if (path === '' || path.startsWith('/')) return 'it is not a path inside of the folder'
  if (path.includes('\0')) return 'it holds a zero byte'
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'it is not a path inside of the folder'
    if (isGitFolderName(name)) return 'it would lie in a git repository’s own folder'
  }
  return undefined
}
