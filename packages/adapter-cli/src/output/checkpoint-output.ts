/** Checkpoints, differences and what was left out, as lines. */
import { leftOutWords } from '@cairn/core'
import type { Checkpoint, FileDifference, LeftOutFile } from '@cairn/core'
import { counted, formatBytes } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapLine } from '../terminal/wrap.ts'

/** Characters of an id that are shown: the end, because the beginning is the same for a whole day. */
const SHORT_ID = 8
/** Files that are listed under a heading. */
const LISTED = 12

/** Returns the last 8 characters of an id, in lower case, by which commands find the checkpoint. */
export const shortCheckpointId = (id: string): string => id.slice(-SHORT_ID).toLowerCase()

/** Returns what a checkpoint was made for, safe to print; empty if it has no label. */
export const purposeOf = ({ kind, label }: Checkpoint): string =>
  kind === 'before-restore' ? 'before a restore' : neutraliseLine(label ?? '')

/**
 * Yields lines about the files that a checkpoint left out: the first 12 with their reasons and the number of others,
 * then a sentence about those that git ignores. Nothing if none was left out.
 */
export function* leftOutLines(leftOut: readonly LeftOutFile[], width: number): Generator<string> {
  const named = leftOut.filter(({ reason }) => reason !== 'ignored')
  if (named.length > 0) {
    yield `Left out: ${counted(named.length, 'file')}`
    for (const { path, reason, isFolder, size } of named.slice(0, LISTED))
      yield `  ${neutraliseLine(path)}${isFolder ? '/' : ''} (${neutraliseLine(leftOutWords(reason))}${size === undefined ? '' : `: ${formatBytes(size)}`})`
    if (named.length > LISTED) yield `  … ${named.length - LISTED} more (--json names all)`
  }
  const ignored = leftOut.filter(({ reason }) => reason === 'ignored')
  if (ignored.length === 0) return
  const names = ignored.slice(0, LISTED).map(({ path, isFolder }) => `${neutraliseLine(path)}${isFolder ? '/' : ''}`)
  yield* wrapLine(`Ignored by git's rules: ${names.join(', ')}${ignored.length > LISTED ? ', …' : ''}`, width)
}

const MARKS: Readonly<Record<FileDifference['change'], string>> = {
  added: 'A',
  modified: 'M',
  removed: 'D',
  mode: 'P',
}

/** Returns one line for a changed file, its mark first: `M  src/a.ts`, `P  run.sh (644 → 755)`. Safe to print. */
export const differenceLine = ({ path, change, modes: [before, after] }: FileDifference): string =>
  `${MARKS[change]}  ${neutraliseLine(path)}${change === 'mode' ? ` (${octal(before)} → ${octal(after)})` : ''}`

/** File permissions in octal; `-` for null. */
const octal = (mode: number | null): string => (mode === null ? '-' : mode.toString(8))

/**
 * Yields the difference of a file as `git diff` shows it, safe to print; one sentence for binary or very long files.
 */
export function* patchLines(difference: FileDifference, { style }: Pick<Terminal, 'style'>): Generator<string> {
  const { path, change, patch } = difference
  const name = neutraliseLine(path)
  yield style('bold', `--- ${change === 'added' ? '/dev/null' : `a/${name}`}`)
  yield style('bold', `+++ ${change === 'removed' ? '/dev/null' : `b/${name}`}`)
  if (change === 'mode') yield `permissions ${octal(difference.modes[0])} → ${octal(difference.modes[1])}`
  if (patch === null) yield 'No text, or too long to compare by lines; the contents differ.'
  for (const line of patch ?? []) yield style(colourOf(line), neutraliseLine(line))
}

/** Returns the colour of a line of a difference: by its first character, `dim` for a line that stays. */
const colourOf = (line: string): 'red' | 'green' | 'cyan' | 'dim' => {
  if (line.startsWith('@@')) return 'cyan'
  if (line.startsWith('+')) return 'green'
  return line.startsWith('-') ? 'red' : 'dim'
}

/**
 * Returns counts by kind of change, without kinds that have none: `3 added, 1 modified, 2 removed`; "no file differs"
 * for an empty list.
 */
export const changesText = (differences: readonly Pick<FileDifference, 'change'>[]): string => {
  const parts = (['added', 'modified', 'removed', 'mode'] as const).flatMap((change) => {
    const count = differences.filter((each) => each.change === change).length
    return count === 0 ? [] : [`${count} ${change === 'mode' ? 'with other permissions' : change}`]
  })
  return parts.length === 0 ? 'no file differs' : parts.join(', ')
}
