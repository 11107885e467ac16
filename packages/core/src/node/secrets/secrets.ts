/**
 * Secrets of the user: in the system's keyring, or else in an encrypted file. The file comes first when a secret is looked
 * for: what was put there while the keyring could not be reached is newer than what the keyring has.
 */
import { join } from 'node:path'
import { CairnError } from '../../errors.ts'
import { KeyringUnavailable, type Keyring } from '../../ports/keyring.ts'
import type { Secrets, StoredSecret } from '../../ports/secrets.ts'
import { newPassphraseKey, passphraseKey, readKeyFile, readOrMakeKeyFile, type FileKey } from './file-key.ts'
import { createKeyringSecrets } from './keyring-secrets.ts'
import { readSecretsFile, unlockSecrets, writeSecretsFile, type LockedSecrets } from './secrets-file.ts'
import { withSecretsLock } from './secrets-lock.ts'

export interface SecretsOptions {
  /** The data folder, absolute. */
  readonly folder: string
  /** Where the file's key is, or is made when a file is begun that no passphrase locks. Absolute. */
  readonly keyFile: string
  readonly keyring: Keyring
  /**
   * Asks for the passphrase of the file, or, where `isNew`, for one that shall lock it.
   * @throws CairnError where nobody can be asked
   */
  readonly askPassphrase: (file: string, isNew: boolean) => Promise<string>
}

/** What the encrypted file is locked with. */
export type SecretsLock = 'passphrase' | 'key-file'

export interface SetOptions {
  /** In the file, also where there is a keyring. */
  readonly inFile?: boolean
  /** Locks the file with this from now on; default: with what it is, or a key file. */
  readonly lock?: SecretsLock | undefined
}

export interface SetResult extends StoredSecret {
  /** The file that it is in; undefined: in the keyring. */
  readonly file?: string
  /** Why it is not in the keyring: completes "… can't be used: ". */
  readonly keyringProblem?: string
}

export interface SecretsStore extends Secrets {
  /** The encrypted file, whether it is there or not. */
  readonly file: string
  /** What people call the keyring. */
  readonly keyringTitle: string
  /**
   * Keeps a secret in place of a former one of that name: where that is, else in the keyring, or in the file if the keyring
   * can't be reached.
   * @throws CairnError; what was kept before is then as it was
   */
  set(name: string, value: string, options?: SetOptions): Promise<SetResult>
  /** Opens the file, unless a passphrase locks it; nobody is asked for anything. @throws CairnError for what is wrong */
  check(): Promise<void>
  /** False where none of that name was kept. @throws CairnError where it can't be deleted */
  delete(name: string): Promise<boolean>
}

/**
 * The stored secrets of a data folder: in the system's keyring where it can be reached, else in the encrypted file
 * `secrets.enc`. Nothing is read before one is asked for. `get` looks for a name that is in the file there alone, and
 * gives undefined for one that is in neither; `delete` takes it out of both, and is false where it was in neither.
 * `set` uses the file also for a name that is in it, with `inFile` or with a `lock`. `list` is sorted by name.
 */
export const createSecrets = (options: SecretsOptions): SecretsStore => {
  const { folder, keyring } = options
  const file = join(folder, 'secrets.enc')
  const encrypted = createEncryptedSecrets(file, options)
  const inKeyring = createKeyringSecrets(folder, keyring)

  const setInFile = async (name: string, value: string, lock?: SecretsLock): Promise<SetResult> => {
    await encrypted.change((secrets) => secrets.set(name, value), lock)
    return { name, keptIn: 'file', file }
  }

  return {
    file,
    keyringTitle: keyring.title,
    /** All names with where each is kept, sorted; one that is in both counts as the file's. Asks for nothing. */
    list: async () => {
      const inFile = new Set(encrypted.names())
      return [
        ...[...inFile].map((name) => ({ name, keptIn: 'file' }) as const),
        ...inKeyring
          .names()
          .filter((name) => !inFile.has(name))
          .map((name) => ({ name, keptIn: 'keyring' }) as const),
      ].sort((left, right) => (left.name < right.name ? -1 : 1))
    },
    get: async (name) => {
      if (encrypted.names().includes(name)) return (await encrypted.open()).get(name)
      return inKeyring.names().includes(name) ? inKeyring.get(name) : undefined
    },
    set: async (name, value, { inFile = false, lock } = {}) => {
      if (inFile || lock !== undefined || encrypted.names().includes(name)) return setInFile(name, value, lock)
      try {
        await inKeyring.set(name, value)
        return { name, keptIn: 'keyring' }
      } catch (error) {
        if (!(error instanceof KeyringUnavailable)) throw error
        return { ...(await setInFile(name, value)), keyringProblem: error.message }
      }
    },
    check: () => encrypted.check(),
    /** Takes a name out of file and keyring; false where it was in neither. */
    delete: async (name) => {
      const isInFile = encrypted.names().includes(name)
      if (isInFile) await encrypted.change((secrets) => secrets.delete(name))
      if (!inKeyring.names().includes(name)) return isInFile
      await inKeyring.delete(name)
      return true
    },
  }
}

