/** What changed from one checkpoint to another, read from the files that they hold on this machine. */
import { CairnError, leftOutWords } from '@cairn/core'
import type { CheckpointRecord, FileDifference, LeftOutFile, Snapshot } from '@cairn/core'
import { patchView } from '@cairn/core/conversation'
import type { EditView } from '@cairn/core/conversation'
import type { SnapshotReading } from '../../store/snapshots-here.ts'
import { diffCommand, purposeOf, shortIdOf } from './checkpoint-view.ts'
import { CHANGED_FILES } from './page-sizes.ts'

/** A checkpoint of the same folder. */
export interface ComparedCheckpoint {
  readonly id: string
  readonly shortId: string
  /** ms */
  readonly at: number
  readonly purpose: string
  /** Whether only some paths were looked at, and everything else is as it was seen before. */
  readonly isPartial: boolean
}

/** A file that differs. */
export interface ChangedFile {
  readonly path: string
  readonly change: FileDifference['change']
  /** Permissions before and after in octal, where they differ. */
  readonly modes: readonly [string, string] | null
  /** Why the checkpoint that does not have it left it out; null: it was not there then, or both have it. */
  readonly leftOut: string | null
}

/** The changes from an earlier checkpoint to a later one of the same folder. */
export interface Comparison {
  readonly from: ComparedCheckpoint
  readonly to: ComparedCheckpoint
  /** By kind of change; kinds without a file are missing. */
  readonly counts: readonly (readonly [change: FileDifference['change'], files: number])[]
  /** The first by path. */
  readonly files: readonly ChangedFile[]
  /** How many more there are. */
  readonly filesLeft: number
  /** How many files and folders each left out. */
  readonly leftOut: readonly [from: number, to: number]
  /** Prints all of it. */
  readonly command: string
}

/** Why nothing can be compared here. */
interface NotHere {
  readonly isHere: false
  readonly why: string
}

/** What a checkpoint can be compared with, and what changed. */
export type ChangesAnswer =
  | NotHere
  | {
      readonly isHere: true
      /** All others of the folder, newest first. */
      readonly others: readonly ComparedCheckpoint[]
      /** Null: none was chosen, and no older one is kept. */
      readonly comparison: Comparison | null
    }

/** The lines of one file that differ. */
export type PatchAnswer =
  | NotHere
  | ({
      readonly isHere: true
      /** Lines in all. */
      readonly added: number
      readonly removed: number
      /** What there is to say in place of lines; null where there are some. */
      readonly note: string | null
    } & Pick<EditView, 'lines' | 'linesLeft'>)

const NOT_SHOWN =
  'This dashboard can only be read, and others may have its address, so it shows no files of this machine. On the machine of the project, the commands below compare them.'

const notHere = (why: string): NotHere => ({ isHere: false, why })

/**
 * Returns what `ask` does; a folder that is not here, or git that fails, as a sentence. Other errors than CairnErrors
 * are passed on.
 */
const readingHere = async <T>(
  { workspace }: Pick<CheckpointRecord, 'workspace'>,
  ask: () => Promise<T>,
): Promise<T | NotHere> => {
  try {
    return await ask()
  } catch (error) {
    if (!CairnError.is(error)) throw error
    return notHere(
      error.code === 'not-found'
        ? `Nothing can be compared: there is no folder ${workspace} on this machine.`
        : error.message,
    )
  }
}

/** A checkpoint as one end of a comparison. */
const comparedOf = (snapshot: Snapshot): ComparedCheckpoint => ({
  id: snapshot.id,
  shortId: shortIdOf(snapshot.id),
  at: snapshot.at,
  purpose: purposeOf(snapshot),
  isPartial: snapshot.paths !== null,
})

/** Two checkpoints, the earlier one first. */
type Pair = readonly [from: Snapshot, to: Snapshot]

/**
 * Returns a checkpoint and the chosen one, or else the one before it, in the order in which they were made; undefined
 * if there is none before, or the chosen one is itself or not of the folder.
 * @param newestFirst of the folder
 * @param at the position of the checkpoint in it
 * @param otherId of the chosen one
 */
const pairOf = (newestFirst: readonly Snapshot[], at: number, otherId: string | undefined): Pair | undefined => {
  const other = otherId === undefined ? at + 1 : newestFirst.findIndex(({ id }) => id === otherId)
  const [one, two] = [newestFirst[Math.max(at, other)], newestFirst[Math.min(at, other)]]
  return one === undefined || two === undefined || one === two ? undefined : [one, two]
}

const CHANGES = ['added', 'modified', 'removed', 'mode'] as const

/** Returns why a path was left out, itself or with a folder above it; undefined if it was not. */
const reasonFor = (path: string, leftOut: ReadonlyMap<string, LeftOutFile>): string | undefined => {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const found = leftOut.get(path.slice(0, end))
    if (found !== undefined) return leftOutWords(found.reason)
  }
  return undefined
}

const octal = (mode: number): string => mode.toString(8)

