/** Full-text search over everything that was ever said, trimmed or not. */
import type { Role } from '../messages.ts'

export interface SearchQuery {
  /** Words as a person types them; no operators. */
  readonly text: string
  readonly limit?: number
  /** A path, or a project's name. */
  readonly workspace?: string
  readonly sessionId?: string
  readonly agent?: string
  readonly branch?: string
  readonly role?: Role
  readonly since?: number
  readonly until?: number
}

export interface SearchHit {
  readonly sessionId: string
  readonly seq: number
  readonly messageId: string
  readonly externalId: string
  readonly at: number | null
  readonly role: Role
  /** Higher is better; comparable within one answer only. */
  readonly score: number
  /** All text of the message that was searched. */
  readonly text: string
}

export interface SearchIndex {
  /** Best first. A message can be found as soon as its append has resolved. */
  search(query: SearchQuery): Promise<readonly SearchHit[]>
}
