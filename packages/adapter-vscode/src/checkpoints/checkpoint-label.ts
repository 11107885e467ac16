/** The texts of checkpoints and of what differs from them. */
import type { Checkpoint, FileDifference } from '@cairn/core'
import { sessionTitle } from '../sessions/session-label.ts'
import { ageText, agoText, bytesText, counted, timeText } from '../text/format.ts'
import { neutraliseLine, shorten } from '../text/neutralise.ts'
import { escapeMarkdown } from '../usage/status-item.ts'
import type { CheckpointNode } from './checkpoint-node.ts'

/** Characters of an id that are shown: the end, as the beginning is the same for all of a day. */
const SHORT_ID = 8
const LONGEST_TITLE = 40
/** Paths that a checkpoint was made of, in a tooltip. */
const NAMED_PATHS = 5

/** Returns the last characters of an id, in lower case, by which `cairn` finds the checkpoint. */
const shortCheckpointId = (id: string): string => id.slice(-SHORT_ID).toLowerCase()

/** Returns what a checkpoint is for; if it has no label, which kind it is. One made before a restore is called that. */
export const checkpointTitle = ({ kind, label, id }: Checkpoint): string => {
  if (kind === 'before-restore') return 'Before a restore'
  const purpose = neutraliseLine(label ?? '')
  if (purpose !== '') return purpose
  return kind === 'agent' ? 'By an agent' : `Checkpoint ${shortCheckpointId(id)}`
}

/** Returns how many files a checkpoint changed; '' while that is being counted. */
const changedText = ({ changed, isOldest, checkpoint }: CheckpointNode): string => {
  if (isOldest) return `the first, ${counted(checkpoint.files, 'file')}`
  if (changed === undefined) return ''
  return changed === 0 ? 'nothing changed' : `${changed.toLocaleString('en-US')} changed`
}

/**
 * Returns the text beside a checkpoint: its age (`now` in ms), how many files changed since the one before, and the
 * session's title.
 */
export const checkpointDescription = (node: CheckpointNode, now: number): string => {
  const { checkpoint, session } = node
  const title = session === undefined ? '' : shorten(sessionTitle(session), LONGEST_TITLE)
  return [ageText(checkpoint.at, now), changedText(node), title].filter((part) => part !== '').join(' · ')
}

/**
 * Returns a checkpoint's label for screen readers: what it is for, how long ago it was made (`now` in ms), how many
 * files changed since the one before, and its session's title, as far as known.
 */
export const checkpointSpoken = (node: CheckpointNode, now: number): string => {
  const { checkpoint, session, changed, isOldest } = node
  const files =
    isOldest || changed === undefined ? changedText(node) : `${counted(changed, 'file')} changed since the one before`
  const title = session === undefined ? '' : `session ${sessionTitle(session)}`
  return [checkpointTitle(checkpoint), agoText(checkpoint.at, now), files, title]
    .filter((part) => part !== '')
    .join(', ')
}

/** Returns which paths a checkpoint was limited to; '' if it has everything. */
const lookedAt = ({ paths }: Checkpoint): string => {
  if (paths === null) return ''
  const more = paths.length > NAMED_PATHS ? ` and ${paths.length - NAMED_PATHS} more` : ''
  return `${paths.slice(0, NAMED_PATHS).join(', ')}${more}; all else as it was seen before`
}

/**
 * Returns the tooltip as Markdown: title, and a table of time, session, files and size, changed files, limited paths,
 * folder and short id, without what is not known. Every text of the checkpoint is escaped.
 */
export const checkpointTooltip = (node: CheckpointNode): string => {
  const { checkpoint, session } = node
  const { id, at, root, files, bytes, sessionId } = checkpoint
  const title = session === undefined ? (sessionId ?? '') : `${sessionTitle(session)} (${session.agent})`
  const facts: readonly (readonly [string, string])[] = [
    ['Made', timeText(at)],
    ['Session', title],
    ['Holds', `${counted(files, 'file')}, ${bytesText(bytes)}`],
    [
      'Changed',
      node.changed === undefined || node.isOldest ? '' : `${counted(node.changed, 'file')} since the one before`,
    ],
    ['Looked at', lookedAt(checkpoint)],
    ['Folder', root],
    ['Id', shortCheckpointId(id)],
  ]
  const safe = (text: string): string => escapeMarkdown(neutraliseLine(text))
  return [
    `**${safe(checkpointTitle(checkpoint))}**`,
    '',
    '| | |',
    '|:--|:--|',
    ...facts.filter(([, text]) => text !== '').map(([name, text]) => `| ${name} | ${safe(text)} |`),
  ].join('\n')
}

/** Returns a file mode in octal; `none` for null. */
const octal = (mode: number | null): string => (mode === null ? 'none' : mode.toString(8))

/**
 * Returns what happened to a file since the checkpoint: "came since", "is gone", "changed", or how its permissions
 * changed, in octal.
 */
export const differenceText = ({ change, modes: [before, after] }: FileDifference): string => {
  switch (change) {
    case 'added':
      return 'came since'
    case 'removed':
      return 'is gone'
    case 'modified':
      return 'changed'
    case 'mode':
      return `permissions ${octal(before)} → ${octal(after)}`
  }
}

/** Returns a path's last part and the folder before it, both safe to show; the folder is '' if there is none. */
export const nameAndFolder = (path: string): { readonly name: string; readonly folder: string } => {
  const slash = path.lastIndexOf('/')
  return {
    name: neutraliseLine(path.slice(slash + 1)),
    folder: neutraliseLine(path.slice(0, Math.max(0, slash))),
  }
}
