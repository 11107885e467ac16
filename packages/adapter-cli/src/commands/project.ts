/** `cairn project`: which folders are one project. */
import { CairnError } from '@cairn/core'
import { createFileSystem } from '@cairn/core/node'
import { createProjects } from '@cairn/core/projects'
import type { Project, ProjectChange, Projects, ProjectWorkspace } from '@cairn/core/projects'
import { isAbsolute, resolve } from 'node:path'
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { CommonOptions, Context, Define } from '../command.ts'
import { checkNoWords } from '../options/wrong-usage.ts'
import { counted } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { sayWrapped } from '../terminal/say-wrapped.ts'

const HELP = `
Clones and work trees of a repository are one project: folders are joined by the
address of their remote, or else by their location, never by name alone.
usage --by project, usage --project and the dashboard count by project;
--workspace means one folder.

Examples:
  cairn project list
  cairn project join ~/old/shop ~/code/shop    count the first with the second
  cairn project join api web shop              make one project of several
  cairn project split ~/code/shop-fork
  cairn project reset ~/code/shop-fork         back to what was detected`

/** Declares `cairn project` with its subcommands. */
export const define: Define = (command, context) => {
  command.description('Show and change which folders are one project.').addHelpText('after', HELP)
  command
    .command('list', { isDefault: true })
    .description('List all projects with their folders and why each belongs; rescans all folders.')
    .allowExcessArguments()
    .addHelpText('after', '\nExamples:\n  cairn project list\n  cairn project list --json')
    .action((options: CommonOptions, list: Command) => {
      checkNoWords(list, command)
      return runList(options, context)
    })
  command
    .command('join')
    .description('Make one project of several, named like the last one, which may be new.')
    .argument('<projects...>', 'projects or folders')
    .addHelpText('after', '\nExamples:\n  cairn project join ~/old/shop ~/code/shop\n  cairn project join api web shop')
    .action((names: readonly string[], options: CommonOptions) => runJoin(names, options, context))
  command
    .command('split')
    .description('Make a folder a project of its own.')
    .argument('<folder>', 'the folder')
    .addHelpText('after', '\nExamples:\n  cairn project split ~/code/shop-fork')
    .action((folder: string, options: CommonOptions) =>
      change(options, context, (projects) => projects.split(inFull(folder, context))),
    )
  command
    .command('reset')
    .description('Undo joins and splits: folders belong where they are detected to again.')
    .argument('<project>', 'a project or a folder')
    .addHelpText('after', '\nExamples:\n  cairn project reset shop')
    .action((name: string, options: CommonOptions) =>
      change(options, context, (projects) => projects.reset(inFull(name, context)), true),
    )
}

/** Returns the absolute path of a folder that exists here; any other name unchanged. */
const inFull = (name: string, { surroundings }: Context): string => {
  const path = name.startsWith('~/') ? surroundings.home + name.slice(1) : resolve(surroundings.folder, name)
  return isAbsolute(name) || !existsSync(path) ? name : path
}

/** Returns the projects of the store, as an object that reads and changes them. Rejects as opening the store does. */
const open = async (options: CommonOptions, context: Context): Promise<Projects> => {
  const engine = await context.readEngine(options)
  return createProjects({ storage: engine.store.projects, fileSystem: createFileSystem() })
}

/**
 * Joins projects under the last name. Rejects with `usage` for fewer than two. The last may be new. A folder may be
 * given by its path from the working folder.
 */
const runJoin = async (names: readonly string[], options: CommonOptions, context: Context): Promise<void> => {
  const others = names.slice(0, -1)
  const into = names.at(-1)
  if (into === undefined || others.length === 0)
    throw new CairnError('usage', 'Which projects? Name those that are joined, and last the one that they are.')
  await change(options, context, (projects) =>
    projects.join(
      others.map((name) => inFull(name, context)),
      inFull(into, context),
    ),
  )
}

/**
 * Makes a change, and prints which folders moved to which projects, or that nothing had to change: `{folders,
 * projects}` as JSON, without folders then. `isReset`: the change undid earlier choices.
 */
const change = async (
  options: CommonOptions,
  context: Context,
  make: (projects: Projects) => Promise<ProjectChange>,
  isReset = false,
): Promise<void> => {
  const { folders, projects } = await make(await open(options, context))
  if (options.json === true) return context.json({ folders, projects })
  if (folders.length === 0)
    return sayWrapped(`It is that way already: ${projects.map(neutraliseLine).join(', ')}.`, context.terminal)
  for (const folder of folders) await context.terminal.line(`  ${neutraliseLine(folder)}`)
  const where = projects.length === 1 ? neutraliseLine(projects[0] ?? '') : counted(projects.length, 'project')
  await sayWrapped(
    `Total: ${counted(folders.length, 'folder')} now ${folders.length === 1 ? 'counts' : 'count'} to ${where}.${isReset ? '' : ' cairn project reset takes it back.'}`,
    context.terminal,
  )
}

/**
 * Returns why a folder is in its project: `chosen`, `sent`, `remote`, `path`, or '' for the folder that the project is
 * named after.
 */
const reasonOf = ({ key }: Project, { path, remote, chosen, finding }: ProjectWorkspace): string => {
  if (chosen !== undefined) return 'chosen'
  if (remote !== undefined) return finding === 'elsewhere' ? 'sent' : 'remote'
  return key === path ? '' : 'path'
}

/**
 * Rescans all folders and lists the projects with them: `{projects: [{key, folders: [{path, reason, isHere}]}]}` as
 * JSON. A folder that is not there any more stays, with `isHere` false.
 */
const runList = async (options: CommonOptions, context: Context): Promise<void> => {
  const projects = await open(options, context)
  await projects.identify({ again: true })
  const all = await projects.list()
  if (options.json === true)
    return context.json({
      projects: all.map((project) => ({
        key: project.key,
        folders: project.folders.map((folder) => ({
          path: folder.path,
          reason: reasonOf(project, folder) || null,
          isHere: folder.finding === 'folder' || folder.finding === 'repository',
        })),
      })),
    })
  const { terminal } = context
  for (const project of all) {
    const [only, other] = project.folders
    await terminal.line(terminal.style('bold', neutraliseLine(project.key)))
    if (other === undefined && only?.path === project.key) continue
    for (const folder of project.folders) {
      const reason = reasonOf(project, folder)
      await terminal.line(`  ${neutraliseLine(folder.path)}${reason === '' ? '' : `  (${reason})`}`)
    }
  }
  const folders = all.reduce((sum, project) => sum + project.folders.length, 0)
  await sayWrapped(`Total: ${counted(all.length, 'project')} in ${counted(folders, 'folder')}.`, terminal)
}
