/** `cairn checkpoint create`. */
import { relative } from 'node:path'
import { CairnError } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { openCheckpointFolder } from '../options/checkpoint-root.ts'
import { absentPaths, namedPaths } from '../options/named-paths.ts'
import type { PathOptions } from '../options/named-paths.ts'
import { asUsage } from '../options/wrong-usage.ts'
import { leftOutLines, shortCheckpointId } from '../output/checkpoint-output.ts'
import { withProgress } from '../terminal/checkpoint-progress.ts'
import { counted, formatBytes, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { wrapLine } from '../terminal/wrap.ts'

export interface CreateOptions extends CommonOptions, PathOptions {
  readonly label?: string
  readonly session?: string
}

/** Rejects with `disabled` where the settings say that no checkpoint is made. */
const checkEnabled = async (options: CreateOptions, context: Context): Promise<void> => {
  const { value, origin } = (await context.settings(options))['checkpoints.enabled']
  if (value) return
  const where = 'file' in origin ? ` in ${neutraliseLine(origin.file)}` : ''
  // The workspace's file comes before the user's: a change of that one would change nothing here.
  const tier = origin.from === 'workspace' ? ' --workspace' : ''
  throw new CairnError(
    'disabled',
    `No checkpoint was made, as checkpoints.enabled is false${where}; cairn config set checkpoints.enabled true${tier} makes them again.`,
  )
}

/**
 * Makes a checkpoint: `{id, at, files, bytes, root, sessionId, label, paths, changed, leftOut, absent}` as JSON.
 * Rejects with `usage` where checkpoints are switched off or a path is not in the folder; paths that are not there are
 * named in `absent`, and are no failure.
 */
export const runCreate = async (given: readonly string[], options: CreateOptions, context: Context): Promise<void> => {
  const { terminal } = context
  await checkEnabled(options, context)
  const { engine, root, folder } = await openCheckpointFolder(options, context, true)
  const paths = await namedPaths(given, options, folder)
  const sessionId = options.session === undefined ? undefined : (await engine.sessions.find(options.session)).id
  const { checkpoint, changed, leftOut } = await withProgress(terminal, (onProgress) =>
    asUsage(
      engine.checkpoints.create({
        root,
        onProgress,
        ...(paths === undefined ? {} : { paths }),
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(options.label === undefined ? {} : { label: options.label }),
      }),
    ),
  )
  const absent = absentPaths(paths ?? []).map((path) => relative(root, path))
  if (options.json === true) return context.json({ ...checkpoint, changed, leftOut, absent })
  const isFirst = (await engine.checkpoints.list(root)).length === 1
  const { id, files, bytes } = checkpoint
  await terminal.line(
    `Checkpoint ${terminal.style('bold', shortCheckpointId(id))} of ${neutraliseLine(root)}: ${counted(files, 'file')}, ${formatBytes(bytes)}; ${isFirst ? 'the first of this folder' : `${changed === 0 ? 'nothing changed' : `${counted(changed, 'file')} changed`} since the one before`}.`,
  )
  if (checkpoint.paths !== null)
    await terminal.line(
      `Only ${counted(checkpoint.paths.length, 'path')} looked at; all else is as it was seen before.`,
    )
  if (absent.length > 0)
    for (const line of wrapLine(`Not in the folder now: ${absentText(absent)}.`, terminal.width))
      await terminal.line(terminal.style('yellow', line))
  for (const line of leftOutLines(leftOut, terminal.width)) await terminal.line(line)
}

/** Paths that a line names; of a long list the first. */
const NAMED = 5

/** Some paths for people, and how many more there are. */
const absentText = (absent: readonly string[]): string => {
  const named = absent.slice(0, NAMED).map(neutraliseLine)
  const more = absent.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${formatWhole(more)} more` : ''}`
}
