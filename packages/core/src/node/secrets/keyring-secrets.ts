/** The secrets that are in the keyring, and the list of their names. */
import { join } from 'node:path'
import { CairnError } from '../../errors.ts'
import { KeyringUnavailable, type Keyring } from '../../ports/keyring.ts'
import { changeKeyringNames, readKeyringNames } from './keyring-names.ts'
import { withSecretsLock } from './secrets-lock.ts'

export interface KeyringSecrets {
  /**
   * The names of the secrets that were put into the keyring, sorted; read from a list beside it, without asking the
   * keyring.
   */
  names(): readonly string[]
  /**
   * The secret of a name that is listed.
   * @throws CairnError where the keyring does not give it
   */
  get(name: string): Promise<string>
  /**
   * Puts a secret into the keyring, in place of a former one, and its name into the list.
   * @throws KeyringUnavailable, CairnError; what the keyring had before may then be replaced
   */
  set(name: string, value: string): Promise<void>
  /**
   * Takes a secret out of the keyring, and its name out of the list.
   * @throws CairnError where it is still there
   */
  delete(name: string): Promise<void>
}

/**
 * Secrets in the system's keyring, with a list of their names in a file, as keyrings can't be listed everywhere. `get`
 * rejects with `not-found` for a listed secret that is gone, `set` with KeyringUnavailable if the keyring does not
 * work.
 * @param folder the data folder, absolute
 */
export const createKeyringSecrets = (folder: string, keyring: Keyring): KeyringSecrets => {
  const namesFile = join(folder, 'keyring-names.json')
  const list = (name: string, isKept: boolean): void =>
    withSecretsLock(folder, () => changeKeyringNames(namesFile, name, isKept))
  return {
    names: () => readKeyringNames(namesFile),
    get: async (name) => {
      const value = await reached(keyring, `'${name}' can't be read`, () => keyring.get(name))
      if (value !== undefined) return value
      throw new CairnError('not-found', `'${name}' is no longer in ${keyring.title}: set it again.`)
    },
    /** Puts a secret into the keyring, reads it back, and lists its name; where either fails a new one is taken out. */
    set: async (name, value) => {
      const isListed = readKeyringNames(namesFile).includes(name)
      await keyring.set(name, value)
      // A keyring that gives back something else is none, and should not keep it.
      if ((await keyring.get(name)) !== value) {
        if (!isListed) await keyring.delete(name)
        throw new KeyringUnavailable('it does not give back what it was given')
      }
      try {
        if (!isListed) list(name, true)
      } catch (error) {
        // Nothing would ever look for it there.
        await keyring.delete(name)
        throw error
      }
    },
    delete: async (name) => {
      await reached(keyring, `'${name}' is still there`, () => keyring.delete(name))
      list(name, false)
    },
  }
}

/**
 * What the keyring answers. @throws CairnError `read-failed` where it can't be used, which begins with `what` this
 * means and says why
 */
const reached = async <T>({ title }: Keyring, what: string, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof KeyringUnavailable)) throw error
    throw new CairnError('read-failed', `${what}, because ${title} can't be used: ${error.message}.`, { cause: error })
  }
}
