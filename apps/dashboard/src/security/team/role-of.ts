/** Which role, and which of the store's people, the claims of a verified token stand for. */
import { ROLES } from './role.ts'
import type { Person } from './asker.ts'
import type { TeamSettings } from './team-file.ts'

/** What is read of a token; everything else in it is left aside. */
export type Claims = Readonly<Record<string, unknown>>

/** What reports call sessions of nobody who is known: as a person's name it would be all of theirs. */
const UNKNOWN = 'unknown'

/** Returns the texts in a claim, which may be one or a list. */
const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((item: unknown) => typeof item === 'string')

/** Returns the email address if the issuer says that it is verified; undefined otherwise. */
const verifiedEmail = ({ email, email_verified: isVerified }: Claims): string | undefined =>
  typeof email === 'string' && email !== '' && isVerified === true ? email : undefined

/**
 * Returns the person a token's claims stand for; undefined without a `sub` or a role here. The entry for the subject,
 * else for the verified email, takes precedence over the groups' highest role, even if it grants less. `person` is the
 * entry's, else that email; never `UNKNOWN`.
 */
export const personOf = (
  { roles, people, groupsClaim }: Pick<TeamSettings, 'roles' | 'people' | 'groupsClaim'>,
  claims: Claims,
): Person | undefined => {
  const { sub: subject } = claims
  if (typeof subject !== 'string' || subject === '') return undefined
  const email = verifiedEmail(claims)
  const entry = [subject, email].flatMap((key) =>
    key !== undefined && Object.hasOwn(people, key) ? [people[key]] : [],
  )[0]
  const groups = new Set(textsOf(Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : undefined))
  const role = entry?.role ?? ROLES.findLast((name) => roles[name].some((group) => groups.has(group)))
  if (role === undefined) return undefined
  const person = entry?.person ?? email
  return {
    subject,
    role,
    ...(email === undefined ? {} : { email }),
    ...(person === undefined || person === UNKNOWN ? {} : { person }),
  }
}
