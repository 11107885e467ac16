/** Finds out which folders are one project, and keeps what somebody decided about them. */
import { CairnError } from '../errors.ts'
import { attempt, createWorkspaceResolver, joined } from '../importers/workspace.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { FoundWorkspace, ProjectStorage, ProjectWorkspace } from '../ports/project-storage.ts'
import { projectsMeant, projectsOf } from './group-projects.ts'
import { looksLikeAddress, normalisedRemote, remoteOf } from './remotes.ts'

/** Larger files are no settings of git. */
const MOST_BYTES = 1_000_000
const LONGEST_NAME = 1_000

export interface Project {
  /** Address of its remote, a chosen name, or a folder. */
  readonly key: string
  readonly folders: readonly ProjectWorkspace[]
}

/** What a change moved. */
export interface ProjectChange {
  /** The folders that are in another project now. */
  readonly folders: readonly string[]
  /** Their project now; of several, as many. */
  readonly projects: readonly string[]
}

export interface Projects {
  /**
   * Looks at the folders that nobody looked at yet, with `again` also at the others except those that are `elsewhere`,
   * and keeps what was found. Returns how many were looked at. Rejects where the store can't be written.
   */
  identify(options?: { readonly again?: boolean }): Promise<number>
  /** All projects, by key, with their folders. */
  list(): Promise<readonly Project[]>
  /** The project that a key, a name or a folder means; undefined where there is none. Rejects with `ambiguous` for several. */
  find(wanted: string): Promise<Project | undefined>
  /** Makes one project of several: all folders of each `other` are in the project `into` from now on, which may be a new name. */
  join(others: readonly string[], into: string): Promise<ProjectChange>
  /** Makes a folder a project of its own. */
  split(folder: string): Promise<ProjectChange>
  /** Takes back what was decided about a folder, or about all folders of a project. */
  reset(wanted: string): Promise<ProjectChange>
}

export interface ProjectDeps {
  readonly storage: ProjectStorage
  readonly fileSystem: Pick<FileSystem, 'stat' | 'readText'>
}

/**
 * Projects over a store. `join`, `split` and `reset` reject with `not-found` for what the store does not have.
 * `identify` gives how many folders were looked at, `list` is sorted by key, `find` gives undefined for an unknown one.
 */
export const createProjects = ({ storage, fileSystem }: ProjectDeps): Projects => {
  /** Puts folders into a project, and tells which of them moved. */
  const choose = async (paths: readonly string[], project: string | undefined): Promise<ProjectChange> => {
    const before = projectsOf(await storage.workspaces())
    await storage.choose(paths, project)
    const after = projectsOf(await storage.workspaces())
    const folders = [...after.keys()].filter((path) => before.get(path) !== after.get(path))
    const projects = new Set((folders.length === 0 ? paths : folders).flatMap((path) => after.get(path) ?? []))
    return { folders, projects: [...projects] }
  }
  return {
    identify: async ({ again = false } = {}) => {
      const wanted = (await storage.workspaces()).filter(
        ({ finding }) => finding === 'unseen' || (again && finding !== 'elsewhere'),
      )
      if (wanted.length === 0) return 0
      const resolve = createWorkspaceResolver(fileSystem)
      const found: FoundWorkspace[] = []
      for (const { path } of wanted) found.push(await lookAt(path, fileSystem, resolve))
      await storage.note(found)
      return found.length
    },
    list: async () => {
      const workspaces = await storage.workspaces()
      const projects = projectsOf(workspaces)
      const groups = Map.groupBy(workspaces, ({ path }) => projects.get(path) ?? path)
      return [...groups]
        .map(([key, folders]) => ({ key, folders }))
        .sort((left, right) => (left.key < right.key ? -1 : 1))
    },
    find: async (wanted) => {
      const workspaces = await storage.workspaces()
      const key = keyOf(wanted, workspaces)
      return key === undefined ? undefined : { key, folders: inProject(key, workspaces) }
    },
    join: async (others, into) => {
      const workspaces = await storage.workspaces()
      const project = keyOf(into, workspaces) ?? newName(addressed(into))
      const paths = new Set<string>()
      for (const other of others) for (const path of foldersOf(other, workspaces)) paths.add(path)
      return choose([...paths], project)
    },
    split: async (folder) => {
      const path = onlyFolder(folder, await storage.workspaces())
      return choose([path], path)
    },
    reset: async (wanted) => {
      const workspaces = await storage.workspaces()
      const known = workspaces.find(({ path }) => path === wanted)
      // One that its project is called after means all of that, unless something was chosen for the folder itself.
      const isFolder =
        known !== undefined && (known.chosen !== undefined || projectsOf(workspaces).get(wanted) !== wanted)
      return choose(isFolder ? [wanted] : [...foldersOf(wanted, workspaces)], undefined)
    },
  }
}

/**
 * The key of the project that a text means, as it is or else as a remote's address; undefined where there is none.
 * Throws `ambiguous` where there are several, and `usage` for an address that none can be made of.
 */
