/** Snapshots of a folder's files. Roots are absolute paths without links; file paths are relative to them, with `/`. */

/** `before-restore`: made by a restore, with what it was about to change, so that it can be undone. */
export type SnapshotKind = 'manual' | 'agent' | 'before-restore'

/** The metadata of a new snapshot. */
export interface SnapshotRequest {
  readonly id: string
  readonly sessionId: string | null
  /** ms */
  readonly at: number
  readonly kind: SnapshotKind
  readonly label: string | null
}

export interface Snapshot extends SnapshotRequest {
  readonly commit: string
  readonly files: number
  /** Total size of all files, uncompressed. */
  readonly bytes: number
  /** The paths that were checked, if not the whole folder; everything else is as it was seen before. */
  readonly paths: readonly string[] | null
}

/** A file or folder that a snapshot leaves out. `reason`: see checkpoints/left-out. */
export interface LeftOutFile {
  readonly path: string
  readonly isFolder: boolean
  readonly reason: string
  /** Size in bytes, for a file that is too large. */
  readonly size?: number
}

export interface CaptureOutcome {
  readonly snapshot: Snapshot
  /** False if nothing changed and this is the existing newest snapshot. */
  readonly isNew: boolean
  /** Number of files whose content or permissions differ from the previous snapshot. */
  readonly changed: number
  readonly leftOut: readonly LeftOutFile[]
  /** Size of all snapshots of the root on disk, bytes. */
  readonly bytesOnDisk: number
}

export interface SnapshotProgress {
  readonly phase: 'looking' | 'reading' | 'restoring'
  readonly done: number
  /** Unknown while files are being listed. */
  readonly total?: number
}

export interface SnapshotOptions {
  readonly onProgress?: (progress: SnapshotProgress) => void
  /**
   * Files, and folders with all their content, absolute or relative to the root: only these are checked and restored. A
   * capture covers the whole folder if that is not enough (nothing was captured yet, ignore rules are among them, or
   * more than 1,000 files).
   */
  readonly paths?: readonly string[]
}

export interface CaptureOptions extends SnapshotOptions {
  /** Takes no snapshot if the newest one matches the current state. Default false; ignored if paths are given. */
  readonly onlyIfChanged?: boolean
}

/** How a restore relates to a preview. */
export interface AgreedOptions extends SnapshotOptions {
  /** From the preview that was agreed to. */
  readonly token?: string
  /**
   * With a token: checks only the files named by the preview, not the whole folder again. Changes elsewhere since stay.
   * For callers that restore immediately, without asking anyone in between.
   */
  readonly onlyPreviewed?: boolean
}

/** How one file differs. `mode`: only in its permissions. */
export interface FileDifference {
  readonly path: string
  readonly change: 'added' | 'modified' | 'removed' | 'mode'
  /** The difference as unified hunks, if requested; null for binary files. */
  readonly patch?: readonly string[] | null
  /** Permission bits before and after; null if there was no file. */
  readonly modes: readonly [number | null, number | null]
}

export interface PatchOptions {
  /** Adds the difference of the texts: of every file, or of those with these paths, as the result names them. */
  readonly withPatch?: boolean | readonly string[]
}

/** A file that a restore leaves alone, and why, in words. */
export interface UntouchedFile {
  readonly path: string
  readonly why: string
}

/** What a restore would do; `token` identifies exactly this. */
export interface RestorePreview {
  /** What happens to each file, relative to now. */
  readonly differences: readonly FileDifference[]
  /** Folders that would be created, removed once empty, or get their former permissions back. */
  readonly folders: readonly string[]
  readonly untouched: readonly UntouchedFile[]
  readonly token: string
}

export interface RestoreOutcome {
  /** Number of files written, and of files removed. */
  readonly restored: number
  readonly removed: number
  /** Files that now have different content, or are missing; excludes those with only different permissions. */
  readonly paths: readonly string[]
  readonly untouched: readonly UntouchedFile[]
  /** The snapshot of the state before; null if nothing had to be changed. */
  readonly undo: Snapshot | null
}

/** An interrupted restore that was completed. */
export interface ResumedRestore extends RestoreOutcome {
  /** The snapshot it restored. */
  readonly targetId: string
}

/** Retention limits of a root's snapshots. */
export interface SnapshotLimits {
  readonly maximumAgeDays: number
  readonly maximumCount: number
  /** Bytes on disk. */
  readonly maximumBytes: number
}

