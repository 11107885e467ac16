/** Which project a client works in: the one of --workspace, else of the client's roots, else of the working folder. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { projectOf } from '../project-option.ts'

export interface OwnProject {
  readonly path: string
  /** The user named it by a flag: nothing else is looked at unless it is asked for. */
  readonly chosen: boolean
}

/** Asks the client for its folders, as `file:` addresses; undefined when it offers none. */
export type AskRoots = () => Promise<readonly string[] | undefined>

export interface ClientProjects {
  readonly own: (engine: Engine, askRoots: AskRoots) => Promise<OwnProject | undefined>
  /** The one that is asked for, else the client's own. Rejects when there is none. */
  readonly of: (asked: string | undefined, engine: Engine, askRoots: AskRoots) => Promise<string>
  /** The client's folders have changed. */
  readonly forgetRoots: () => void
}

const pathOfRoot = (uri: string): string | undefined => {
  try {
    return fileURLToPath(uri)
  } catch {
    // Not a place on this machine.
    return undefined
  }
}

/** Clients with a window and no folder start their servers in such places. */
const isNoProject = (folder: string, home: string): boolean => folder === home || dirname(folder) === folder

export const createClientProjects = (options: CommonOptions, context: Context): ClientProjects => {
  let roots: Promise<string | undefined> | undefined

  const repository = async (folder: string): Promise<string> => {
    if (!existsSync(folder)) return folder
    const { repositoryOf } = await import('../workspace-option.ts')
    return repositoryOf(folder)
  }

  const firstRoot = async (askRoots: AskRoots): Promise<string | undefined> => {
    for (const uri of (await askRoots()) ?? []) {
      const path = pathOfRoot(uri)
      if (path !== undefined) return repository(path)
    }
    return undefined
  }

  const own: ClientProjects['own'] = async (engine, askRoots) => {
    if (options.workspace !== undefined) return { path: await projectOf(options, engine, context), chosen: true }
    roots ??= firstRoot(askRoots).catch(() => undefined)
    const root = await roots
    if (root !== undefined) return { path: root, chosen: false }
    const { folder, home } = context.surroundings
    return isNoProject(folder, home) ? undefined : { path: await repository(folder), chosen: false }
  }

  return {
    own,
    of: async (asked, engine, askRoots) => {
      if (asked !== undefined) return projectOf({ ...options, workspace: asked }, engine, context)
      const found = await own(engine, askRoots)
      if (found === undefined) throw new CairnError('invalid-input', 'Which project? This server was not started in one: give "workspace", a folder or a project\'s name.')
      return found.path
    },
    forgetRoots: () => {
      roots = undefined
    },
  }
}