interface EncryptedSecrets {
  names(): readonly string[]
  open(): Promise<ReadonlyMap<string, string>>
  check(): Promise<void>
  change(edit: (secrets: Map<string, string>) => void, lock?: SecretsLock): Promise<void>
}

/**
 * The secrets of an encrypted file, of which nothing is read before the first call; `names` needs no key. `change`
 * takes the lock of the secrets itself, and rejects with `file-conflict` if another program changes the file meanwhile.
 */
const createEncryptedSecrets = (
  file: string,
  { folder, keyFile, askPassphrase }: Pick<SecretsOptions, 'folder' | 'keyFile' | 'askPassphrase'>,
): EncryptedSecrets => {
  const keyOf = async ({ header: { key } }: LockedSecrets): Promise<FileKey> =>
    key.kind === 'key-file' ? readKeyFile(keyFile) : passphraseKey(await askPassphrase(file, false), key)

  /**
   * The key to lock the file with: its present one (`own`, if there is a file) unless `lock` is of the other kind; else
   * a passphrase's, which is asked for, or that of the key file, which is made where it is missing.
   */
  const newKey = async (lock: SecretsLock | undefined, own: FileKey | undefined): Promise<FileKey> => {
    if (own !== undefined && (lock === undefined || lock === own.origin.kind)) return own
    if (lock === 'passphrase') return newPassphraseKey(await askPassphrase(file, true))
    return withSecretsLock(folder, () => readOrMakeKeyFile(keyFile))
  }

  return {
    names: () => readSecretsFile(file)?.header.names ?? [],
    open: async () => {
      const locked = readSecretsFile(file)
      return locked === undefined ? new Map() : unlockSecrets(locked, await keyOf(locked))
    },
    check: async () => {
      const locked = readSecretsFile(file)
      if (locked?.header.key.kind === 'key-file') unlockSecrets(locked, await keyOf(locked))
    },
    /**
     * Changes the secrets, and locks the file as `lock` says. Asks for passphrases that it needs. If another program
     * locked the file with another key meanwhile, it tries again, {@link ATTEMPTS} times in all, but only once with a
     * passphrase's key; then `file-conflict`.
     */
    change: async (edit, lock) => {
      for (let attempt = 1; ; attempt++) {
        const before = readSecretsFile(file)
        const own = before === undefined ? undefined : await keyOf(before)
        // Before a new passphrase is asked for.
        if (before !== undefined && own !== undefined) unlockSecrets(before, own)
        const key = await newKey(lock, own)
        if (withSecretsLock(folder, () => changeFile(file, own, key, edit))) return
        // Two programs that begin the file at the same time; nobody is asked for a passphrase twice.
        if (attempt === ATTEMPTS || key.origin.kind === 'passphrase') throw changedMeanwhile(file)
      }
    },
  }
}

const ATTEMPTS = 3

/**
 * Changes the secrets in a file and locks it with `key`, true then; false where another program has locked it with
 * another key than `own` (undefined: there was no file) meanwhile; it is then as it was. The caller holds the lock of
 * the secrets.
 */
const changeFile = (
  file: string,
  own: FileKey | undefined,
  key: FileKey,
  edit: (secrets: Map<string, string>) => void,
): boolean => {
  const locked = readSecretsFile(file)
  if (locked?.header.check !== own?.check) return false
  const secrets = new Map(locked === undefined || own === undefined ? [] : unlockSecrets(locked, own))
  edit(secrets)
  writeSecretsFile(file, secrets, key, locked)
  return true
}

/** The error of a file of secrets that changed meanwhile. */
const changedMeanwhile = (file: string): CairnError =>
  new CairnError(
    'file-conflict',
    `Another program has changed ${file} meanwhile, and nothing was kept: run this again.`,
  )
