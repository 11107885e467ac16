/** The nodes of the tree of sessions. Ids stay the same over refreshes, so that the editor keeps what is unfolded and chosen. */
import type { SessionSummary } from '@cairn/core'

/** Where a group's sessions are: in a range of the list of all sessions, or in the list of one project. */
type GroupRange =
  | { readonly kind: 'range'; readonly offset: number; readonly count: number }
  | { readonly kind: 'project'; readonly workspace: string | undefined }

/** A group of sessions in the tree. */
export interface GroupNode {
  readonly kind: 'group'
  readonly id: string
  readonly label: string
  readonly description: string
  readonly icon: 'calendar' | 'folder' | 'folder-opened'
  readonly isOpen: boolean
  readonly range: GroupRange
}

/** A session in the tree. */
interface SessionItemNode {
  readonly kind: 'session'
  readonly id: string
  readonly session: SessionSummary
}

/** Shows the next page when it is chosen. */
export interface MoreNode {
  readonly kind: 'more'
  readonly id: string
  readonly label: string
  /** The group that it continues; undefined: the list of groups. */
  readonly group: GroupNode | undefined
}

/** A node of the tree of sessions. */
export type SessionNode = GroupNode | SessionItemNode | MoreNode
