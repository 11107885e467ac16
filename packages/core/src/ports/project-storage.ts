/**
 * Which folders form one project. The store keeps facts about each folder; the grouping is derived from them on each
 * query (see projects/).
 */

/**
 * What was found at a folder's path on this machine. `unseen`: not checked yet. `missing`: no such folder here.
 * `folder`: not in a repository. `elsewhere`: its session came from another machine, so it is not looked up here.
 */
export type WorkspaceFinding = 'unseen' | 'missing' | 'folder' | 'repository' | 'elsewhere'

/** A folder named by sessions or requests. */
export interface ProjectWorkspace {
  readonly path: string
  readonly finding: WorkspaceFinding
  /**
   * Normalised address of its repository's remote; in a team's store, the project sent by the machine. Absent: unknown.
   */
  readonly remote?: string
  /** The project chosen by a user; it takes precedence. */
  readonly chosen?: string
}

/** What was found about a folder on this machine. */
export type FoundWorkspace = Pick<ProjectWorkspace, 'path' | 'remote'> & {
  readonly finding: 'missing' | 'folder' | 'repository'
}

export interface ProjectStorage {
  /** Every folder named by sessions or requests, by path. */
  workspaces(): Promise<readonly ProjectWorkspace[]>
  /** Stores findings. A missing folder does not replace what is known about it; unknown paths are skipped. */
  note(found: readonly FoundWorkspace[]): Promise<void>
  /** Assigns folders to a project; undefined resets them to their own. Unknown paths are skipped. */
  choose(paths: readonly string[], project: string | undefined): Promise<void>
}
