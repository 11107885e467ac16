/** Which requests belong to the project or folder that is asked for. */
import type { UsageQuery } from '../ports/usage-storage.ts'
import { UNKNOWN_KEY } from '../usage/calendar.ts'

/** A project with its folders, which may be several; see projects/. */
export interface AskedProject {
  /** As usage has it. */
  readonly key: string
  readonly workspaces: ReadonlySet<string>
}

export interface ProjectFilter {
  /** A folder by its path or its name, as in usage. */
  readonly workspace?: string
  /** A whole project. */
  readonly project?: AskedProject
}

/** A project's filter as one of usage or of sessions; empty for all projects. */
export const usageFilter = ({ workspace, project }: ProjectFilter): NonNullable<UsageQuery['filter']> => ({
  ...(workspace === undefined ? {} : { workspace }),
  ...(project === undefined ? {} : { project: project.key }),
})

/**
 * Whether a request of this folder is meant. Null, a folder that is not known, is meant only where neither a folder nor
 * a project is asked for, or the key for the unknown.
 */
export const isMeant = (folder: string | null, { workspace, project }: ProjectFilter): boolean => {
  if (folder === null)
    return [workspace, project?.key].every((wanted) => wanted === undefined || wanted === UNKNOWN_KEY)
  const isOfWorkspace =
    workspace === undefined || folder === workspace || folder.split(/[\\/]/).filter(Boolean).at(-1) === workspace
  return isOfWorkspace && (project === undefined || project.workspaces.has(folder))
}
