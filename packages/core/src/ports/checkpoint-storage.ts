/** The record of checkpoints; their content lies in the shadow repository. */
import type { LeftOutFile, SnapshotKind } from './snapshot-repository.ts'

/** What a checkpoint does not hold: how many files and folders, and the first of them, those that git ignores last. */
export interface LeftOutSummary {
  readonly count: number
  readonly named: readonly LeftOutFile[]
}

export interface CheckpointRecord {
  readonly id: string
  readonly workspace: string
  readonly sessionId: string | null
  readonly at: number
  /** The shadow repository's commit. */
  readonly commit: string
  readonly files: number
  readonly bytes: number
  /** Null: not recorded, by an older version. */
  readonly kind: SnapshotKind | null
  readonly label: string | null
  /** Null: not recorded, by an older version or for what a restore made. */
  readonly leftOut: LeftOutSummary | null
}

/** Without a workspace and a session, the checkpoints of all. */
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
  /** Of all pages. */
  readonly total: number
}

export interface CheckpointStorage {
  /** Stores the record; its files are in the repository already. */
  add(checkpoint: CheckpointRecord): Promise<void>
  /** The record of this very id; undefined when there is none. */
  get(id: string): Promise<CheckpointRecord | undefined>
  /** Newest first. */
  list(workspace: string): Promise<readonly CheckpointRecord[]>
  /** A part of the checkpoints that a query asks for. */
  page(query: CheckpointQuery): Promise<CheckpointPage>
  /** Every workspace that has checkpoints, by name, with how many it has. */
  workspaces(): Promise<readonly { readonly workspace: string; readonly checkpoints: number }[]>
  /** Removes the record only; true if it was there. */
  delete(id: string): Promise<boolean>
}
