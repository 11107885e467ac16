/** The inputs for finding related files: the files of workspaces, their history, and a cache. */
import type { WorkspaceFiles } from './workspace-files.ts'

export interface SourceAccess {
  /**
   * The source files below absolute folders; others may be listed, too. Returns the same object for the same folders.
   */
  files(roots: readonly string[]): WorkspaceFiles
  /** The checked-out commit of a folder; undefined without git, or before the first commit. */
  head(folder: string): Promise<string | undefined>
  /**
   * The output of `git log` with these options for the commits before `head`, with paths relative to the folder;
   * undefined if git fails. Runs no program configured by the repository, and fetches nothing.
   */
  log(folder: string, head: string, options: readonly string[]): Promise<string | undefined>
  /**
   * The files that a file imports and those that import it, each once; empty for an unknown file, or one whose language
   * is not supported. Only changed files are read. Rejects with the signal's reason once it is aborted.
   */
  importNeighbours(roots: readonly string[], path: string, signal?: AbortSignal): Promise<readonly string[]>
  readonly cache: SourceCache
  /** Yields: resolves once other work of this program has run. */
  pause(): Promise<void>
}

/** Bytes by name, shared between processes. All content can be recomputed, so it may be lost at any time. */
export interface SourceCache {
  /** Undefined if there is none; `version` changes with each write. */
  read(name: string): Promise<{ readonly bytes: Uint8Array; readonly version: string } | undefined>
  /** The current version, without reading the content. */
  version(name: string): Promise<string | undefined>
  /**
   * Atomic: concurrent readers see either the old or the new bytes. Resolves to the new version, or to undefined if it
   * can't be written.
   */
  write(name: string, bytes: Uint8Array): Promise<string | undefined>
}
