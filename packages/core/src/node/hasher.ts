/** SHA-256 by Node's OpenSSL, in one call without a hash object. */
import { hash } from 'node:crypto'
import type { Hasher } from '../ports/hasher.ts'

/** A hasher over `node:crypto`; hashes are 64 hexadecimal digits in lower case. */
export const createHasher = (): Hasher => ({ sha256: (content) => hash('sha256', content, 'hex') })
