/**
 * Who asks, by the token that the proxy sends along. Only what the issuer has signed counts: names in plain headers
 * (`X-Forwarded-User`) are read by nobody, as whoever reaches this server could write them.
 */
import { readFileSync } from 'node:fs'
import { CairnError, messageOf } from '@cairn/core'
import { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify } from 'jose'
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { Person } from './asker.ts'
import { personOf } from './role-of.ts'
import type { TeamSettings } from './team-file.ts'

/** Who asks, or why that is not known. */
type Identity =
  | { readonly kind: 'known'; readonly person: Person }
  /** `reason` is for the audit log; whoever asks learns only the status. */
  | {
      readonly kind: 'refused'
      readonly status: 401 | 403 | 503
      readonly reason: string
      readonly subject?: string
    }

/** Returns who asks, from a request's headers; never rejects. */
export type Identify = (headers: Pick<Headers, 'get'>) => Promise<Identity>

const FETCH_TIMEOUT_MS = 5_000
/** Clocks of two machines differ by as much. */
const CLOCK_SECONDS = 5
const LONGEST_TOKEN = 16_384
/** Three parts of base64url: what the proxy joined from several headers is none. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.string() })
const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) })

/** Returns the address of the issuer's keys. Rejects if the issuer can't be asked, or answers for another issuer. */
const discoverKeys = async (issuer: string): Promise<URL> => {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(address, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS), redirect: 'error' })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  const found = discoverySchema.parse(await response.json())
  if (found.issuer !== issuer) throw new Error(`${address} speaks for another issuer`)
  const keys = new URL(found.jwks_uri)
  if (keys.protocol !== 'https:' && new URL(issuer).protocol === 'https:')
    throw new Error(`${address} names keys that come by plain HTTP`)
  return keys
}

/** Returns keys from the issuer, cached and fetched again as jose does it: a new key is found at its first use. */
const remoteKeys = (address: URL): JWTVerifyGetKey => createRemoteJWKSet(address, { timeoutDuration: FETCH_TIMEOUT_MS })

/**
 * Returns the keys of an issuer; nothing is read before the first token. The issuer's discovery document is read again
 * after a failure to get keys, not after a token that is not valid.
 */
const discoveredKeys = (issuer: string): JWTVerifyGetKey => {
  let known: Promise<JWTVerifyGetKey> | undefined
  return async (header, token) => {
    known ??= discoverKeys(issuer).then(remoteKeys)
    try {
      return await (
        await known
      )(header, token)
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) known = undefined
      throw error
    }
  }
}

/**
 * Returns the keys that tokens are checked with: from `jwksUrl`, else `jwksFile`, else what the issuer names. A URL is
 * not read yet. @throws CairnError `usage` if a file of keys can't be used
 */
const keysOf = ({ issuer, jwksUrl, jwksFile }: TeamSettings): JWTVerifyGetKey => {
  if (jwksUrl !== undefined) return remoteKeys(new URL(jwksUrl))
  if (jwksFile === undefined) return discoveredKeys(issuer)
  try {
    return createLocalJWKSet(keySetSchema.parse(JSON.parse(readFileSync(jwksFile, 'utf8'))))
  } catch (cause) {
    throw new CairnError('usage', `The issuer's keys can't be read from ${jwksFile}, which has to be a JWK Set.`, {
      cause,
    })
  }
}

/** Returns the token of a request; undefined if there is none of the right form. */
const tokenOf = (headers: Pick<Headers, 'get'>, name: TeamSettings['tokenHeader']): string | undefined => {
  const value = headers.get(name) ?? ''
  const token = name === 'authorization' ? (/^Bearer ([^ ]+)$/i.exec(value)?.[1] ?? '') : value
  return token.length <= LONGEST_TOKEN && TOKEN.test(token) ? token : undefined
}

/** Whether a token was issued to us: with several audiences, the party it was issued to must be ours. */
const isForUs = ({ aud, azp }: JWTPayload, audience: string): boolean =>
  azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === audience || !Array.isArray(aud)

/** Whether a problem is on our side or the issuer's; any other is the token's own fault. */
const isOurFault = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid

/**
 * Returns the function that says who asks. It refuses with 401 without a valid token that the issuer signed for this
 * audience, with 403 a person without a role, and with 503, which it prints, if the issuer's keys can't be had; it
 * never rejects.
 * @param now ms; for tests
 * @throws CairnError `usage` if a file of keys can't be used
 */
export const createIdentify = (settings: TeamSettings, now: () => number = () => Date.now()): Identify => {
  const keys = keysOf(settings)
  return async (headers) => {
    const token = tokenOf(headers, settings.tokenHeader)
    if (token === undefined) return { kind: 'refused', status: 401, reason: 'no token' }
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: settings.issuer,
        audience: settings.audience,
        algorithms: settings.algorithms,
        requiredClaims: ['exp', 'iat', 'sub'],
        maxTokenAge: settings.longestSessionHours * 3_600,
        clockTolerance: CLOCK_SECONDS,
        currentDate: new Date(now()),
      })
      if (!isForUs(payload, settings.audience)) return { kind: 'refused', status: 401, reason: 'issued to another' }
      const person = personOf(settings, payload)
      if (person !== undefined) return { kind: 'known', person }
      return { kind: 'refused', status: 403, reason: 'no role', subject: String(payload.sub) }
    } catch (error) {
      if (isOurFault(error)) {
        console.error(`the issuer's keys: ${messageOf(error)}`)
        return { kind: 'refused', status: 503, reason: 'the issuer’s keys can’t be had' }
      }
      return { kind: 'refused', status: 401, reason: messageOf(error) }
    }
  }
}