export interface PruneOutcome {
  readonly removed: readonly Snapshot[]
  readonly kept: number
  /** Size of the repository on disk, before and after. */
  readonly bytesBefore: number
  readonly bytesAfter: number
  /** Files left behind by killed processes. */
  readonly leftovers: number
}

/** The result of repairing a damaged repository. */
export interface RepositoryRepair {
  /** Where the damaged one is kept, unchanged. Null if only Cairn's own files in it were damaged and rewritten. */
  readonly setAside: string | null
  /** Intact snapshots that are in the repository now. */
  readonly kept: number
  /** Snapshots that only the damaged one has. */
  readonly lost: number
}

/** The result of checking a repository. */
export interface RepositoryCheck {
  /** Null if the repository does not name its root, and none of the given roots fits. */
  readonly root: string | null
  readonly folder: string
  /** All snapshots that it names, intact or not. */
  readonly commits: readonly string[]
  /** The fault, or the fault before the repair; null if it is intact. */
  readonly fault: string | null
  /** Why it could not be checked; null if it was. */
  readonly unchecked: string | null
  /** Null if nothing was repaired. */
  readonly repair: RepositoryRepair | null
}

export interface VerifyOptions {
  /** Possible roots of a repository that does not name its own. */
  readonly roots?: readonly string[]
  /** Sets damaged repositories aside and starts new ones with their intact content. Default false. */
  readonly repair?: boolean
}

/**
 * Stores snapshots, with one repository per root. Calls that write first complete an interrupted restore. All methods reject
 * with `invalid-input` for a refused root, `file-conflict` if another process works on the same root for long, and
 * `storage-failed` without git, and if git or the disk fails.
 */
export interface SnapshotRepository {
  /** Takes a snapshot; it is on disk when the promise resolves. */
  capture(root: string, request: SnapshotRequest, options?: CaptureOptions): Promise<CaptureOutcome>
  /** Newest first. Empty for a root without snapshots; does not create a repository. */
  list(root: string): Promise<readonly Snapshot[]>
  /** The files that a snapshot left out, with the reason for each. */
  leftOut(root: string, snapshot: Snapshot): Promise<readonly LeftOutFile[]>
  /**
   * The files that differ between a snapshot and another one, or the current state, and how. Between two snapshots it
   * reads only these: it writes nothing, waits for no other process, and leaves an interrupted restore as it is.
   */
  differences(
    root: string,
    from: Snapshot,
    to: Snapshot | 'now',
    options?: SnapshotOptions & PatchOptions,
  ): Promise<readonly FileDifference[]>
  /**
   * For each snapshot except the last, the number of files that differ from the next one in the list. Reads only
   * snapshots, neither the root nor its own repository.
   */
  changeCounts(root: string, snapshots: readonly Snapshot[]): Promise<readonly number[]>
  /**
   * The content of a file in a snapshot, or the target of a link; undefined if the snapshot has no file at this path.
   * Reads nothing else. Rejects with `invalid-input` for a path that leads out of the root.
   */
  content(root: string, snapshot: Snapshot, path: string): Promise<Uint8Array | undefined>
  /** What a restore would do; changes nothing in the root. */
  preview(root: string, target: Snapshot, options?: SnapshotOptions): Promise<RestorePreview>
  /**
   * Restores the files of a snapshot. It first captures `undo`, at least of everything that will change. With `token`,
   * it rejects with `file-conflict` and changes nothing if it would do something other than the preview said. For a
   * snapshot that a restore made of some paths, only these are restored.
   */
  restore(root: string, target: Snapshot, undo: SnapshotRequest, options?: AgreedOptions): Promise<RestoreOutcome>
  /** Completes an interrupted restore; undefined if there is none. */
  resume(root: string): Promise<ResumedRestore | undefined>
  /** Removes snapshots beyond the limits, and leftovers of killed processes. */
  prune(root: string, limits: SnapshotLimits, now: number, isDryRun?: boolean): Promise<PruneOutcome>
  /** Removes these snapshots, and frees their space. */
  remove(root: string, snapshots: readonly Snapshot[]): Promise<void>
  /**
   * Removes everything stored about a root, even if the root no longer exists; returns the number of snapshots and
   * their size on disk in bytes. An interrupted restore stays as it is.
   */
  erase(root: string): Promise<{ readonly snapshots: number; readonly bytes: number }>
  /** Every root with a repository on this machine. */
  roots(): Promise<readonly string[]>
  /**
   * Reads and verifies all stored data of every root. A damaged repository is not an error. Nothing is ever removed.
   */
  verify(options?: VerifyOptions): Promise<readonly RepositoryCheck[]>
}
