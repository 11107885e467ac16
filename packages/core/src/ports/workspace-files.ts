/** The files that a person works on in a workspace: without what git or the person's own ignore files leave out. */

/** A file of a workspace. */
export interface WorkspaceFile {
  /** Relative to the workspace, with `/` between names. With several roots it begins with the root's name. */
  readonly path: string
  readonly bytes: number
  /** Last change, ms since the epoch, with fractions. */
  readonly mtimeMs: number
  /** Git's id of the content, where the index vouches that the file on disk still has it. */
  readonly blobId?: string
}

/** Why a file's content is not given. `unreadable`: the system refuses, such as for lack of permission. */
export type ReadRefusal = 'gone' | 'too-large' | 'binary' | 'not-a-file' | 'outside' | 'ignored' | 'unreadable'

/** The whole content, or why there is none. */
export type FileContent = { readonly content: Uint8Array } | { readonly refused: ReadRefusal }

export interface FileList {
  /** Sorted by path. Regular files alone: no links, pipes or devices. */
  readonly files: readonly WorkspaceFile[]
  /** False where there were more than the limit. */
  readonly isComplete: boolean
}

export interface ReadChoice {
  /** Gives what is no text, too: images and documents. Default: it is refused as `binary`. */
  readonly isBinaryWanted?: boolean
}

export interface WorkspaceFiles {
  /** Absolute, in the order in which they were given; the first one is where git is asked for the history. */
  readonly roots: readonly string[]
  /** Looks anew at each call. Rejects with the signal's reason once it is aborted; a root that is not there has no files. */
  list(signal?: AbortSignal): Promise<FileList>
  /**
   * The content of a file, as long as it has at most `maxBytes`. Never follows a link out of the roots, and never opens what
   * is no regular file. Never rejects.
   */
  read(path: string, maxBytes: number, choice?: ReadChoice): Promise<FileContent>
}
