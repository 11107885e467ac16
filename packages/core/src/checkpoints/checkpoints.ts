/** Checkpoints of a workspace's files, as callers use them. */
import type { ErrorCode } from '../errors.ts'
import type {
  AgreedOptions,
  FileDifference,
  LeftOutFile,
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
  /** The folder, absolute and without links. */
  readonly root: string
  readonly sessionId: string | null
  /** ms */
  readonly at: number
  /** `before-restore`: made by a restore, of what it changed. */
  readonly kind: SnapshotKind
  readonly label: string | null
  readonly files: number
  /** Of all files together, uncompressed. */
  readonly bytes: number
  /** Which paths were looked at, where it was not the whole folder: all else is as it was seen before. */
  readonly paths: readonly string[] | null
}

export interface CheckpointInput {
  /** An absolute path. */
  readonly root: string
  /** The session that it belongs to, which notes it in its log. Rejects with `not-found` where the store does not have it. */
  readonly sessionId?: string
  /**
   * Instead: the session of an agent that is at work beside, by the id that it has in the store, or gets there once its
   * transcript is taken in. The checkpoint is recorded with it; its log is left to the import.
   */
  readonly agentSessionId?: string
  /** What it is for, in a few words. */
  readonly label?: string
  /** Default `manual`, with `agentSessionId` `agent`. */
  readonly kind?: Exclude<SnapshotKind, 'before-restore'>
  /**
   * Files, and folders with all that is in them, absolute or relative to the root, that may have changed since the checkpoint
   * before: only these are looked at, which is quick however large the folder is. Everything else is kept as it was seen
   * last, and the next checkpoint without paths catches up.
   */
  readonly paths?: readonly string[]
  /** The newest checkpoint is given where all is as it has it, and none is made. Default false; not with `paths`. */
  readonly onlyIfChanged?: boolean
  readonly onProgress?: (progress: SnapshotProgress) => void
}

/** As for one root; `paths` would be of one of them. */
export interface CheckpointsInput extends Omit<CheckpointInput, 'root' | 'paths'> {
  /** Absolute paths. One that is named twice is captured once. */
  readonly roots: readonly string[]
}

/** A root of which no checkpoint was made, and why, in a sentence. */
export interface RefusedRoot {
  readonly root: string
  readonly code: ErrorCode
  readonly message: string
}

export interface CreatedCheckpoints {
  /** One for each root that was not refused, in their order. */
  readonly created: readonly CreatedCheckpoint[]
  readonly refused: readonly RefusedRoot[]
}

interface FilesAlone {
  /** The caller takes the session's conversation back to the same moment, so that its agent needs no warning. Default false. */
  readonly withConversation?: boolean
}

/** `paths`: only these files, and folders with all that is in them, are looked at and restored. */
type RestoreOptions = Pick<CheckpointInput, 'onProgress' | 'paths'>

export interface CreatedCheckpoint {
  /** With `onlyIfChanged`, the newest one that there was where nothing changed. */
  readonly checkpoint: Checkpoint
  /** Whether it was made now. */
  readonly isNew: boolean
  /** Files that differ from the checkpoint before. */
  readonly changed: number
  readonly leftOut: readonly LeftOutFile[]
}

/** The last that is known of who changed a file since a checkpoint. */
export interface FileAuthor {
  readonly sessionId: string
  readonly agent: string
  /** ms */
  readonly at: number
}

/** A file that a restore would change. */
export interface RestoredFile extends FileDifference {
  /** The agent that edited it after the checkpoint; null where no session did: a person, a program, git. */
  readonly author: FileAuthor | null
}

export interface CheckpointPreview {
  readonly checkpoint: Checkpoint
  readonly files: readonly RestoredFile[]
  /** Folders that would be made, removed once they are empty, or get their former permissions. */
  readonly folders: readonly string[]
  /** What stays as it is, though the checkpoint has it otherwise. */
  readonly untouched: readonly UntouchedFile[]
  /** For `restore`: exactly this is agreed to. */
  readonly token: string
}

export interface CheckpointRestored {
  readonly checkpoint: Checkpoint
  readonly restored: number
  readonly removed: number
  /** Files that hold something else now, or are gone; not those of which only permissions changed. */
  readonly paths: readonly string[]
  readonly untouched: readonly UntouchedFile[]
  /** What was there before; null when nothing had to be changed. */
  readonly undo: Checkpoint | null
}

