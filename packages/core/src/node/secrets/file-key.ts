/** What opens the secrets file: a key made of a passphrase, or one that lies in a file of its own. */
import { hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { dirname } from 'node:path'
import { CairnError } from '../../errors.ts'
import { makeFolder } from '../make-folder.ts'
import { readPrivateFile, writePrivateFile } from './private-file.ts'

/** How a key is made, as the secrets file says it. */
export type KeyOrigin =
  | {
      readonly kind: 'passphrase'
      /** Base64. */
      readonly salt: string
      /** Cost, block size and parallelism of scrypt. */
      readonly N: number
      readonly r: number
      readonly p: number
    }
  | { readonly kind: 'key-file' }

export interface FileKey {
  readonly origin: KeyOrigin
  /** For AES-256. */
  readonly key: Uint8Array
  /** Stands in the file, so that a wrong key is told from a damaged file; says nothing of the key. Hex. */
  readonly check: string
}

const KEY_BYTES = 32
const CHECK_BYTES = 8
const SALT_BYTES = 16
/** 128 MiB and some tenths of a second: each guess at a passphrase costs as much. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const
/** A file that asks for more is refused: it would fill the memory. */
export const HIGHEST_COST = { N: 2 ** 20, r: 8, p: 4 } as const

/** Derives a key from a passphrase for a new file, with a new random salt; takes a noticeable time on purpose. */
export const newPassphraseKey = (passphrase: string): Promise<FileKey> =>
  passphraseKey(passphrase, { kind: 'passphrase', salt: randomBytes(SALT_BYTES).toString('base64'), ...COST })

/**
 * The key of a passphrase, derived as the file's header (`origin`) says; takes a noticeable time on purpose. A wrong
 * passphrase gives another key, which `unlockSecrets` refuses. Typed in another form of Unicode it is the same.
 */
export const passphraseKey = (
  passphrase: string,
  origin: Extract<KeyOrigin, { readonly kind: 'passphrase' }>,
): Promise<FileKey> => {
  const { salt, N, r, p } = origin
  return new Promise((resolve, reject) =>
    scrypt(
      passphrase.normalize('NFC'),
      Buffer.from(salt, 'base64'),
      KEY_BYTES,
      { N, r, p, maxmem: 2 * 128 * N * r },
      (error, made) => (error === null ? resolve(fileKey(made, origin)) : reject(error)),
    ),
  )
}

/** The key in a key file. @throws CairnError `read-failed` where there is none, others may read it, or it is no key */
export const readKeyFile = (path: string): FileKey => {
  const text = readPrivateFile(path)
  if (text === undefined)
    throw new CairnError(
      'read-failed',
      `The key file ${path}, which opens the stored secrets, is not there: put it back, or say where it is with CAIRN_SECRETS_KEY_FILE.`,
    )
  const bytes = Buffer.from(text.trim(), 'base64')
  if (bytes.length !== KEY_BYTES)
    throw new CairnError('read-failed', `${path} holds no key: that is ${KEY_BYTES} bytes in base64, on one line.`)
  return fileKey(bytes, { kind: 'key-file' })
}

/**
 * The key in a key file, which is made with a new random key where there is none.
 * @throws CairnError where what is there is no key, or none can be made
 */
export const readOrMakeKeyFile = (path: string): FileKey => {
  if (readPrivateFile(path) === undefined) {
    makePrivateFolder(path)
    writePrivateFile(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`, undefined)
  }
  return readKeyFile(path)
}

/**
 * Makes the folder of a file for the user alone, and those above it; one that is there is left as it is. @throws
 * CairnError `invalid-input`
 */
export const makePrivateFolder = (path: string): void => {
  try {
    makeFolder(dirname(path), 0o700)
  } catch (cause) {
    throw new CairnError('invalid-input', `Nothing was kept: the folder ${dirname(path)} can't be made.`, { cause })
  }
}

/** The key for a file's secrets, and a check by which a wrong one is told, both derived from a secret of any length. */
const fileKey = (secret: Uint8Array, origin: KeyOrigin): FileKey => ({
  origin,
  key: derived(secret, 'cairn secrets: encryption', KEY_BYTES),
  check: Buffer.from(derived(secret, 'cairn secrets: check', CHECK_BYTES)).toString('hex'),
})

const derived = (secret: Uint8Array, purpose: string, bytes: number): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), purpose, bytes))
