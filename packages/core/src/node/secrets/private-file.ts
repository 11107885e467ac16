/** Files that only their owner may read. */
import { rmSync, statSync } from 'node:fs'
import { CairnError } from '../../errors.ts'
import { realPathOf } from '../real-path.ts'
import { readSettingsFile, reasonOf, SettingsFileError, writeSettingsFile } from '../setup/settings-file.ts'

const PRIVATE_MODE = 0o600
const OTHERS = 0o077

/**
 * A file's text; undefined where there is none.
 * @throws CairnError `read-failed` where it can't be read, or may be read by others
 */
export const readPrivateFile = (path: string): string | undefined => {
  try {
    const { text } = readSettingsFile(path)
    if (text !== undefined) assertPrivate(path)
    return text
  } catch (cause) {
    if (cause instanceof SettingsFileError) throw new CairnError('read-failed', `${path}: ${cause.message}.`, { cause })
    throw cause
  }
}

/**
 * Asserts that nobody else may read a file. On Windows a file of the user's folder is the user's; its mode says
 * nothing.
 * @throws CairnError `read-failed`
 */
const assertPrivate = (path: string): void => {
  if (process.platform === 'win32') return
  const mode = statSync(path).mode & 0o777
  if ((mode & OTHERS) !== 0)
    throw new CairnError(
      'read-failed',
      `${path} may be read by others on this machine (mode ${mode.toString(8)}), so it is not used: chmod 600 ${path}`,
    )
}

/**
 * Replaces a file as a whole: it is on disk, and only its owner may read it, before it takes the name.
 * @param expected the text that it has now; undefined: there is none
 * @throws CairnError `invalid-input`; the file is then as it was
 */
export const writePrivateFile = (path: string, text: string, expected: string | undefined): void => {
  try {
    writeSettingsFile(realPathOf(path), text, { expected, mode: PRIVATE_MODE })
  } catch (cause) {
    throw new CairnError('invalid-input', `Nothing was kept: ${path} is as it was, because ${reasonOf(cause)}.`, {
      cause,
    })
  }
}

/**
 * Removes a file; behind a link, the file that it leads to.
 * @param expected the text that it has now; undefined: there is none
 * @throws CairnError `file-conflict` where it has another text by now, `invalid-input` where it can't be removed; the
 * file is then as it was
 */
export const removePrivateFile = (path: string, expected: string | undefined): void => {
  if (readPrivateFile(path) !== expected)
    throw new CairnError(
      'file-conflict',
      `Another program has changed ${path} meanwhile, and nothing was removed: run this again.`,
    )
  try {
    rmSync(realPathOf(path), { force: true })
  } catch (cause) {
    throw new CairnError('invalid-input', `Nothing was removed: ${path} is as it was, because ${reasonOf(cause)}.`, {
      cause,
    })
  }
}

/** Makes (does not throw) the `read-failed` error for a file of a format that is not known yet. */
export const newerVersion = (path: string): CairnError =>
  new CairnError('read-failed', `${path} was written by a newer version of Cairn, and was left as it is: update Cairn.`)
