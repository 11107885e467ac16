/** The guard before a route of data: once more after the proxy, so that no gap in the routing lays the data open. */
import { judge } from './guard.ts'
import { guardSettings } from './guard-settings.ts'
import { refusal } from './refusal.ts'

/** The refusal, or undefined when the request may pass. */
export const refused = (request: Request): Response | undefined => {
  const verdict = judge(guardSettings(process.env), request)
  if (verdict.kind === 'pass') return undefined
  return refusal(
    verdict.kind === 'refuse'
      ? verdict
      : { kind: 'refuse', status: 401, sentence: 'A token belongs into the address of the page.' },
  )
}
