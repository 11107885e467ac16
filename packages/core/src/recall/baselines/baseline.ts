/** What recall is measured against: rankers that read every text at each question, as simple programs do. */
import type { Role } from '../../messages.ts'

export interface BaselineMessage {
  readonly role: Role
  readonly text: string
  /** Of its session. */
  readonly title?: string | undefined
}

/** Scores of messages, in their order; 0 for those that are not found. */
export type Baseline = (query: string, messages: readonly BaselineMessage[]) => Float64Array
