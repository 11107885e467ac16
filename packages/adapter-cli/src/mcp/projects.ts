/** Which project a client works in: the one of --workspace, else of the client's roots, else of the working folder. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { projectOf } from '../options/project-option.ts'

/** All projects, as the value of `--workspace` or of a tool's argument. */
export const EVERYWHERE = '*'

/** The project that a client works in. */
export interface OwnProject {
  readonly path: string
  /** Whether the user chose it by a flag: then other projects are searched only when asked for. */
  readonly chosen: boolean
}

/** Asks the client for its folders as `file:` URLs; undefined if it offers none. */
export type AskRoots = () => Promise<readonly string[] | undefined>

/** The projects that a client's calls refer to. */
export interface ClientProjects {
  /**
   * The client's own: that of `--workspace`, else of the first of the client's folders that is one, else of the folder
   * that the server was started in; undefined where all of these are a home folder or root.
   */
  readonly own: (engine: Engine, askRoots: AskRoots) => Promise<OwnProject | undefined>
  /** The one that is asked for, else the client's own. Rejects when there is none. */
  readonly of: (asked: string | undefined, engine: Engine, askRoots: AskRoots) => Promise<string>
  /** `--workspace '*'`: searches look everywhere unless a project is asked for. */
  readonly isEverywhere: boolean
  /** A path for the filter of a search; the name itself where several projects have it. Rejects for an unknown one. */
  readonly filter: (asked: string, engine: Engine) => Promise<string | undefined>
  /** Forgets the client's folders, which have changed. */
  readonly forgetRoots: () => void
}

/** Returns the path of a `file:` URL on this machine; undefined for any other text. */
const pathOfRoot = (uri: string): string | undefined => {
  try {
    return fileURLToPath(uri)
  } catch {
    // It is not on this machine.
    return undefined
  }
}

/** Whether a folder is the root or the home folder, where clients start servers if no folder is open. */
const isNoProject = (given: string, home: string): boolean => {
  const folder = resolve(given)
  return folder === resolve(home) || dirname(folder) === folder
}

/**
 * Does nothing if one project is asked for.
 * @throws CairnError `invalid-input` if all are
 */
const assertOneProject = (asked: string | undefined): void => {
  if (asked === EVERYWHERE)
    throw new CairnError(
      'invalid-input',
      'This works in one project: give "workspace" a folder or a project\'s name, or leave it out; "*" is for recall, files and session_context.',
    )
}

/**
 * Creates the lookup of one client's projects. `own` is undefined if the client works in none, and `of` then rejects
 * with `invalid-input`; `filter` accepts a name that several projects share. The client is asked for its folders once,
 * until `forgetRoots`.
 */
export const createClientProjects = (options: CommonOptions, context: Context): ClientProjects => {
  let roots: Promise<string | undefined> | undefined
  const isEverywhere = options.workspace === EVERYWHERE

  const repository = async (folder: string): Promise<string> => {
    if (!existsSync(folder)) return folder
    const { repositoryOf } = await import('../options/workspace-option.ts')
    return repositoryOf(folder)
  }

  /** The project of a client's folder; undefined where the folder does not exist and the store has nothing of it. */
  const projectOfRoot = async (path: string, engine: Engine): Promise<string | undefined> => {
    if (isNoProject(path, context.surroundings.home)) return undefined
    if (existsSync(path)) return repository(path)
    return projectOf({ ...options, workspace: path }, engine, context).catch(() => undefined)
  }

  /** The project of the first of the client's folders that is one; undefined if none is, or it names none. */
  const firstRoot = async (engine: Engine, askRoots: AskRoots): Promise<string | undefined> => {
    for (const uri of (await askRoots()) ?? []) {
      const path = pathOfRoot(uri)
      const project = path === undefined ? undefined : await projectOfRoot(path, engine)
      if (project !== undefined) return project
    }
    return undefined
  }

  /** As {@link ClientProjects} says; what is found among the client's folders is kept until `forgetRoots`. */
  const own: ClientProjects['own'] = async (engine, askRoots) => {
    const { folder, home } = context.surroundings
    if (options.workspace !== undefined && !isEverywhere) {
      const path = await projectOf(options, engine, context)
      // Clients without an open folder give their home folder.
      if (!isNoProject(path, home)) return { path, chosen: true }
    }
    roots ??= firstRoot(engine, askRoots).catch(() => undefined)
    const root = await roots
    if (root !== undefined) return { path: root, chosen: false }
    return isNoProject(folder, home) ? undefined : { path: await repository(folder), chosen: false }
  }

  return {
    own,
    isEverywhere,
    of: async (asked, engine, askRoots) => {
      assertOneProject(asked)
      if (asked !== undefined) return projectOf({ ...options, workspace: asked }, engine, context)
      const found = await own(engine, askRoots)
      if (found === undefined)
        throw new CairnError(
          'invalid-input',
          'Which project? This server was not started in one: give "workspace", a folder or a project\'s name.',
        )
      return found.path
    },
    filter: async (asked, engine) => {
      try {
        return await projectOf({ ...options, workspace: asked }, engine, context)
      } catch (error) {
        // A search covers all projects of the name.
        if (CairnError.is(error) && error.code === 'ambiguous') return context.workspace({ workspace: asked })
        throw error
      }
    },
    forgetRoots: () => {
      roots = undefined
    },
  }
}
