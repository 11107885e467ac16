/** The record of checkpoints; their content lies in the shadow repository. */
export interface CheckpointRecord {
  readonly id: string
  readonly workspace: string
  readonly sessionId: string | null
  readonly at: number
  /** The shadow repository's commit. */
  readonly commit: string
  readonly files: number
  readonly bytes: number
}

export interface CheckpointStorage {
  /** Stores the record; its files are in the repository already. */
  add(checkpoint: CheckpointRecord): Promise<void>
  /** The record of this very id; undefined when there is none. */
  get(id: string): Promise<CheckpointRecord | undefined>
  /** Newest first. */
  list(workspace: string): Promise<readonly CheckpointRecord[]>
  /** Removes the record only; true if it was there. */
  delete(id: string): Promise<boolean>
}
