/** Snapshots of a folder's files. Roots are absolute paths without links; paths of files are relative to them, with `/`. */

/** `before-restore`: made by a restore of what it was about to change, so that it can be undone. */
export type SnapshotKind = 'manual' | 'agent' | 'before-restore'

/** What a snapshot is made with. */
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
  /** Of all files together, uncompressed. */
  readonly bytes: number
  /** Which paths were looked at, where it was not the whole folder: all else is as it was seen before. */
  readonly paths: readonly string[] | null
}

/** A file or folder that a snapshot does not hold. `reason`: see checkpoints/left-out. */
export interface LeftOutFile {
  readonly path: string
  readonly isFolder: boolean
  readonly reason: string
  /** Bytes, of a file that is too large. */
  readonly size?: number
}

export interface CaptureOutcome {
  readonly snapshot: Snapshot
  /** False: nothing changed, and this is the newest snapshot that there was. */
  readonly isNew: boolean
  /** Files whose content or permissions are not as in the snapshot before. */
  readonly changed: number
  readonly leftOut: readonly LeftOutFile[]
  /** What all snapshots of the root take on disk, bytes. */
  readonly bytesOnDisk: number
}

export interface SnapshotProgress {
  readonly phase: 'looking' | 'reading' | 'restoring'
  readonly done: number
  /** Unknown while files are looked for. */
  readonly total?: number
}

export interface SnapshotOptions {
  readonly onProgress?: (progress: SnapshotProgress) => void
  /**
   * Files, and folders with all that is in them, absolute or relative to the root: only these are looked at, and only these
   * are restored. Where that is not enough (nothing was captured yet, rules of what is ignored are among them, more than
   * 1,000 files), a capture is one of the whole folder.
   */
  readonly paths?: readonly string[]
}

export interface CaptureOptions extends SnapshotOptions {
  /** No snapshot is taken where the newest one holds all as it is. Default false; ignored where paths are named. */
  readonly onlyIfChanged?: boolean
}

/** What a restore has to do with a preview. */
export interface AgreedOptions extends SnapshotOptions {
  /** Of the preview that was agreed to. */
  readonly token?: string
  /**
   * With a token: only the files that the preview named are looked at again, not the whole folder a second time. What
   * changed elsewhere since stays as it is. For callers that restore at once, with nobody asked in between.
   */
  readonly onlyPreviewed?: boolean
}

/** How one file differs. `mode`: only its permissions do. */
export interface FileDifference {
  readonly path: string
  readonly change: 'added' | 'modified' | 'removed' | 'mode'
  /** The difference as unified hunks, where it was asked for; null for what is no text. */
  readonly patch?: readonly string[] | null
  /** Permission bits before and after, null where there was no file. */
  readonly modes: readonly [number | null, number | null]
}

/** A file that a restore leaves as it is, and why, in words. */
export interface UntouchedFile {
  readonly path: string
  readonly why: string
}

/** What a restore would do; `token` stands for exactly this. */
export interface RestorePreview {
  /** What happens to each file, as seen from now. */
  readonly differences: readonly FileDifference[]
  /** Folders that would be made, removed once they are empty, or get their former permissions. */
  readonly folders: readonly string[]
  readonly untouched: readonly UntouchedFile[]
  readonly token: string
}

export interface RestoreOutcome {
  /** Files written, and files removed. */
  readonly restored: number
  readonly removed: number
  /** Files that hold something else now, or are gone; not those of which only permissions changed. */
  readonly paths: readonly string[]
  readonly untouched: readonly UntouchedFile[]
  /** The snapshot of what was there before; null when nothing had to be changed. */
  readonly undo: Snapshot | null
}

/** An interrupted restore that was brought to its end. */
export interface ResumedRestore extends RestoreOutcome {
  /** The snapshot that it restores. */
  readonly targetId: string
}

/** What is kept of a root's snapshots. */
export interface SnapshotLimits {
  readonly maximumAgeDays: number
  readonly maximumCount: number
  /** Bytes on disk. */
  readonly maximumBytes: number
}

export interface PruneOutcome {
  readonly removed: readonly Snapshot[]
  readonly kept: number
  /** Of the repository on disk, before and after. */
  readonly bytesBefore: number
  readonly bytesAfter: number
  /** Files that killed processes had left. */
  readonly leftovers: number
}

