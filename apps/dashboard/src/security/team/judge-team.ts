/**
 * Decides whether a request may reach a team's dashboard, and whose it is. It stands before every page and file
 * (proxy.ts), and once more before the data. Every refusal comes before anything of the store is read.
 */
import type { GuardedRequest } from '../guard.ts'
import { mayOpen } from './access.ts'
import type { Asker } from './asker.ts'
import type { Team } from './team.ts'

interface TeamRefusal {
  readonly kind: 'refuse'
  readonly status: 401 | 403 | 405 | 421 | 429 | 503
  readonly sentence: string
}

/** What happens to a request. */
export type TeamVerdict = { readonly kind: 'pass'; readonly asker: Asker } | TeamRefusal

/** What an attempt without an identity costs its address beyond the request: guessing gets slow. */
const REFUSAL_COST = 9
const PROCEDURES = /^\/api\/trpc\/([^/]*)$/

const SENTENCES = {
  401: 'You are not signed in, or your session has ended; load the page again to sign in.',
  403: 'You have no role in this dashboard; whoever runs it can give you one.',
  503: 'Who you are can’t be checked at the moment; try again in a minute.',
} as const

/** Returns a refusal. */
const refuse = (status: TeamRefusal['status'], sentence: string): TeamRefusal => ({ kind: 'refuse', status, sentence })

/**
 * Returns where a request comes from, as the outermost of our own proxies saw it (anybody may have written what stands
 * before that); the first hop where there are fewer than `proxies`, `unknown` if it is not an address.
 */
export const addressOf = (headers: Pick<Headers, 'get'>, proxies: number): string => {
  const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  const address = hops.at(-proxies) ?? hops[0] ?? ''
  return /^[\da-f.:]{2,45}$/i.test(address) ? address : 'unknown'
}

/** Returns how many requests a path counts for: a batch counts for each of its procedures. */
const costOf = (pathname: string): number => (PROCEDURES.exec(pathname)?.[1] ?? '').split(/,|%2c/i).length

interface Asked {
  readonly request: GuardedRequest
  readonly pathname: string
  readonly address: string
}

/** Returns what is known of a request before it is clear who asks. */
const askedOf = (team: Team, request: GuardedRequest): Asked => ({
  request,
  pathname: new URL(request.url, 'http://dashboard.invalid').pathname,
  address: addressOf(request.headers, team.settings.proxies),
})

/**
 * Returns why a request is refused whoever asks: 421 for another host, 403 for another origin or, under `/api/`,
 * another site; undefined for none.
 */
const faultOf = ({ settings: { hosts } }: Team, { pathname, request: { headers } }: Asked): TeamRefusal | undefined => {
  const host = (headers.get('host') ?? '').toLowerCase()
  if (!hosts.includes(host)) return refuse(421, 'This address is not the dashboard’s.')
  const origin = headers.get('origin')?.toLowerCase()
  const isForeign = origin !== undefined && origin !== `https://${host}` && origin !== `http://${host}`
  const site = headers.get('sec-fetch-site')
  const isForeignSite = site !== null && site !== 'same-origin' && site !== 'none'
  return isForeign || (isForeignSite && pathname.startsWith('/api/'))
    ? refuse(403, 'The dashboard answers only its own pages.')
    : undefined
}

/** Logs a refused attempt, and makes the next ones from its address count for more; returns the refusal. */
const noted = (
  team: Team,
  { pathname, address }: Asked,
  refusal: TeamRefusal,
  reason: string,
  who: Partial<Who> = {},
): TeamRefusal => {
  team.ofAddress.drain(address, REFUSAL_COST)
  team.audit.writeOnce({ event: 'refused', ...who, address, what: pathname, status: refusal.status, reason })
  return refusal
}

type Who = Pick<Asker, 'subject' | 'email' | 'role'>

/** Returns what the audit log says of a person, without anything else that is known. */
export const whoOf = ({ subject, email, role }: Who): Who => ({
  subject,
  ...(email === undefined ? {} : { email }),
  role,
})

/**
 * Returns the verdict on a request, and logs a refusal; rate limits are not applied. In this order: host and origin,
 * who asks, the method (only reading), the role.
 */
const admitted = async (team: Team, asked: Asked): Promise<TeamVerdict> => {
  const { request, pathname, address } = asked
  const fault = faultOf(team, asked)
  if (fault !== undefined) return noted(team, asked, fault, 'host or origin')
  const identity = await team.identify(request.headers)
  if (identity.kind === 'refused') {
    const { status, reason, subject } = identity
    return noted(team, asked, refuse(status, SENTENCES[status]), reason, subject === undefined ? {} : { subject })
  }
  const { person } = identity
  const { method = 'GET' } = request
  if (method !== 'GET' && method !== 'HEAD')
    return noted(team, asked, refuse(405, 'A team’s dashboard can only be read.'), 'write', whoOf(person))
  if (!mayOpen(person.role, pathname))
    return noted(team, asked, refuse(403, 'Your role does not show this page.'), 'role', whoOf(person))
  return { kind: 'pass', asker: { ...person, address } }
}

/**
 * Judges a request that {@link judgeTeam} has let pass once more, before its data is read; it counts only once for the
 * rate limit. Logs a refusal.
 */
export const admitToTeam = (team: Team, request: GuardedRequest): Promise<TeamVerdict> =>
  admitted(team, askedOf(team, request))

/**
 * Logs an attempt to change something, which the server itself refuses, as long as its address is within the rate
 * limit.
 */
export const noteWrite = (team: Team, request: GuardedRequest): void => {
  const asked = askedOf(team, request)
  if (team.ofAddress.take(asked.address))
    noted(team, asked, refuse(405, 'A team’s dashboard can only be read.'), 'write')
}

/**
 * Returns the verdict on a request to a team's dashboard, and logs a refusal, but one with 429, for an address or a
 * person that asks too often. Never rejects because of what a request contains.
 */
export const judgeTeam = async (team: Team, request: GuardedRequest): Promise<TeamVerdict> => {
  const asked = askedOf(team, request)
  const cost = costOf(asked.pathname)
  if (!team.ofAddress.take(asked.address, cost)) return TOO_MANY
  const verdict = await admitted(team, asked)
  return verdict.kind === 'pass' && !team.ofPerson.take(verdict.asker.subject, cost) ? TOO_MANY : verdict
}

const TOO_MANY = refuse(429, 'Too many requests; wait a minute.')
