/** Records of checkpoints; their content is in the private repository. */
import type { LeftOutFile, SnapshotKind } from './snapshot-repository.ts'

/**
 * What a checkpoint leaves out: the number of files and folders, and the first of them, with those ignored by git last.
 */
export interface LeftOutSummary {
  readonly count: number
  readonly named: readonly LeftOutFile[]
}

export interface CheckpointRecord {
  readonly id: string
  readonly workspace: string
  readonly sessionId: string | null
  readonly at: number
  /** The commit in the private repository. */
  readonly commit: string
  readonly files: number
  readonly bytes: number
  /** Null if not recorded, by an older version. */
  readonly kind: SnapshotKind | null
  readonly label: string | null
  /** Null if not recorded: by an older version, or for a checkpoint made by a restore. */
  readonly leftOut: LeftOutSummary | null
}

/** Which checkpoints to list: of the workspace and of the session, both if both are given; without them, all. */
export interface CheckpointQuery {
  readonly workspace?: string
  readonly sessionId?: string
  /** Default: all. */
  readonly limit?: number
  /** Default 0. */
  readonly offset?: number
}

export interface CheckpointPage {
  /** Newest first. */
  readonly checkpoints: readonly CheckpointRecord[]
  /** Total over all pages. */
  readonly total: number
}

export interface CheckpointStorage {
  /** Stores the record; its files are already in the repository. */
  add(checkpoint: CheckpointRecord): Promise<void>
  /** The record with exactly this id; undefined if there is none. */
  get(id: string): Promise<CheckpointRecord | undefined>
  /** Newest first. */
  list(workspace: string): Promise<readonly CheckpointRecord[]>
  /** One page of the checkpoints that match a query. */
  page(query: CheckpointQuery): Promise<CheckpointPage>
  /** Every workspace with checkpoints, by name, with their number. */
  workspaces(): Promise<readonly { readonly workspace: string; readonly checkpoints: number }[]>
  /** Removes only the record; true if it existed. */
  delete(id: string): Promise<boolean>
}
