/**
 * The files that a person works on in a workspace, excluding those ignored by git or by the person's own ignore files.
 */

/** A file of a workspace. */
export interface WorkspaceFile {
  /** Relative to the workspace, with `/` between names. With several roots, it starts with the root's name. */
  readonly path: string
  readonly bytes: number
  /** Time of the last change, ms since the epoch, with fractions. */
  readonly mtimeMs: number
  /** Git's id of the content, if the index confirms that the file on disk still has it. */
  readonly blobId?: string
}

/** Why a file's content is not returned. `unreadable`: the system refuses, for example because of permissions. */
export type ReadRefusal = 'gone' | 'too-large' | 'binary' | 'not-a-file' | 'outside' | 'ignored' | 'unreadable'

/** The whole content, or why there is none. */
export type FileContent =
  | { readonly content: Uint8Array }
  /** `by`: what says that it is ignored, such as `src/.gitignore`, as far as that is known. */
  | { readonly refused: ReadRefusal; readonly by?: string }

export interface FileList {
  /** Sorted by path. Only regular files: no links, pipes or devices. */
  readonly files: readonly WorkspaceFile[]
  /** False if there were more than the limit. */
  readonly isComplete: boolean
}

export interface ReadChoice {
  /** Also returns binary content: images and documents. Default: refused as `binary`. */
  readonly isBinaryWanted?: boolean
}

/** A folder of a workspace. */
export interface WorkspaceRoot {
  /** Absolute. */
  readonly folder: string
  /** The prefix of its files' paths: empty for a single root, otherwise its name and `/`. */
  readonly prefix: string
}

export interface WorkspaceFiles {
  /** In the given order. */
  readonly roots: readonly WorkspaceRoot[]
  /**
   * Lists the files again on each call. Rejects with the signal's reason once it is aborted; a missing root has no
   * files.
   */
  list(signal?: AbortSignal): Promise<FileList>
  /**
   * The content of a file of at most `maxBytes`. Never follows a link out of the roots, and opens only regular files: a
   * folder is `not-a-file`, or `ignored` if all in it is. Never rejects.
   */
  read(path: string, maxBytes: number, choice?: ReadChoice): Promise<FileContent>
}
