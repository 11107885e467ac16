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
  add(checkpoint: CheckpointRecord): Promise<void>
  get(id: string): Promise<CheckpointRecord | undefined>
  /** Newest first. */
  list(workspace: string): Promise<readonly CheckpointRecord[]>
  delete(id: string): Promise<boolean>
}
