/** An issuer of the test: its keys are rebuilt, and are those that the dashboard is told to trust. */
import { createHmac } from 'node:crypto'
import { SignJWT, UnsecuredJWT, exportJWK, exportSPKI, generateKeyPair } from 'jose'
import type { JWTPayload } from 'jose'

const ISSUER = 'https://id.example.com'
const AUDIENCE = 'cairn'

interface TokenChanges {
  readonly claims?: JWTPayload
  /** Left out of the token. */
  readonly without?: readonly string[]
  /** Signed by a key that the dashboard doesn't know, under the name of one that it knows. */
  readonly isForged?: boolean
}

export interface TestIssuer {
  /** A JWK Set with the public key. */
  readonly keys: string
  /** A token that is in order, but for the changes. */
  token(changes?: TokenChanges): Promise<string>
  /** Unsigned: `alg` is `none`. */
  unsigned(claims?: JWTPayload): string
  /** Signed with the public key as if it were a shared secret. */
  confused(claims?: JWTPayload): Promise<string>
}

const KEY_ID = 'test-key'

const bodyOf = (claims: JWTPayload = {}): JWTPayload => {
  const now = Math.floor(Date.now() / 1_000)
  return {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'somebody',
    iat: now,
    exp: now + 600,
    email_verified: true,
    ...claims,
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export const createTestIssuer = async (): Promise<TestIssuer> => {
  const own = await generateKeyPair('RS256', { extractable: true })
  const other = await generateKeyPair('RS256')
  return {
    keys: JSON.stringify({ keys: [{ ...(await exportJWK(own.publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }] }),
    token: ({ claims, without = [], isForged = false } = {}) =>
      new SignJWT(Object.fromEntries(Object.entries(bodyOf(claims)).filter(([name]) => !without.includes(name))))
        .setProtectedHeader({ alg: 'RS256', kid: KEY_ID })
        .sign(isForged ? other.privateKey : own.privateKey),
    unsigned: (claims) => new UnsecuredJWT(bodyOf(claims)).encode(),
    confused: async (claims) => {
      const content = `${encoded({ alg: 'HS256', kid: KEY_ID })}.${encoded(bodyOf(claims))}`
      const secret = await exportSPKI(own.publicKey)
      return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
    },
  }
}
