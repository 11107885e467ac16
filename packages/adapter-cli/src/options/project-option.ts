/** The project whose memory and notes are meant: its path, as its sessions have it. */
import { existsSync } from 'node:fs'
import { basename, isAbsolute, resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import type { ProjectFilter } from '@cairn/core/insights'
import { createFileSystem } from '@cairn/core/node'
import { didYouMean } from './close-matches.ts'
import type { CommonOptions, Context } from '../command.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { shortenMiddle } from '../terminal/text-width.ts'

/** Characters of an unknown name that an error repeats. */
const NAME_SHOWN = 60
/** Sessions of a project's name that are examined to find the paths that it stands for. */
const SESSIONS_LOOKED_AT = 200
/** Projects that an error lists. */
const NAMED_CANDIDATES = 5

/**
 * Returns a project's name, which is the last part of its path on any system: `app` for `/code/app`. A path without
 * parts is its own name.
 */
export const projectName = (workspace: string): string => basename(workspace.replaceAll('\\', '/')) || workspace

/** Returns every project with requests, memory or notes in the store, each once. */
const knownProjects = async (engine: Engine): Promise<readonly string[]> => {
  const [{ rows }, remembered, noted] = await Promise.all([
    engine.usage.report({ by: 'workspace' }),
    engine.store.memory.workspaces(),
    engine.store.notes.workspaces(),
  ])
  return [
    ...new Set([...rows.map(({ key }) => key), ...remembered.map(({ workspace }) => workspace), ...noted]),
  ].filter((path) => path !== '')
}

/**
 * The projects with a path or name, sorted. Sessions are examined too, because those of some agents have messages but
 * no requests.
 */
const projectsOf = async (text: string, engine: Engine): Promise<readonly string[]> => {
  const { sessions } = await engine.store.sessions.list({ workspace: text, limit: SESSIONS_LOOKED_AT })
  const known = await knownProjects(engine)
  const carried = sessions.flatMap(({ workspace }) => (workspace === null ? [] : [workspace]))
  const found = new Set([...carried, ...known.filter((path) => path === text || projectName(path) === text)])
  return found.has(text) ? [text] : [...found].sort()
}

/** A text for an error: neutralised and shortened. */
const shown = (text: string): string => shortenMiddle(neutraliseLine(text), NAME_SHOWN)

/**
 * Returns the project of `--workspace`, otherwise of the working folder. A folder that exists need not be in the store;
 * a project's name, or a folder of another machine, must be. Rejects with `not-found`, or with `ambiguous` for a name
 * of several projects.
 */
export const projectOf = async (options: CommonOptions, engine: Engine, context: Context): Promise<string> => {
  const { folder } = context.surroundings
  const asked = (await context.workspace({ workspace: options.workspace ?? folder })) ?? folder
  if (isAbsolute(asked) && existsSync(asked)) return asked
  const found = await projectsOf(asked, engine)
  const [first] = found
  // A name that no project has may be a folder below this one: `--workspace app`.
  if (first === undefined && existsSync(resolve(folder, asked)))
    return (await context.workspace({ workspace: resolve(folder, asked) })) ?? folder
  if (first === undefined) {
    const names = (await knownProjects(engine)).map(projectName)
    const what = isAbsolute(asked)
      ? `There is no folder ${shown(asked)}, and nothing of it is in the store.`
      : `No project '${shown(asked)}' is in the store; name a folder, or a project that has sessions or memory.`
    throw new CairnError(
      'not-found',
      `${what}${isAbsolute(asked) ? '' : didYouMean(asked, [...new Set(names)].map(neutraliseLine))}`,
    )
  }
  if (found.length === 1) return first
  throw new CairnError('ambiguous', severalText(asked, found))
}

/**
 * Checks `--workspace` for commands in which a name of several projects means all of them. Rejects as `projectOf` does
 * if neither the store nor the disk has it.
 */
export const checkProject = async (options: CommonOptions, engine: Engine, context: Context): Promise<void> => {
  if (options.workspace === undefined) return
  await projectOf(options, engine, context).catch((error: unknown) => {
    if (!CairnError.is(error) || error.code !== 'ambiguous') throw error
  })
}

/** The sentence for a name that several projects have, with their folders or addresses. */
const severalText = (asked: string, found: readonly string[], what = 'the folder'): string =>
  `'${shown(asked)}' could be several projects; give ${what}: ${found.slice(0, NAMED_CANDIDATES).map(neutraliseLine).join(', ')}${found.length > NAMED_CANDIDATES ? ', …' : ''}.`

/**
 * Returns a sentence if several projects with sessions have this name; undefined for an absolute path, if a project has
 * exactly this path, and if at most one has the name. The paths in it are sorted; an unknown name gives undefined.
 */
export const severalProjects = async (asked: string, engine: Engine): Promise<string | undefined> => {
  if (isAbsolute(asked)) return undefined
  const [{ rows }, { sessions }] = await Promise.all([
    engine.usage.report({ by: 'workspace' }),
    engine.store.sessions.list({ workspace: asked, limit: SESSIONS_LOOKED_AT }),
  ])
  const found = [
    ...new Set([
      ...sessions.flatMap(({ workspace }) => workspace ?? []),
      ...rows.flatMap(({ key }) => (projectName(key) === asked ? [key] : [])),
    ]),
  ].sort()
  return found.length > 1 && !found.includes(asked) ? severalText(asked, found) : undefined
}

/**
 * Examines the folders of sessions that were not examined yet, and stores which project each is of, so that clones
 * count together. If that can't be stored, paths decide.
 */
export const lookAtNewFolders = async (engine: Engine): Promise<void> => {
  const { createProjects } = await import('@cairn/core/projects')
  const projects = createProjects({ storage: engine.store.projects, fileSystem: createFileSystem() })
  await projects.identify().catch((error: unknown) => {
    if (!CairnError.is(error)) throw error
  })
}

/**
 * Returns the filter of `--workspace` and `--project`; `{}` for neither. With `--project` new folders are looked at
 * first, and if several projects have its name, that is reported on standard error; they count together. A name that no
 * project has gives a filter without folders.
 */
export const projectFilterOf = async (
  workspace: string | undefined,
  project: string | undefined,
  engine: Engine,
  { terminal }: Pick<Context, 'terminal'>,
): Promise<ProjectFilter> => {
  const ofFolder = workspace === undefined ? {} : { workspace }
  if (project === undefined) return ofFolder
  await lookAtNewFolders(engine)
  const several = await severalWholeProjects(project, engine)
  if (several !== undefined) terminal.note(`${several} They are counted together.`)
  const { workspacesOfProject } = await import('@cairn/core/projects')
  const workspaces = workspacesOfProject(project, await engine.store.projects.workspaces())
  return { ...ofFolder, project: { key: project, workspaces } }
}

/**
 * Returns a sentence if several projects, each with all its folders, have the name of `--project`; otherwise undefined.
 */
export const severalWholeProjects = async (asked: string, engine: Engine): Promise<string | undefined> => {
  const { projectsMeant } = await import('@cairn/core/projects')
  const found = projectsMeant(asked, await engine.store.projects.workspaces())
  return found.length > 1 ? severalText(asked, found, 'one of these') : undefined
}

/**
 * Returns the project that contains the working folder, whatever `--workspace` says; the folder itself if there is
 * none.
 */
export const currentProject = async ({
  workspace,
  surroundings,
}: Pick<Context, 'workspace' | 'surroundings'>): Promise<string> =>
  (await workspace({ workspace: surroundings.folder })) ?? surroundings.folder

/**
 * Returns the name of a project that is not the current one, or its path if both have the same name; undefined for the
 * current one.
 */
export const otherProject = (project: string, current: string): string | undefined => {
  if (project === current) return undefined
  return projectName(project) === projectName(current) ? project : projectName(project)
}
