/** The guard before a route of data: once more after the proxy, so that no gap in the routing lays the data open. */
import { judge } from './guard.ts'
import { guardSettings } from './guard-settings.ts'
import { refusal } from './refusal.ts'

/**
 * The response to a request that may not pass: the guard's refusal (401, 403, 421 or 503), or 401 for one with the
 * token in its address, which belongs to a page; undefined when it may pass.
 */
export const refused = (request: Request): Response | undefined => {
  const verdict = judge(guardSettings(process.env), request)
  if (verdict.kind === 'pass') return undefined
  return refusal(
    verdict.kind === 'refuse'
      ? verdict
      : { kind: 'refuse', status: 401, sentence: 'A token belongs into the address of the page.' },
  )
}
