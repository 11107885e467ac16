/** Runs before every request: the guard, the token's way into a cookie, and the security headers. No matcher, so that nothing is left out. */
import { randomBytes } from 'node:crypto'
import { NextResponse } from 'next/server'
import type { NextRequest } from 'next/server'
import { judge } from './security/guard.ts'
import type { Verdict } from './security/guard.ts'
import { guardSettings } from './security/guard-settings.ts'
import { noSuchAddress } from './security/no-such-address.ts'
import { emptyPolicy, pagePolicy, securityHeaders } from './security/headers.ts'
import { refusal } from './security/refusal.ts'
import { judgeTeam } from './security/team/judge-team.ts'
import { currentTeam } from './security/team/team.ts'

/** Next's files have a hash in their name; nothing else may be cached. */
const STATIC_FILES = '/_next/static/'

/**
 * Next calls this for each request: refuses what may not pass, sets the cookie for a request with the token, and lets
 * others through with their security headers. A team's dashboard answers its health check without asking who it is.
 */
export const proxy = async (request: NextRequest): Promise<Response> => {
  const team = currentTeam()
  if (team !== undefined && isHealthCheck(request)) return NextResponse.next()
  const verdict = team === undefined ? judge(guardSettings(process.env), request) : await judgeTeam(team, request)
  if (verdict.kind === 'refuse') return refusal(verdict)
  if (verdict.kind === 'enter') return entry(verdict, request.headers.get('host') ?? '')

  const nothing = noSuchAddress(request.nextUrl.pathname)
  if (nothing !== undefined) return nothing

  const policy = pagePolicy(randomBytes(16).toString('base64'), process.env.NODE_ENV === 'development')
  const headers = new Headers(request.headers)
  // Next takes the nonce for its own scripts from here.
  headers.set('Content-Security-Policy', policy)
  const response = NextResponse.next({ request: { headers } })
  for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value)
  response.headers.set('Content-Security-Policy', policy)
  if (!request.nextUrl.pathname.startsWith(STATIC_FILES)) response.headers.set('Cache-Control', 'no-store')
  return response
}

/**
 * Whether a request is a health check of a proxy or an orchestrator, which have no identity. The answers reveal only
 * whether all is well.
 */
const isHealthCheck = ({ method, nextUrl }: NextRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (nextUrl.pathname === '/healthz' || nextUrl.pathname === '/readyz')

/**
 * Redirects the browser to the same address without the token, so that it stays in no history and no screenshot. After
 * a link from another site by a page that loads itself again, with 200.
 */
const entry = ({ cookie, location, isCrossSite }: Extract<Verdict, { kind: 'enter' }>, host: string): Response => {
  const headers = {
    ...securityHeaders,
    'Content-Security-Policy': emptyPolicy,
    'Cache-Control': 'no-store',
    'Set-Cookie': cookie,
  }
  // A redirect within a navigation that another site began (a link in a web terminal) would come without the strict
  // cookie; a refresh begins a navigation of our own.
  if (isCrossSite)
    return new Response('Opening the dashboard.\n', {
      status: 200,
      headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8', Refresh: `0; url=${location}` },
    })
  // Next wants a whole address; the guard has compared the host with our own.
  return new Response(null, { status: 303, headers: { ...headers, Location: `http://${host}${location}` } })
}
