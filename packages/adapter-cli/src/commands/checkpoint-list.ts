/** `cairn checkpoint list` and `cairn checkpoint show`. */
import type { Checkpoint } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { openCheckpointFolder } from '../options/checkpoint-root.ts'
import { projectName } from '../options/project-option.ts'
import { leftOutLines, purposeOf, shortCheckpointId } from '../output/checkpoint-output.ts'
import { counted, formatBytes, formatTime, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'

/** The options of `checkpoint list`. */
export interface ListOptions extends CommonOptions {
  readonly limit: number
}

/**
 * Returns the cells of a checkpoint's row: short id, time, files, size, the session's id ('' for none), and what it is
 * for.
 */
const rowOf = (checkpoint: Checkpoint): readonly string[] => [
  shortCheckpointId(checkpoint.id),
  formatTime(checkpoint.at),
  formatWhole(checkpoint.files),
  formatBytes(checkpoint.bytes),
  neutraliseLine(checkpoint.sessionId ?? ''),
  purposeOf(checkpoint),
]

/**
 * Lists checkpoints: `{root, checkpoints, total}` as JSON. Newest first, at most `--limit`; `total` counts all. A
 * folder without checkpoints is no failure. A restore there that was interrupted is brought to its end first, which
 * changes the folder's files and is said on standard error. Rejects with `not-found` where the folder of `--workspace`
 * is missing.
 */
export const runList = async (options: ListOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const { engine, root } = await openCheckpointFolder(options, context, false)
  const all = await engine.checkpoints.list(root)
  const checkpoints = all.slice(0, options.limit)
  if (options.json === true) return context.json({ root, checkpoints, total: all.length })
  const name = neutraliseLine(projectName(root))
  if (all.length === 0) return terminal.line(`Total: no checkpoints of ${name}; cairn checkpoint create makes one.`)
  const hidden = all.length - checkpoints.length
  const {
    head,
    rows,
    total = '',
  } = tableLines({
    columns: [
      { title: 'id' },
      { title: 'made' },
      { title: 'files', align: 'right' },
      { title: 'size', align: 'right' },
      { title: 'session', shorten: 'end', minimum: 8, dropRank: 1 },
      { title: 'for', shorten: 'end', minimum: 12 },
    ],
    rows: checkpoints.map(rowOf),
    total: [
      'Total',
      '',
      '',
      '',
      '',
      `${counted(all.length, 'checkpoint')} of ${name}${hidden > 0 ? `, ${hidden} not shown` : ''}`,
    ],
    width: terminal.width,
  })
  await terminal.line(terminal.style('bold', head))
  for (const row of rows) await terminal.line(row)
  await terminal.line(terminal.style('bold', total))
}

/** Paths that are named. */
const NAMED_PATHS = 5

/**
 * The paths that a checkpoint was made of, as text; '' if it was made of the whole folder. At most `NAMED_PATHS` are
 * named.
 */
const lookedAt = ({ paths }: Checkpoint): string => {
  if (paths === null) return ''
  const named = paths.slice(0, NAMED_PATHS).map(neutraliseLine).join(', ')
  const others = paths.length - NAMED_PATHS
  return `${named}${others > 0 ? ` and ${others} more` : ''}; all else is as it was seen before`
}

/**
 * Shows a checkpoint, given by its id or a part of it: `{…checkpoint, leftOut}` as JSON. Rejects with `not-found` or
 * `ambiguous`. As text, facts that are not known are left out. A restore that was interrupted is brought to its end
 * first, as by `runList`.
 */
export const runShow = async (named: string, options: CommonOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const { engine, root } = await openCheckpointFolder(options, context, false)
  const checkpoint = await engine.checkpoints.find(root, named)
  const leftOut = await engine.checkpoints.leftOut(root, checkpoint.id)
  if (options.json === true) return context.json({ ...checkpoint, leftOut })
  const { id, at, files, bytes, sessionId } = checkpoint
  const facts: readonly (readonly [string, string])[] = [
    ['Checkpoint', id],
    ['Folder', neutraliseLine(root)],
    ['Made', formatTime(at)],
    ['For', purposeOf(checkpoint)],
    ['Session', neutraliseLine(sessionId ?? '')],
    ['Holds', `${counted(files, 'file')}, ${formatBytes(bytes)}`],
    ['Looked at', lookedAt(checkpoint)],
  ]
  for (const [name, value] of facts) if (value !== '') await terminal.line(`${name.padEnd(11)} ${value}`)
  for (const line of leftOutLines(leftOut, terminal.width)) await terminal.line(line)
}
