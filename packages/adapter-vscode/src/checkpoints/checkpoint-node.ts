/** The nodes of the tree of checkpoints. Ids stay the same over refreshes, so that the editor keeps what is unfolded and chosen. */
import type { Checkpoint, FileDifference, SessionSummary } from '@cairn/core'

/** A folder, where several are open. */
interface RootNode {
  readonly kind: 'root'
  readonly id: string
  /** Absolute, without links. */
  readonly root: string
  readonly isFirst: boolean
}

/** A checkpoint in the tree. */
export interface CheckpointNode {
  readonly kind: 'checkpoint'
  readonly id: string
  readonly checkpoint: Checkpoint
  /** Files that differ from the checkpoint before; undefined while they are being counted. */
  readonly changed: number | undefined
  readonly isOldest: boolean
  /** Undefined where it has none, or where the session is not in the store any more. */
  readonly session: SessionSummary | undefined
}

/** A file that differs now from what it was. */
export interface DifferenceNode {
  readonly kind: 'difference'
  readonly id: string
  readonly checkpoint: Checkpoint
  readonly difference: FileDifference
}

/** Shows the next page when it is chosen. */
interface MoreCheckpointsNode {
  readonly kind: 'more'
  readonly id: string
  readonly root: string
  readonly left: number
}

/** A sentence in place of nodes. */
export interface NoteNode {
  readonly kind: 'note'
  readonly id: string
  readonly text: string
  readonly isTrouble: boolean
}

/** A node of the tree of checkpoints. */
export type CheckpointTreeNode = RootNode | CheckpointNode | DifferenceNode | MoreCheckpointsNode | NoteNode
