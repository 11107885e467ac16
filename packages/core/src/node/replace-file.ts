/** Files that are written as a whole: whoever reads one sees the old text or the new. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** On Windows a file that somebody reads at the moment can't be replaced; a moment later it can. */
const RENAME_ATTEMPTS = 20
const RENAME_PAUSE_MS = 25

/**
 * Gives a file another one's name, in place of that. On Windows it is tried for half a second, as another program may
 * read the file; then, and elsewhere at once, throws what the system says.
 */
export const renameOver = (from: string, to: string): void => {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(from, to)
      return
    } catch (cause) {
      if (process.platform !== 'win32' || attempt === RENAME_ATTEMPTS) throw cause
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RENAME_PAUSE_MS)
    }
  }
}

/**
 * Writes a file that only its user can read, in place of one that may be there; its folder must exist. `flush`: it is
 * on disk before it takes the name. Throws what the system says; the file is then as it was.
 */
export const replaceFile = (path: string, text: string | Uint8Array, { flush = false } = {}): void => {
  const fresh = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(fresh, text, { mode: 0o600, flush })
    renameOver(fresh, path)
  } catch (cause) {
    rmSync(fresh, { force: true })
    throw cause
  }
}
