/** The file that a link of the model means: within the folder, or none. */
import { isAbsolute, relative, resolve, sep } from 'node:path'

/** A file of a link, with its line where one is named. */
export interface LinkedFile {
  readonly path: string
  /** From 1. */
  readonly line: number | undefined
}

const WITH_LINE = /^(.*?)(?::(\d{1,7})(?::\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)$/

/**
 * Returns the file that a link's address means, absolute, with its line (from 1) if it names one; undefined for a file
 * outside the folder. The file need not exist.
 */
export const linkedFile = (address: string, folder: string): LinkedFile | undefined => {
  const [, named, colon, hash] = WITH_LINE.exec(address.trim()) ?? []
  const written = decoded(named ?? address.trim())
  const path = resolve(folder, written)
  const inside = relative(folder, path)
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined
  const line = colon ?? hash
  return { path, line: line === undefined ? undefined : Math.max(1, Number(line)) }
}

/** Returns a path with its percent escapes decoded; unchanged if they are malformed. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
