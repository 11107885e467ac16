/** Addresses that Next would answer with a page or a service of its own, where the dashboard has none. */
import { emptyPolicy, securityHeaders } from './headers.ts'

const API_ROUTE = /^\/api\/(?:trpc|export)\/[^/]+$/
/** Makes images smaller for whoever asks; the dashboard has none to make smaller. */
const IMAGE_SERVICE = '/_next/image'

/**
 * Returns the 404 for an unknown address of the API, or for a service of Next that is not offered; undefined for any
 * other address. Its body is JSON.
 */
export const noSuchAddress = (pathname: string): Response | undefined => {
  const isApi = pathname === '/api' || pathname.startsWith('/api/')
  if (isApi ? API_ROUTE.test(pathname) : pathname !== IMAGE_SERVICE) return undefined
  return new Response(
    `${JSON.stringify({ error: { code: 'not-found', message: 'There is nothing at this address.' } })}\n`,
    {
      status: 404,
      headers: {
        ...securityHeaders,
        'Content-Security-Policy': emptyPolicy,
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
      },
    },
  )
}
