/** What a restore would do and what it did, as the editor's dialogs show it: plain text. */
import type { CheckpointPreview, CheckpointRestored, RestoredFile } from '@cairn/core'
import { agoText, counted } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'

/** Files of each kind that a dialog names; it does not scroll. */
const NAMED = 8

/** Returns the files whose current content would be replaced or removed. */
const lostFiles = ({ files }: Pick<CheckpointPreview, 'files'>): readonly RestoredFile[] =>
  files.filter(({ change }) => change === 'removed' || change === 'modified')

/** Whether a restore would change any file or folder. */
export const hasChanges = ({ files, folders }: Pick<CheckpointPreview, 'files' | 'folders'>): boolean =>
  files.length + folders.length > 0

/** Returns which agent changed a file, and how long ago, in brackets behind a space; '' if that is not known. */
const authorText = ({ author }: RestoredFile, now: number): string =>
  author === null ? '' : ` (${neutraliseLine(author.agent)}, ${agoText(author.at, now)})`

/**
 * Returns a list under its heading, at most {@link NAMED} lines and how many more there are, then an empty line; empty
 * for an empty list.
 */
const listed = (what: string, lines: readonly string[]): readonly string[] => {
  if (lines.length === 0) return []
  const more = lines.length > NAMED ? [`    … ${(lines.length - NAMED).toLocaleString('en-US')} more`] : []
  return [`${what}:`, ...lines.slice(0, NAMED).map((line) => `    ${line}`), ...more, '']
}

/**
 * Returns the question before a restore, in one or two sentences: `title`, and how many files lose their current
 * content.
 */
export const restoreQuestion = (preview: CheckpointPreview, title: string): string => {
  const lost = lostFiles(preview).length
  const loss =
    lost === 0
      ? 'No file loses what it holds now.'
      : `${counted(lost, 'file')} ${lost === 1 ? 'loses what it holds' : 'lose what they hold'} now.`
  return `${title} ${loss}`
}

/**
 * Returns what would change, kind by kind: files, one per line with who changed each since the checkpoint, folders, and
 * what stays and why. Each list is cut after {@link NAMED} and says how many more there are; empty ones are left out.
 * Ends with the sentence that it can be undone. `now` in ms.
 */
export const restoreDetail = (preview: CheckpointPreview, now: number): string => {
  const { files, folders, untouched } = preview
  const ofKind = (kind: RestoredFile['change']): readonly string[] =>
    files.filter(({ change }) => change === kind).map((file) => `${neutraliseLine(file.path)}${authorText(file, now)}`)
  const hasUnknown = lostFiles(preview).some(({ author }) => author === null)
  return [
    ...listed('Removed, as they came since', ofKind('removed')),
    ...listed('Get their former content', ofKind('modified')),
    ...listed('Come back', ofKind('added')),
    ...listed('Get their former permissions', ofKind('mode')),
    ...listed(
      'Folders that come back, go or get their former permissions',
      folders.map((path) => `${neutraliseLine(path)}/`),
    ),
    ...listed(
      'Stay as they are',
      untouched.map(({ path, why }) => `${neutraliseLine(path)} (${neutraliseLine(why)})`),
    ),
    ...(hasUnknown
      ? ['Without a name: changed by a person, a program, git, or an agent that Cairn does not know.']
      : []),
    'What is there now is kept in a checkpoint first, so that this can be undone.',
  ].join('\n')
}

/** Returns what was left as it is, but for what the preview had said already, for the same reason. */
const notRestored = (
  { untouched }: CheckpointRestored,
  preview: CheckpointPreview,
): CheckpointRestored['untouched'] => {
  const known = new Set(preview.untouched.map(({ path, why }) => `${path}\0${why}`))
  return untouched.filter(({ path, why }) => !known.has(`${path}\0${why}`))
}

/**
 * Returns how many files were written and removed, then which were left as they are and why: at most {@link NAMED}, and
 * how many more. Files of which the preview had said that they stay, for the same reason, are not among these;
 * `isWhole` is true if there are no others.
 */
export const restoredText = (
  outcome: CheckpointRestored,
  preview: CheckpointPreview,
): { readonly text: string; readonly isWhole: boolean } => {
  const { restored, removed } = outcome
  const done = `Restored: ${counted(restored, 'file')} written, ${counted(removed, 'file')} removed.`
  const left = notRestored(outcome, preview)
  if (left.length === 0) return { text: done, isWhole: true }
  const named = left.slice(0, NAMED).map(({ path, why }) => `${neutraliseLine(path)} (${neutraliseLine(why)})`)
  const more = left.length > named.length ? ` and ${left.length - named.length} more` : ''
  return { text: `${done} Left as they are: ${named.join(', ')}${more}.`, isWhole: false }
}