/** What was found of the checkpoints of a folder. */
export interface FolderCheck extends Omit<RepositoryCheck, 'commits'> {
  /** How many it names, whole or not; after a repair those that were kept. */
  readonly checkpoints: number
}

/** Records in the store whose checkpoint is not on this machine. */
export interface MissingCheckpoints {
  readonly root: string
  readonly checkpoints: number
}

export interface CheckpointsCheck {
  readonly folders: readonly FolderCheck[]
  /** Folders of which nothing can be told are left out. */
  readonly missing: readonly MissingCheckpoints[]
}

/**
 * Checkpoints. All calls reject with `storage-failed` without git, `unsupported` where the engine was made without snapshots,
 * `invalid-input` for a root that is refused, `not-found` and `ambiguous` for an id.
 */
export interface Checkpoints {
  /** Keeps the files of a root as they are. A resolved checkpoint is on disk. */
  create(input: CheckpointInput): Promise<CreatedCheckpoint>
  /**
   * Keeps the files of several roots, one checkpoint each with the same label. A root that is refused, can't be read or has no
   * space is named, and the others are kept; rejects with the first's reason where all are refused, and when the store fails.
   */
  createAll(input: CheckpointsInput): Promise<CreatedCheckpoints>
  /** Newest first. */
  list(root: string): Promise<readonly Checkpoint[]>
  /** The checkpoint of an id, or of its beginning. */
  find(root: string, idOrPrefix: string): Promise<Checkpoint>
  leftOut(root: string, id: string): Promise<readonly LeftOutFile[]>
  /** What changed from a checkpoint to another one, or to now; `withPatch` adds the text. */
  diff(
    root: string,
    from: string,
    to?: string,
    options?: Pick<CheckpointInput, 'onProgress'> & { readonly withPatch?: boolean },
  ): Promise<readonly FileDifference[]>
  /**
   * How many files of the newest `limit` checkpoints differ from the checkpoint before, by id; the first of all counts every
   * file. Reads nothing of the folder.
   */
  changeCounts(root: string, limit: number): Promise<ReadonlyMap<string, number>>
  /**
   * What a file held, of a link its target; `path` is relative to the root, with `/`. Undefined where the checkpoint has no file
   * of this path. Reads nothing of the folder. Rejects with `invalid-input` for a path that leads out of it.
   */
  content(root: string, id: string, path: string): Promise<Uint8Array | undefined>
  /** What a restore would change, and who changed it since; changes nothing. */
  preview(root: string, id: string, options?: RestoreOptions): Promise<CheckpointPreview>
  /**
   * Gives a checkpoint's files back; with a preview's `token` only if it does what that said, else `file-conflict`. The
   * checkpoint's session keeps a warning for its agent, which knows the files otherwise; see `EngineFiles.warnings`.
   */
  restore(
    root: string,
    id: string,
    options?: RestoreOptions & Pick<AgreedOptions, 'token' | 'onlyPreviewed'> & FilesAlone,
  ): Promise<CheckpointRestored>
  /** The checkpoint that the last restore made. Rejects with `not-found` where there was none. */
  lastUndo(root: string): Promise<Checkpoint>
  /** Ends a restore that was interrupted; undefined where there is none. */
  resume(root: string): Promise<ResumedRestore | undefined>
  /** Removes what is beyond the limits; without limits the usual ones. */
  prune(
    root: string,
    options?: { readonly limits?: Partial<SnapshotLimits>; readonly dryRun?: boolean },
  ): Promise<PruneOutcome>
  /** Removes all checkpoints of a root, also of one that is not there any more. `bytes`: what they took on disk. */
  erase(root: string): Promise<{ readonly checkpoints: number; readonly bytes: number }>
  /** Every root with checkpoints on this machine. */
  roots(): Promise<readonly string[]>
  /**
   * Reads and proves the checkpoints of all folders, and looks for each that the store has on record. With `repair` damaged
   * repositories are set aside, and new ones begun with the checkpoints that are whole.
   */
  verify(options?: { readonly repair?: boolean }): Promise<CheckpointsCheck>
}
