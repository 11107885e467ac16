/** The project whose memory and notes are meant: its path as sessions carry it. */
import { existsSync } from 'node:fs'
import { basename, isAbsolute, resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { didYouMean } from './close-matches.ts'
import type { CommonOptions, Context } from '../command.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { shortenMiddle } from '../terminal/text-width.ts'

/** Of a name that nobody knows, so much is shown. */
const NAME_SHOWN = 60
/** Sessions of a name that are looked at for the paths that they carry. */
const SESSIONS_LOOKED_AT = 200
/** More places than this in a sentence help nobody. */
const NAMED_CANDIDATES = 5

/** `app` of `/code/app`, on any system. */
export const projectName = (workspace: string): string => basename(workspace.replaceAll('\\', '/')) || workspace

/** Every project that the store holds something of. */
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

/** Projects of a path or a name: some programs' sessions hold messages, but no requests. */
const projectsOf = async (text: string, engine: Engine): Promise<readonly string[]> => {
  const { sessions } = await engine.store.sessions.list({ workspace: text, limit: SESSIONS_LOOKED_AT })
  const known = await knownProjects(engine)
  const carried = sessions.flatMap(({ workspace }) => (workspace === null ? [] : [workspace]))
  const found = new Set([...carried, ...known.filter((path) => path === text || projectName(path) === text)])
  return found.has(text) ? [text] : [...found].sort()
}

const shown = (text: string): string => shortenMiddle(neutraliseLine(text), NAME_SHOWN)

/**
 * The project of `--workspace`, else of the working folder. A folder that is there need not be known to the store; the
 * name of a project, or a folder of another machine, must be. Rejects with `not-found`, or with `ambiguous` for a name of several.
 */
export const projectOf = async (options: CommonOptions, engine: Engine, context: Context): Promise<string> => {
  const { folder } = context.surroundings
  const asked = (await context.workspace({ workspace: options.workspace ?? folder })) ?? folder
  if (isAbsolute(asked) && existsSync(asked)) return asked
  const found = await projectsOf(asked, engine)
  const [first] = found
  // A name that no project has may be a folder beside: `--workspace app`.
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

/** Rejects as `projectOf` does when `--workspace` names what neither the store nor the disk knows. A name of several projects means all of them. */
export const checkProject = async (options: CommonOptions, engine: Engine, context: Context): Promise<void> => {
  if (options.workspace === undefined) return
  await projectOf(options, engine, context).catch((error: unknown) => {
    if (!CairnError.is(error) || error.code !== 'ambiguous') throw error
  })
}

const severalText = (asked: string, found: readonly string[]): string =>
  `'${shown(asked)}' could be several projects; give the folder: ${found.slice(0, NAMED_CANDIDATES).map(neutraliseLine).join(', ')}${found.length > NAMED_CANDIDATES ? ', …' : ''}.`

/** A sentence where a name is that of several projects with sessions; undefined for a path, and for a name of one or none. */
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

/** The project that the working folder belongs to, whatever `--workspace` says. */
export const currentProject = async ({
  workspace,
  surroundings,
}: Pick<Context, 'workspace' | 'surroundings'>): Promise<string> =>
  (await workspace({ workspace: surroundings.folder })) ?? surroundings.folder

/** What a project is called where another one is meant to be the usual; undefined for that one. Of the same name: its path. */
export const otherProject = (project: string, current: string): string | undefined => {
  if (project === current) return undefined
  return projectName(project) === projectName(current) ? project : projectName(project)
}