/** Returns a file that differs, with the reason if the checkpoint that lacks it had left it out. */
const changedFile = (
  { path, change, modes: [before, after] }: FileDifference,
  leftOut: Readonly<Record<'added' | 'removed', ReadonlyMap<string, LeftOutFile>>>,
): ChangedFile => ({
  path,
  change,
  modes: before === null || after === null || before === after ? null : [octal(before), octal(after)],
  leftOut: change === 'added' || change === 'removed' ? (reasonFor(path, leftOut[change]) ?? null) : null,
})

/**
 * Returns what changed from one checkpoint to the other. Rejects where git fails. At most `CHANGED_FILES` files are
 * listed; `counts` are of all, without kinds that do not occur.
 */
const comparisonOf = async (root: string, [from, to]: Pair, snapshots: SnapshotReading): Promise<Comparison> => {
  const differences = await snapshots.differences(root, from, to)
  const byPath = async (snapshot: Snapshot): Promise<ReadonlyMap<string, LeftOutFile>> =>
    new Map((await snapshots.leftOut(root, snapshot)).map((file) => [file.path, file]))
  const leftOut = { added: await byPath(from), removed: await byPath(to) }
  return {
    from: comparedOf(from),
    to: comparedOf(to),
    counts: CHANGES.flatMap((change) => {
      const files = differences.filter((each) => each.change === change).length
      return files === 0 ? [] : [[change, files] as const]
    }),
    files: differences.slice(0, CHANGED_FILES).map((difference) => changedFile(difference, leftOut)),
    filesLeft: Math.max(0, differences.length - CHANGED_FILES),
    leftOut: [leftOut.added.size, leftOut.removed.size],
    command: diffCommand([from.id, to.id], root),
  }
}

/** Where the checkpoint stands in its folder's list; the answer for the page if it is not here. */
const positionOf = async (
  { id, workspace }: CheckpointRecord,
  snapshots: SnapshotReading,
): Promise<{ readonly newestFirst: readonly Snapshot[]; readonly at: number } | NotHere> => {
  const newestFirst = await snapshots.list(workspace)
  const at = newestFirst.findIndex((each) => each.id === id)
  if (at >= 0) return { newestFirst, at }
  return notHere('Nothing can be compared: the files of this checkpoint are not on this machine.')
}

/**
 * Returns what changed from a checkpoint's predecessor to it, or between it and another one of its folder, always from
 * the earlier to the later. Reads only the checkpoints, and writes nothing.
 * @param snapshots undefined: this dashboard shows no files
 */
export const checkpointChanges = async (
  record: CheckpointRecord,
  otherId: string | undefined,
  snapshots: SnapshotReading | undefined,
): Promise<ChangesAnswer> => {
  if (snapshots === undefined) return notHere(NOT_SHOWN)
  return readingHere(record, async () => {
    const position = await positionOf(record, snapshots)
    if (!('at' in position)) return position
    const { newestFirst, at } = position
    const pair = pairOf(newestFirst, at, otherId)
    return {
      isHere: true,
      others: newestFirst.filter(({ id }) => id !== record.id).map(comparedOf),
      comparison: pair === undefined ? null : await comparisonOf(record.workspace, pair, snapshots),
    }
  })
}

const BINARY = 'No text, or too long to compare by lines; the contents differ.'
const SAME_LINES = 'The lines are the same: only line ends differ, or a link became a file.'
const GONE = 'This file does not differ between these checkpoints.'

/** Returns what a file's difference has to say in place of lines; null if it has lines. */
const noteOf = ({ change, patch }: FileDifference): string | null => {
  if (patch === null || patch === undefined) return BINARY
  if (patch.length > 0) return null
  return change === 'mode' ? 'Only the permissions differ.' : change === 'modified' ? SAME_LINES : 'The file is empty.'
}

/**
 * Returns the lines of one file that differ between the checkpoints that {@link checkpointChanges} compares. Where it
 * can't be answered here, or the path does not differ, a sentence says so.
 * @param path as that names it; only compared with what git names
 */
export const checkpointPatch = async (
  record: CheckpointRecord,
  { other, path }: { readonly other?: string | undefined; readonly path: string },
  snapshots: SnapshotReading | undefined,
): Promise<PatchAnswer> => {
  if (snapshots === undefined) return notHere(NOT_SHOWN)
  return readingHere(record, async () => {
    const position = await positionOf(record, snapshots)
    if (!('at' in position)) return position
    const pair = pairOf(position.newestFirst, position.at, other)
    const differences =
      pair === undefined ? [] : await snapshots.differences(record.workspace, pair[0], pair[1], { withPatch: [path] })
    const difference = differences.find((each) => each.path === path)
    if (difference === undefined) return notHere(GONE)
    const patch = difference.patch ?? []
    const count = (sign: string): number => patch.filter((line) => line.startsWith(sign)).length
    return {
      isHere: true,
      added: count('+'),
      removed: count('-'),
      note: noteOf(difference),
      ...patchView(patch),
    }
  })
}
