/** Which of a request's refusals were answered with a rewrite already. */
import { countOf, isJsonObject } from '../../../json.ts'
import type { ContextView } from '../../view.ts'

/**
 * The refusals of the request at hand that the policy of this name has acted on. A rewrite notes them in its metadata, as
 * `refusals`, with the number of `requests` that were made before it.
 */
export const handledRefusals = (view: ContextView, policy: string): number => {
  const last = view.rewrites.findLast((entry) => entry.policy === policy)
  const record = last?.metadata
  if (record === undefined || !isJsonObject(record) || record.requests !== view.requests) return 0
  return countOf(record.refusals)
}
