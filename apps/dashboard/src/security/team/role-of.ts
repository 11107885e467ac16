/** Which role, and which of the store's people, the claims of a verified token stand for. */
import { ROLES } from './role.ts'
import type { Person } from './asker.ts'
import type { TeamSettings } from './team-file.ts'

/** What is read of a token; everything else in it is left aside. */
export type Claims = Readonly<Record<string, unknown>>

/** What reports call sessions of nobody who is known: as a person's name it would be all of theirs. */
const UNKNOWN = 'unknown'

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((item: unknown) => typeof item === 'string')

/** The address, if the issuer says that it is really theirs: some let people write what they like. */
const verifiedEmail = ({ email, email_verified: isVerified }: Claims): string | undefined =>
  typeof email === 'string' && email !== '' && isVerified === true ? email : undefined

/**
 * Who a token's claims stand for; undefined for somebody who has no role here. An entry for the person comes before
 * those for groups, also where it gives less.
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