const keyOf = (wanted: string, workspaces: readonly ProjectWorkspace[]): string | undefined => {
  const exact = projectsMeant(wanted, workspaces)
  const [key, ...others] = exact.length === 0 ? projectsMeant(addressed(wanted), workspaces) : exact
  if (key === undefined || others.length === 0) return key
  throw new CairnError(
    'ambiguous',
    `Several projects are called '${wanted}': ${[key, ...others].join(', ')}. Name one of these.`,
  )
}

/** The folders of the project with exactly this key: another one may be called the same. */
const inProject = (key: string, workspaces: readonly ProjectWorkspace[]): readonly ProjectWorkspace[] => {
  const projects = projectsOf(workspaces)
  return workspaces.filter(({ path }) => projects.get(path) === key)
}

/**
 * The path of a folder that is named by it, or of the only folder of a project. Throws `ambiguous` for a project with
 * several, and as {@link foldersOf} for an unknown one.
 */
const onlyFolder = (wanted: string, workspaces: readonly ProjectWorkspace[]): string => {
  if (workspaces.some(({ path }) => path === wanted)) return wanted
  const [only, other] = foldersOf(wanted, workspaces)
  if (only === undefined || other !== undefined)
    throw new CairnError(
      'ambiguous',
      `'${wanted}' has several folders; name the one that is to be a project of its own. cairn project list shows them.`,
    )
  return only
}

/** The paths of the folders of one project. Throws `not-found` where there is none, and `ambiguous` where several have the name. */
const foldersOf = (wanted: string, workspaces: readonly ProjectWorkspace[]): readonly string[] => {
  const key = keyOf(wanted, workspaces)
  if (key === undefined)
    throw new CairnError(
      'not-found',
      `No project '${addressed(wanted)}' is in the store: a folder belongs to one once a session ran in it; memory, notes and checkpoints alone make none. cairn project list shows what there is.`,
    )
  return inProject(key, workspaces).map(({ path }) => path)
}

/**
 * An address as projects have it, without user and password; any other text as it is. Throws `usage`, without repeating
 * it, for an address that none can be made of.
 */
const addressed = (text: string): string => {
  if (!looksLikeAddress(text)) return text
  const address = normalisedRemote(text)
  if (address === undefined)
    throw new CairnError(
      'usage',
      'This is no address of a repository that a project can be named by; name it such as github.com/acme/shop.',
    )
  return address
}

/**
 * The name without space around it.
 * @throws CairnError `usage` if it is empty or longer than `LONGEST_NAME`
 */
const newName = (text: string): string => {
  const name = text.trim()
  if (name === '' || name.length > LONGEST_NAME)
    throw new CairnError('usage', `A project's name has 1 to ${LONGEST_NAME} characters.`)
  return name
}

const isAbsolute = (path: string): boolean => /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path)

/**
 * What is at a folder's path: `missing`, as for a path that is not absolute; `folder`; or `repository` with the address
 * of its remote, if it has one. A folder within a repository counts as `repository` if that has a remote, else as
 * `folder`. Never rejects: what can't be read counts as not being there.
 */
const lookAt = async (
  path: string,
  fileSystem: ProjectDeps['fileSystem'],
  resolve: (folder: string) => Promise<string>,
): Promise<FoundWorkspace> => {
  if (!isAbsolute(path) || (await attempt(() => fileSystem.stat(path)))?.kind !== 'directory')
    return { path, finding: 'missing' }
  const root = await resolve(path)
  const folder = await gitFolder(root, fileSystem)
  if (folder === undefined) return { path, finding: 'folder' }
  const file = joined(folder, 'config')
  const { size = 0 } = (await attempt(() => fileSystem.stat(file))) ?? {}
  const config = size > MOST_BYTES ? undefined : await attempt(() => fileSystem.readText(file))
  const remote = config === undefined ? undefined : remoteOf(config)
  // In a repository that lies around it: the path's own rules find that, if it is known.
  if (remote === undefined && root !== path) return { path, finding: 'folder' }
  return { path, finding: 'repository', ...(remote === undefined ? {} : { remote }) }
}

/**
 * Where git keeps a repository's settings, absolute; undefined where there is no repository. Of a submodule or worktree
 * it is where its `.git` file points.
 */
const gitFolder = async (root: string, fileSystem: ProjectDeps['fileSystem']): Promise<string | undefined> => {
  const git = joined(root, '.git')
  const { kind } = (await attempt(() => fileSystem.stat(git))) ?? {}
  if (kind === 'directory') return git
  if (kind !== 'file') return undefined
  // A submodule, whose repository lies in that of the one around it.
  const target = /^gitdir:\s*(.+?)\s*$/m.exec((await attempt(() => fileSystem.readText(git))) ?? '')?.[1]
  if (target === undefined) return undefined
  return isAbsolute(target) ? target : joined(root, target)
}
