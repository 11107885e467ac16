/** The results of checking checkpoints, in words. Safe to print. */
import type { CheckpointsCheck, FolderCheck } from '@cairn/core'
import { counted } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** Folders that are named. */
const NAMED = 5

/** Whether there is damage that was not repaired. */
export const hasDamagedCheckpoints = ({ folders }: CheckpointsCheck): boolean => folders.some(isDamaged)

/** Whether a folder's checkpoints are damaged and not repaired. */
const isDamaged = ({ fault, repair }: FolderCheck): boolean => fault !== null && repair === null

/** Returns a sentence for each damaged repository, with what to do about it; empty if there is none. */
export const damagedCheckpointTexts = ({ folders }: CheckpointsCheck): readonly string[] =>
  folders
    .filter(isDamaged)
    .map(({ root, folder, fault }) =>
      neutraliseLine(
        root === null
          ? `The repository ${folder} is damaged: ${fault ?? ''}; a checkpoint of its folder must be in this store for cairn doctor --repair to know it.`
          : `The checkpoints of ${root} are damaged (in ${folder}: ${fault ?? ''}); cairn doctor --repair keeps them as they are under another name, and starts again with those that are whole.`,
      ),
    )

/**
 * Returns how many checkpoints there are, what could not be checked, what was repaired, and what is on record but
 * missing. The last only if the store `isLocal`, because a server also has records of other machines.
 */
export const checkpointTexts = ({ folders, missing }: CheckpointsCheck, isLocal: boolean): readonly string[] => [
  countText(folders),
  ...folders.flatMap(repairTexts),
  ...folders.flatMap(({ root, folder, unchecked }) =>
    unchecked === null ? [] : [neutraliseLine(`not checked: those of ${root ?? folder}, as ${unchecked}`)],
  ),
  ...(isLocal ? missingTexts(missing) : []),
]

/** Returns the number of checkpoints and folders; `none` without folders. */
const countText = (folders: readonly FolderCheck[]): string => {
  if (folders.length === 0) return 'none'
  const count = folders.reduce((sum, { checkpoints }) => sum + checkpoints, 0)
  return `${counted(count, 'checkpoint')} of ${counted(folders.length, 'folder')}`
}

/** Returns a sentence about a repair; empty if there was none. */
const repairTexts = ({ root, folder, fault, repair }: FolderCheck): readonly string[] => {
  if (repair === null) return []
  const { setAside, kept, lost } = repair
  const what = `those of ${root ?? folder} were damaged (${fault ?? ''}); ${counted(kept, 'checkpoint')} could be kept`
  const others = lost === 0 ? '' : `, ${counted(lost, 'other')} could not`
  return [neutraliseLine(`${what}${others}${setAside === null ? '' : `. All that there was is kept as ${setAside}`}`)]
}

/**
 * Returns a sentence about checkpoints whose files are missing; empty if there are none. At most `NAMED` folders are
 * named.
 */
const missingTexts = (missing: CheckpointsCheck['missing']): readonly string[] => {
  if (missing.length === 0) return []
  const named = missing.slice(0, NAMED).map(({ root, checkpoints }) => `${checkpoints} of ${neutraliseLine(root)}`)
  const more = missing.length > NAMED ? `, … of ${counted(missing.length - NAMED, 'other folder')}` : ''
  const count = missing.reduce((sum, { checkpoints }) => sum + checkpoints, 0)
  return [
    `the store has ${counted(count, 'checkpoint')} on record whose files are not here: ${named.join(', ')}${more}; these can't be restored`,
  ]
}
