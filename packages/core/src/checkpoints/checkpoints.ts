/** The public interface of checkpoints of a workspace's files. */
import type { ErrorCode } from '../errors.ts'
import type {
  AgreedOptions,
  FileDifference,
  LeftOutFile,
  PatchOptions,
  PruneOutcome,
  RepositoryCheck,
  ResumedRestore,
  SnapshotKind,
  SnapshotLimits,
  SnapshotProgress,
  UntouchedFile,
} from '../ports/snapshot-repository.ts'

export interface Checkpoint {
  readonly id: string
  /** The folder: absolute, with links resolved. */
  readonly root: string
  readonly sessionId: string | null
  /** ms */
  readonly at: number
  /** `before-restore`: made by a restore, with the files it changed. */
  readonly kind: SnapshotKind
  readonly label: string | null
  readonly files: number
  /** Total size of all files, uncompressed. */
  readonly bytes: number
  /** The paths that were checked, if not the whole folder; everything else is as it was seen before. */
  readonly paths: readonly string[] | null
}

export interface CheckpointInput {
  /** An absolute path. */
  readonly root: string
  /**
   * The session it belongs to, whose log records it. Rejects with `not-found` if the store does not have the session.
   */
  readonly sessionId?: string
  /**
   * Alternatively, the session of another agent, by the id that it has in the store, or will have once its transcript
   * is imported. The checkpoint is recorded with it; its log is left to the import.
   */
  readonly agentSessionId?: string
  /** A short description. */
  readonly label?: string
  /** Default `manual`, or `agent` with `agentSessionId`. */
  readonly kind?: Exclude<SnapshotKind, 'before-restore'>
  /**
   * Files, and folders with all their content, that may have changed since the previous checkpoint, absolute or
   * relative to the root. Only these are checked, which is fast in a folder of any size. Everything else is kept as
   * last seen, and the next checkpoint without paths catches up.
   */
  readonly paths?: readonly string[]
  /** Returns the newest checkpoint, and makes none, if nothing has changed. Default false; not allowed with `paths`. */
  readonly onlyIfChanged?: boolean
  readonly onProgress?: (progress: SnapshotProgress) => void
}

/** As for one root, without `paths`, which refer to one root. */
export interface CheckpointsInput extends Omit<CheckpointInput, 'root' | 'paths'> {
  /** Absolute paths. A path that occurs twice is captured once. */
  readonly roots: readonly string[]
}

/** A root without a checkpoint, and the reason as a sentence. */
export interface RefusedRoot {
  readonly root: string
  readonly code: ErrorCode
  readonly message: string
}

export interface CreatedCheckpoints {
  /** One for each root that was not refused, in order. */
  readonly created: readonly CreatedCheckpoint[]
  readonly refused: readonly RefusedRoot[]
}

interface FilesAlone {
  /**
   * True if the caller also rewinds the session's conversation to the same moment, so that its agent needs no warning.
   * Default false.
   */
  readonly withConversation?: boolean
}

/** `paths`: only these files, and folders with all their content, are checked and restored. */
type RestoreOptions = Pick<CheckpointInput, 'onProgress' | 'paths'>

export interface CreatedCheckpoint {
  /** With `onlyIfChanged`, the newest existing one if nothing changed. */
  readonly checkpoint: Checkpoint
  /** Whether it was made by this call. */
  readonly isNew: boolean
  /** Number of files that differ from the previous checkpoint. */
  readonly changed: number
  readonly leftOut: readonly LeftOutFile[]
}

/** The last known author of a change to a file since a checkpoint. */
export interface FileAuthor {
  readonly sessionId: string
  readonly agent: string
  /** ms */
  readonly at: number
}

/** A file that a restore would change. */
export interface RestoredFile extends FileDifference {
  /** The agent that edited it after the checkpoint; null if no session did: a person, a program or git. */
  readonly author: FileAuthor | null
}

export interface CheckpointPreview {
  readonly checkpoint: Checkpoint
  readonly files: readonly RestoredFile[]
  /** Folders that would be created, removed once empty, or get their former permissions back. */
  readonly folders: readonly string[]
  /** Files that stay as they are although the checkpoint differs. */
  readonly untouched: readonly UntouchedFile[]
  /** Pass it to `restore` to agree to exactly this. */
  readonly token: string
}

