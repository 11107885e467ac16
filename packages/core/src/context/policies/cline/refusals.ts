/** Which of a request's refusals were answered with a rewrite already. */
import { countOf, isJsonObject } from '../../../json.ts'
import type { ContextView } from '../../view.ts'

/**
 * How many of the provider's refusals of the request at hand this policy has already answered with a rewrite; 0 where
 * it made none for this request. Read from the metadata of its last rewrite: `refusals`, which counts only where
 * `requests` still is the number of requests made.
 */
export const handledRefusals = (view: ContextView, policy: string): number => {
  const last = view.rewrites.findLast((entry) => entry.policy === policy)
  const record = last?.metadata
  if (record === undefined || !isJsonObject(record) || record.requests !== view.requests) return 0
  return countOf(record.refusals)
}
