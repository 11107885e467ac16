/**
 * Which folders belong to one project. The store keeps what is known of each folder; which of them are one project is
 * decided from that whenever it is asked (see projects/).
 */

/**
 * What was found at a folder's path on this machine. `unseen`: nobody looked yet. `missing`: there is no such folder here.
 * `folder`: it is in no repository. `elsewhere`: its session came from another machine, and it is not looked for here.
 */
export type WorkspaceFinding = 'unseen' | 'missing' | 'folder' | 'repository' | 'elsewhere'

/** A folder that sessions or requests name. */
export interface ProjectWorkspace {
  readonly path: string
  readonly finding: WorkspaceFinding
  /**
   * Address of its repository's remote, normalised; in a team's store what the machine sent as its project. Absent: none is
   * known.
   */
  readonly remote?: string
  /** The project that somebody chose for it; it counts before everything else. */
  readonly chosen?: string
}

/** What was found of a folder on this machine. */
export type FoundWorkspace = Pick<ProjectWorkspace, 'path' | 'remote'> & {
  readonly finding: 'missing' | 'folder' | 'repository'
}

export interface ProjectStorage {
  /** Every folder that sessions or requests name, by path. */
  workspaces(): Promise<readonly ProjectWorkspace[]>
  /**
   * Keeps what was found. That a folder is missing does not replace what is known of it; paths that the store does not have
   * are passed over.
   */
  note(found: readonly FoundWorkspace[]): Promise<void>
  /** Puts folders into a project; undefined: into the one that they belong to by themselves. Unknown paths are passed over. */
  choose(paths: readonly string[], project: string | undefined): Promise<void>
}
