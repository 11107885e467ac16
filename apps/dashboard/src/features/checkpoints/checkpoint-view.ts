/** A checkpoint as a row, ready to be sent, with the commands that compare and restore it. */
import { leftOutWords } from '@cairn/core'
import type { CheckpointEntry, CheckpointRecord, LeftOutFile } from '@cairn/core'
import { bytesText } from '../../components/bytes-text.ts'
import { shellWord } from '../../components/shell-word.ts'
import { rowName } from '../usage/dimension.ts'
import type { ProjectNames } from '../usage/project-names.ts'

/** A path that was left out, and why. */
interface LeftOutView {
  readonly path: string
  readonly why: string
}

/** A checkpoint as a row of the table. */
export interface CheckpointRow {
  readonly id: string
  /** The end of its id, by which commands find it. */
  readonly shortId: string
  /** ms; null where its session's log has no time. */
  readonly at: number | null
  /** What it was made for, in words. */
  readonly purpose: string
  /** Null: it is not kept any more, and only its session's log still names it. */
  readonly kept: {
    readonly root: string
    readonly project: string
    readonly sessionId: string | null
    readonly files: number
    readonly bytes: number
    /** Null: an older version made it, or a restore did; `cairn checkpoint show` tells. */
    readonly leftOut: { readonly count: number; readonly named: readonly LeftOutView[] } | null
    readonly commands: CheckpointCommands
  } | null
}

/** Commands on a checkpoint, ready to be pasted. */
interface CheckpointCommands {
  readonly show: string
  readonly diff: string
  readonly restore: string
}

const SHORT_ID = 8

/** Returns the end of an id, by which commands find the checkpoint. */
export const shortIdOf = (id: string): string => id.slice(-SHORT_ID).toLowerCase()

/** Returns what a checkpoint was made for, in words. */
export const purposeOf = ({ kind, label }: Pick<CheckpointRecord, 'kind' | 'label'>): string => {
  if (kind === 'before-restore') return 'before a restore'
  return label ?? (kind === 'agent' ? 'made by an agent' : 'no label')
}

/** Returns a path that was left out with the reason, and its size if that is known. */
const leftOutView = ({ path, isFolder, reason, size }: LeftOutFile): LeftOutView => ({
  path: isFolder ? `${path}/` : path,
  why: `${leftOutWords(reason)}${size === undefined ? '' : `: ${bytesText(size)}`}`,
})

/** Returns the command that compares a checkpoint with the folder, or two with each other; it works in any folder. */
export const diffCommand = (ids: readonly string[], root: string): string =>
  `cairn checkpoint diff ${ids.map(shortIdOf).join(' ')} --workspace ${shellWord(root)}`

/** Returns the commands for a checkpoint; they work in any folder, and a restore asks first. */
const commandsOf = (id: string, root: string): CheckpointCommands => {
  const on = `${shortIdOf(id)} --workspace ${shellWord(root)}`
  return {
    show: `cairn checkpoint show ${on}`,
    diff: diffCommand([id], root),
    restore: `cairn checkpoint restore ${on}`,
  }
}

/**
 * Returns the row of a checkpoint that is kept. Without `names` the project is called by the last part of its folder.
 */
export const checkpointRow = (record: CheckpointRecord, names?: ProjectNames): CheckpointRow => {
  const { id, at, workspace, sessionId, files, bytes, leftOut } = record
  return {
    id,
    shortId: shortIdOf(id),
    at,
    purpose: purposeOf(record),
    kept: {
      root: workspace,
      project: rowName('project', workspace, names).label,
      sessionId,
      files,
      bytes,
      leftOut: leftOut === null ? null : { count: leftOut.count, named: leftOut.named.map(leftOutView) },
      commands: commandsOf(id, workspace),
    },
  }
}

/** Returns the row of a checkpoint that only the log of its session still names. It has no `kept`. */
export const goneRow = ({ checkpointId, at }: Pick<CheckpointEntry, 'checkpointId' | 'at'>): CheckpointRow => ({
  id: checkpointId,
  shortId: shortIdOf(checkpointId),
  at,
  purpose: 'not kept any more',
  kept: null,
})
