/** `cairn context map`: the project's folders, manifests and entry points within a number of tokens. Needs no store. */
import { relative, resolve, sep } from 'node:path'
import { CairnError } from '@cairn/core'
import { dataFolder } from '@cairn/core/node'
import { createWorkspaceFiles, openProjectMaps } from '@cairn/core/node/sources'
import type { CommonOptions, Context } from '../command.ts'
import { sourceFolder } from '../options/source-folder.ts'
import { asUsage } from '../options/wrong-usage.ts'
import { counted } from '../terminal/format.ts'
import { neutralise } from '../terminal/neutralise.ts'

export interface MapOptions extends CommonOptions {
  readonly tokens?: number
  readonly file?: readonly string[]
  readonly since?: string
}

/** Prints the map, or with `--since` what changed since the map of that tree. */
export const runMap = async ({ tokens, file = [], since, ...options }: MapOptions, context: Context): Promise<void> => {
  const startedAt = performance.now()
  const project = sourceFolder(options, context)
  if (project === undefined)
    throw new CairnError(
      'usage',
      `${options.workspace === undefined ? context.surroundings.folder : `"${options.workspace}"`} is no project's folder: call it in one, or name one with --workspace.`,
    )
  const { root, folder } = project
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
  const related = file.map((path) => relative(root, resolve(folder, path)).replaceAll(sep, '/'))
  const map = await asUsage(maps.make({ related, ...limit }))
  const { text, tree, files, isComplete } = map
  if (options.json === true)
    return context.json({ workspace: root, tree, files, complete: isComplete, tokens: map.tokens, map: text, ms: ms() })
  await terminal.write(neutralise(text))
  if (!isComplete) terminal.note(`Only the first ${files} files were looked at.`)
  await terminal.line(`Total: about ${counted(map.tokens, 'token')} · ${counted(files, 'file')} · tree ${tree}`)
}