/** What became of a damaged repository. */
export interface RepositoryRepair {
  /** Where it is kept, as it was. Null where only files of Cairn's own were damaged, which were written anew in it. */
  readonly setAside: string | null
  /** Snapshots that were whole, and are in the repository now. */
  readonly kept: number
  /** Snapshots that only the damaged one has. */
  readonly lost: number
}

/** What was found of a repository. */
export interface RepositoryCheck {
  /** Null where it does not say of which root it is, and none that was asked about fits. */
  readonly root: string | null
  readonly folder: string
  /** Of the snapshots that it names, whole or not. */
  readonly commits: readonly string[]
  /** What is wrong with it, or was before the repair; null where it is sound. */
  readonly fault: string | null
  /** Why it could not be checked; null where it was. */
  readonly unchecked: string | null
  /** Null where nothing was repaired. */
  readonly repair: RepositoryRepair | null
}

export interface VerifyOptions {
  /** Roots that a repository may be of which does not say so itself. */
  readonly roots?: readonly string[]
  /** Damaged repositories are set aside whole, and new ones begun with what is whole of them. Default false. */
  readonly repair?: boolean
}

/**
 * Keeps snapshots, one repository a root. Every call first brings a restore to its end that was interrupted. All reject
 * with `invalid-input` for a root that is refused, `file-conflict` while another process works on the same root for long,
 * `storage-failed` without git, and when git or the disk fails.
 */
export interface SnapshotRepository {
  /** Takes a snapshot; a resolved one is on disk. */
  capture(root: string, request: SnapshotRequest, options?: CaptureOptions): Promise<CaptureOutcome>
  /** Newest first. Empty for a root without snapshots, which makes no repository. */
  list(root: string): Promise<readonly Snapshot[]>
  /** The files that a snapshot does not hold though they were there, with the reason for each. */
  leftOut(root: string, snapshot: Snapshot): Promise<readonly LeftOutFile[]>
  /**
   * The files that differ between one snapshot and another, or what is there now, and how; with `withPatch` also their
   * texts' differences.
   */
  differences(
    root: string,
    from: Snapshot,
    to: Snapshot | 'now',
    options?: SnapshotOptions & { readonly withPatch?: boolean },
  ): Promise<readonly FileDifference[]>
  /**
   * How many files of each snapshot differ from the next one of the list; one number fewer than snapshots. Only snapshots are
   * read, neither the root nor its own repository.
   */
  changeCounts(root: string, snapshots: readonly Snapshot[]): Promise<readonly number[]>
  /**
   * What a file held in a snapshot, of a link its target; undefined where the snapshot has no file of this path. Reads nothing
   * else. Rejects with `invalid-input` for a path that leads out of the root.
   */
  content(root: string, snapshot: Snapshot, path: string): Promise<Uint8Array | undefined>
  /** What a restore would do; changes nothing in the root. */
  preview(root: string, target: Snapshot, options?: SnapshotOptions): Promise<RestorePreview>
  /**
   * Gives the files of a snapshot back. First `undo` is captured, at least of all that will change. With `token`, rejects
   * with `file-conflict` and changes nothing when that would do something else than the preview said. Of a snapshot that a
   * restore made of some paths only these are given back.
   */
  restore(root: string, target: Snapshot, undo: SnapshotRequest, options?: AgreedOptions): Promise<RestoreOutcome>
  /** Ends a restore that was interrupted; undefined where there is none. */
  resume(root: string): Promise<ResumedRestore | undefined>
  /** Removes snapshots beyond the limits, and what killed processes left. */
  prune(root: string, limits: SnapshotLimits, now: number, isDryRun?: boolean): Promise<PruneOutcome>
  /** Removes these snapshots, and frees their space. */
  remove(root: string, snapshots: readonly Snapshot[]): Promise<void>
  /**
   * Removes everything that is kept of a root, also of one that is not there any more; returns how many snapshots that were and
   * what they took on disk, bytes. A restore that was interrupted stays as it is.
   */
  erase(root: string): Promise<{ readonly snapshots: number; readonly bytes: number }>
  /** Every root that has a repository on this machine. */
  roots(): Promise<readonly string[]>
  /** Reads all that is kept, of every root, and proves it. A damaged repository is no error. Nothing is ever removed. */
  verify(options?: VerifyOptions): Promise<readonly RepositoryCheck[]>
}