export interface CheckpointRestored {
  readonly checkpoint: Checkpoint
  readonly restored: number
  readonly removed: number
  /** Files that now have different content, or are missing; excludes those with only different permissions. */
  readonly paths: readonly string[]
  readonly untouched: readonly UntouchedFile[]
  /** The state before the restore; null if nothing had to be changed. */
  readonly undo: Checkpoint | null
}

/** The result of checking a folder's checkpoints. */
export interface FolderCheck extends Omit<RepositoryCheck, 'commits'> {
  /** The number of checkpoints named, intact or not; after a repair, those that were kept. */
  readonly checkpoints: number
}

/** Records in the store whose checkpoint is not on this machine. */
export interface MissingCheckpoints {
  readonly root: string
  readonly checkpoints: number
}

export interface CheckpointsCheck {
  readonly folders: readonly FolderCheck[]
  /** Folders whose state is unknown are left out. */
  readonly missing: readonly MissingCheckpoints[]
}

/**
 * Checkpoints. All calls reject with `storage-failed` without git, `unsupported` if the engine was created without
 * snapshots, `invalid-input` for a refused root, and `not-found` or `ambiguous` for an id.
 */
export interface Checkpoints {
  /** Makes a checkpoint of a root's files. It is on disk when the promise resolves. */
  create(input: CheckpointInput): Promise<CreatedCheckpoint>
  /**
   * Makes one checkpoint for each of several roots, with the same label. A root that is refused, can't be read or has
   * no space is reported, and the others are captured. Rejects with the first reason if all are refused, and if the
   * store fails.
   */
  createAll(input: CheckpointsInput): Promise<CreatedCheckpoints>
  /** Newest first. */
  list(root: string): Promise<readonly Checkpoint[]>
  /** The checkpoint with an id or a prefix of it. */
  find(root: string, idOrPrefix: string): Promise<Checkpoint>
  /** What a checkpoint left out, and why; no restore touches any of it. */
  leftOut(root: string, id: string): Promise<readonly LeftOutFile[]>
  /**
   * The changes from a checkpoint to another one, or to now. Between two checkpoints it reads only these, and writes
   * nothing.
   */
  diff(
    root: string,
    from: string,
    to?: string,
    options?: Pick<CheckpointInput, 'onProgress'> & PatchOptions,
  ): Promise<readonly FileDifference[]>
  /**
   * For each of the newest `limit` checkpoints, by id, the number of files that differ from the previous one; the very
   * first counts every file. Does not read the folder.
   */
  changeCounts(root: string, limit: number): Promise<ReadonlyMap<string, number>>
  /**
   * The content of a file, or the target of a link; `path` is relative to the root, with `/`. Undefined if the
   * checkpoint has no file at this path. Does not read the folder. Rejects with `invalid-input` for a path that leads
   * out of it.
   */
  content(root: string, id: string, path: string): Promise<Uint8Array | undefined>
  /** What a restore would change, and who changed it since; changes nothing. */
  preview(root: string, id: string, options?: RestoreOptions): Promise<CheckpointPreview>
  /**
   * Restores a checkpoint's files. With a preview's `token`, it does exactly what the preview said or rejects with
   * `file-conflict`. The checkpoint's session keeps a warning for its agent, whose knowledge of the files is now
   * outdated; see `EngineFiles.warnings`.
   */
  restore(
    root: string,
    id: string,
    options?: RestoreOptions & Pick<AgreedOptions, 'token' | 'onlyPreviewed'> & FilesAlone,
  ): Promise<CheckpointRestored>
  /** The checkpoint made by the last restore. Rejects with `not-found` if there is none. */
  lastUndo(root: string): Promise<Checkpoint>
  /** Completes an interrupted restore; undefined if there is none. */
  resume(root: string): Promise<ResumedRestore | undefined>
  /** Removes checkpoints beyond the limits; without limits, the defaults apply. */
  prune(
    root: string,
    options?: { readonly limits?: Partial<SnapshotLimits>; readonly dryRun?: boolean },
  ): Promise<PruneOutcome>
  /** Removes all checkpoints of a root, even if the root no longer exists. `bytes` is their size on disk. */
  erase(root: string): Promise<{ readonly checkpoints: number; readonly bytes: number }>
  /** Every root with checkpoints on this machine. */
  roots(): Promise<readonly string[]>
  /**
   * Reads and verifies the checkpoints of all folders, and looks for each one that the store has on record. With
   * `repair`, damaged repositories are set aside, and new ones start with the intact checkpoints.
   */
  verify(options?: { readonly repair?: boolean }): Promise<CheckpointsCheck>
}
