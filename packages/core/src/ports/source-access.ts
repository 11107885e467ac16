/** What related files are found from: the files of workspaces, their history, and a cache. */
import type { WorkspaceFiles } from './workspace-files.ts'

export interface SourceAccess {
  /** The source files below folders, absolute; others may be listed, too. The same object for the same folders. */
  files(roots: readonly string[]): WorkspaceFiles
  /** The commit that is checked out in a folder; undefined without git, or before the first commit. */
  head(folder: string): Promise<string | undefined>
  /**
   * What `git log` prints with these options for the commits before `head`, paths relative to the folder; undefined where git
   * says no. No program that the repository names is run, and nothing is fetched.
   */
  log(folder: string, head: string, options: readonly string[]): Promise<string | undefined>
  /**
   * The files that a file imports and those that import it, each once; none for a file that the folders do not have, or whose
   * language is not read for imports. Only files that changed are read. Rejects with the signal's reason once it is aborted.
   */
  importNeighbours(roots: readonly string[], path: string, signal?: AbortSignal): Promise<readonly string[]>
  readonly cache: SourceCache
  /** Resolves when other work of this program had its turn. */
  pause(): Promise<void>
}

/** Bytes by name, shared between processes. What it holds can be made anew: it may lose anything at any time. */
export interface SourceCache {
  /** Undefined where there is none; `version` differs after each change. */
  read(name: string): Promise<{ readonly bytes: Uint8Array; readonly version: string } | undefined>
  /** The version of what is there, without reading it. */
  version(name: string): Promise<string | undefined>
  /** Whoever reads meanwhile sees the old bytes or the new. Resolves to the new version; to undefined where it can't be written. */
  write(name: string, bytes: Uint8Array): Promise<string | undefined>
}
