/**
 * The encrypted file of secrets: two lines. The first one is JSON and says how the second is to be read, and the names of
 * the secrets, so that they can be listed without a passphrase; it is authenticated with the second, which is base64 of the
 * secrets in AES-256-GCM, each time under a new nonce, with the tag at its end.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { CairnError } from '../../errors.ts'
import { objectOf, parseJsonObject } from '../../json.ts'
import { HIGHEST_COST, makePrivateFolder, type FileKey } from './file-key.ts'
import { newerVersion, readPrivateFile, removePrivateFile, writePrivateFile } from './private-file.ts'

const FORMAT = 'cairn-secrets'
const VERSION = 1
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** In characters; thousands of keys take less. */
const LARGEST_FILE = 1 << 20

const header = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  cipher: z.literal(CIPHER),
  key: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('passphrase'),
      salt: z.base64().max(128),
      N: z
        .int()
        .min(2)
        .max(HIGHEST_COST.N)
        .refine((cost) => Number.isInteger(Math.log2(cost))),
      r: z.int().min(1).max(HIGHEST_COST.r),
      p: z.int().min(1).max(HIGHEST_COST.p),
    }),
    z.object({ kind: z.literal('key-file') }),
  ]),
  check: z.string().max(64),
  names: z.array(z.string().max(128)),
  nonce: z.base64().max(64),
})
const contents = z.object({ secrets: z.record(z.string(), z.string()) })

/** A secrets file that was read and not yet opened. */
export interface LockedSecrets {
  readonly path: string
  /** The whole file, as it is on disk. */
  readonly text: string
  readonly firstLine: string
  readonly secondLine: string
  readonly header: z.infer<typeof header>
}

/**
 * Reads a secrets file without its passphrase: the header, with the names of the secrets, and the secrets still encrypted.
 * Undefined if there is no file.
 * @throws CairnError `read-failed` if it can't be read, may be read by others, is damaged, or is from a newer version
 */
export const readSecretsFile = (path: string): LockedSecrets | undefined => {
  const text = readPrivateFile(path)
  if (text === undefined) return undefined
  if (text.length > LARGEST_FILE) throw damaged(path)
  const [firstLine = '', secondLine = ''] = text.split('\n')
  const value = parseJsonObject(firstLine)
  const { format, version } = objectOf(value)
  if (format === FORMAT && typeof version === 'number' && version > VERSION) throw newerVersion(path)
  const parsed = header.safeParse(value)
  if (!parsed.success || text !== `${firstLine}\n${secondLine}\n`) throw damaged(path)
  return { path, text, firstLine, secondLine, header: parsed.data }
}

/**
 * The secrets by name, decrypted with the key.
 * @throws CairnError `auth` for the wrong key, `read-failed` for a file that was damaged or changed
 */
export const unlockSecrets = (locked: LockedSecrets, { key, check, origin }: FileKey): ReadonlyMap<string, string> => {
  const { path, firstLine, secondLine, header: facts } = locked
  if (check !== facts.check)
    throw new CairnError(
      'auth',
      origin.kind === 'passphrase'
        ? `That is not the passphrase of ${path}; try again.`
        : `The key file is not the one that locked ${path}: say where that is with CAIRN_SECRETS_KEY_FILE.`,
    )
  try {
    const sealed = Buffer.from(secondLine, 'base64')
    if (sealed.toString('base64') !== secondLine) throw damaged(path)
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(facts.nonce, 'base64'), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(firstLine))
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
    const open = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
    return new Map(Object.entries(contents.parse(JSON.parse(open.toString('utf8'))).secrets))
  } catch {
    // Without the cause: it may quote what was opened.
    throw damaged(path)
  }
}

/**
 * Replaces the file with these secrets, encrypted with the key; without secrets it is removed.
 * @param before what was read of it; undefined: there was none
 * @throws CairnError where it changed meanwhile or can't be written; the file is then as it was
 */
export const writeSecretsFile = (
  path: string,
  secrets: ReadonlyMap<string, string>,
  { key, check, origin }: FileKey,
  before: LockedSecrets | undefined,
): void => {
  if (secrets.size === 0) {
    removePrivateFile(path, before?.text)
    return
  }
  const nonce = randomBytes(NONCE_BYTES)
  const facts: LockedSecrets['header'] = {
    format: FORMAT,
    version: VERSION,
    cipher: CIPHER,
    key: origin,
    check,
    names: [...secrets.keys()].sort(),
    nonce: nonce.toString('base64'),
  }
  const firstLine = JSON.stringify(facts)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(firstLine))
  const open = JSON.stringify({ secrets: Object.fromEntries(secrets) })
  const sealed = Buffer.concat([cipher.update(open, 'utf8'), cipher.final(), cipher.getAuthTag()])
  makePrivateFolder(path)
  writePrivateFile(path, `${firstLine}\n${sealed.toString('base64')}\n`, before?.text)
}

/** The error of a file of secrets that is damaged. */
const damaged = (path: string): CairnError =>
  new CairnError(
    'read-failed',
    `The secrets in ${path} can't be read, because the file is damaged: take it from a backup, or move it away and set the keys again.`,
  )
