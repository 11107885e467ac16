/** Which of a request's refusals were answered with a rewrite already. */
import { countOf, isJsonObject } from '../../../json.ts'
import type { ContextView } from '../../view.ts'

/** What a rewrite keeps in its metadata for {@link handledRefusals}. */
export interface RefusalRecord {
  /** Requests that were made before it. */
  readonly requests: number
  /** Refusals of the request that it was decided for. */
  readonly refusals: number
}

/** The refusals of the request at hand that the policy of this name has acted on. */
export const handledRefusals = (view: ContextView, policy: string): number => {
  const last = view.rewrites.findLast((entry) => entry.policy === policy)
  const record = last?.metadata
  if (record === undefined || !isJsonObject(record) || record.requests !== view.requests) return 0
  return countOf(record.refusals)
}
