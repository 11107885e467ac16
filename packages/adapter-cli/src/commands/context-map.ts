/** `cairn context map`: the project's folders, related files, manifests and entry points within a token limit. */
import { relative, resolve, sep } from 'node:path'
import { CairnError } from '@cairn/core'
import { dataFolder } from '@cairn/core/node'
import { createWorkspaceFiles, openProjectMaps } from '@cairn/core/node/sources'
import type { CommonOptions, Context } from '../command.ts'
import { fileProblem } from '../options/file-problem.ts'
import { sourceFolder } from '../options/source-folder.ts'
import type { SourceFolder } from '../options/source-folder.ts'
import { projectOf } from '../options/project-option.ts'
import { asUsage } from '../options/wrong-usage.ts'
import { counted } from '../terminal/format.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'

/** More files never fit into their share of the tokens. */
const MOST_RELATED = 20

/** The options of `context map`. */
export interface MapOptions extends CommonOptions {
  readonly tokens?: number
  readonly file?: readonly string[]
  readonly text?: string
  readonly since?: string
}

/**
 * Prints the project's map: `{workspace, tree, files, complete, tokens, map, ms}` as JSON; with `--since` what changed
 * since the map of that tree: `{workspace, since, …changes, ms}`. Files of `--file` are listed with the names they
 * export, and so are those related to `--text` or, with neither, to the project's focus. `complete` is false where not
 * all files were looked at. Rejects with `usage` if there is no project folder and for `--since` with `--text` or
 * `--file`, and as `ProjectMaps` does for a tree that is no longer stored.
 */
export const runMap = async (given: MapOptions, context: Context): Promise<void> => {
  checkSince(given)
  const { tokens, file = [], text: task, since, ...options } = given
  const startedAt = performance.now()
  const project = sourceFolder(options, context)
  if (project === undefined)
    throw new CairnError(
      'usage',
      `${options.workspace === undefined ? context.surroundings.folder : `"${options.workspace}"`} is no project's folder: call it in one, or name one with --workspace.`,
    )
  const { root } = project
  const maps = openProjectMaps(createWorkspaceFiles([root]), dataFolder(context.surroundings))
  const limit = tokens === undefined ? {} : { tokens }
  const ms = (): number => Math.round(performance.now() - startedAt)
  const { terminal } = context
  if (since !== undefined) {
    const changes = await maps.changes(since, limit)
    if (options.json === true) return context.json({ workspace: root, since, ...changes, ms: ms() })
    if (changes.text !== '') await terminal.write(neutralise(changes.text))
    const total = [
      counted(changes.added.length, 'added file'),
      counted(changes.removed.length, 'removed file'),
      counted(changes.changed.length, 'changed file'),
    ].join(' · ')
    return terminal.line(`Total: ${total} · tree ${changes.tree}`)
  }
  const named = await Promise.all(file.map((path) => fileInProject(path, project)))
  const found = task === undefined && named.length > 0 ? [] : await relatedPaths(task, root, options, context)
  const related = [...new Set([...named, ...found])]
  const map = await asUsage(maps.make({ related, ...limit }))
  const { text, tree, files, isComplete } = map
  if (options.json === true)
    return context.json({ workspace: root, tree, files, complete: isComplete, tokens: map.tokens, map: text, ms: ms() })
  await terminal.write(neutralise(text))
  if (!isComplete) terminal.note(`Only the first ${files} files were looked at.`)
  await terminal.line(`Total: about ${counted(map.tokens, 'token')} · ${counted(files, 'file')} · tree ${tree}`)
}

/**
 * A file that the user gave from the working folder, as a path from the project's root. Rejects with `usage` for one
 * that no map lists, such as an ignored one. The file need not be there.
 */
const fileInProject = async (given: string, { root, folder }: SourceFolder): Promise<string> => {
  const path = relative(root, resolve(folder, given)).replaceAll(sep, '/')
  const problem = await fileProblem(root, path)
  if (problem !== undefined) throw new CairnError('usage', `${neutraliseLine(given)} ${problem}.`)
  return path
}

/**
 * Checks that what would be passed over is not given with `--since`.
 * @throws CairnError `usage` if it is
 */
const checkSince = ({ since, text, file = [] }: MapOptions): void => {
  if (since !== undefined && (text !== undefined || file.length > 0))
    throw new CairnError(
      'usage',
      `--since tells what changed since a map, whatever it listed: leave out ${text === undefined ? '--file' : '--text'}, or make a new map without --since.`,
    )
}

/**
 * Returns files related to the text or, without one, to the project's focus; empty if there is neither. With a text it
 * rejects with what goes wrong; without one that is only noted on standard error and the result is empty, as it is,
 * without a note, in incognito mode.
 */
const relatedPaths = async (
  task: string | undefined,
  root: string,
  options: CommonOptions,
  context: Context,
): Promise<readonly string[]> => {
  const isIncognito = options.incognito === true
  if (task === undefined && isIncognito) return []
  try {
    const engine = await (isIncognito ? context.sessionEngine(options) : context.readEngine(options))
    const workspace = await projectOf({ ...options, workspace: root }, engine, context)
    const text = task ?? (await engine.focus.get(workspace))
    if (text === undefined) return []
    const { files } = await engine.related.find({ roots: [root], text, workspace, limit: MOST_RELATED })
    return files.map(({ path }) => path)
  } catch (error) {
    if (task !== undefined) throw error
    context.terminal.note(
      `The focus of the project is left out: ${error instanceof Error ? error.message : String(error)}`,
    )
    return []
  }
}
