/**
 * The names of the secrets that were given to the keyring. With them nothing that only wants to know what is there has to
 * ask the keyring, which may ask the user for a password.
 */
import { z } from 'zod'
import { CairnError } from '../../errors.ts'
import { parseJsonObject } from '../../json.ts'
import { makePrivateFolder } from './file-key.ts'
import { newerVersion, readPrivateFile, writePrivateFile } from './private-file.ts'

const VERSION = 1
const schema = z.object({ version: z.literal(VERSION), names: z.array(z.string().max(128)) })

/**
 * The names of the secrets that were put into the keyring, sorted; none where there is no file. @throws CairnError
 * `read-failed` for a file that can't be understood
 */
export const readKeyringNames = (path: string): readonly string[] => namesIn(path, readPrivateFile(path))

/**
 * Adds a name to the file's list (`isKept`), or takes it out; does nothing where it is so already. Made with its folder
 * where there is none. Reads and then writes: the caller holds the lock of `withSecretsLock`. Throws for a file that
 * can't be read, understood or written; it is then as it was.
 */
export const changeKeyringNames = (path: string, name: string, isKept: boolean): void => {
  const text = readPrivateFile(path)
  const before = namesIn(path, text)
  if (before.includes(name) === isKept) return
  const names = isKept ? [...before, name].sort() : before.filter((each) => each !== name)
  makePrivateFolder(path)
  writePrivateFile(path, `${JSON.stringify({ version: VERSION, names })}\n`, text)
}

/** The names in the file; none without a file. Throws `read-failed` for one that can't be understood. */
const namesIn = (path: string, text: string | undefined): readonly string[] => {
  if (text === undefined) return []
  const value = parseJsonObject(text)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data.names
  if (typeof value.version === 'number' && value.version > VERSION) throw newerVersion(path)
  throw new CairnError(
    'read-failed',
    `${path}, which names the secrets in the keyring, can't be understood: move it away and set the keys again.`,
  )
}
