/** The interface of the baseline rankers that recall is compared with: they read every text for every query. */
import type { Role } from '../../messages.ts'

/** A message to score. */
export interface BaselineMessage {
  readonly role: Role
  readonly text: string
  /** Title of its session. */
  readonly title?: string | undefined
}

/** Returns the scores of the messages, in their order; 0 for those that do not match. */
export type Baseline = (query: string, messages: readonly BaselineMessage[]) => Float64Array
