/** Node's side of the clean-up: files of the data folder, and imported files that are gone. */
import type { BesideTheStore } from '../../engine/clean-up.ts'
import { isGoneForGood } from './gone-files.ts'
import { leftoverFiles } from './leftover-files.ts'

/**
 * The sources of what lies beside a store, in the data folder. Other parts that leave something behind add a source
 * here.
 * @param store its address: of one that machines share, none of them knows whose files are gone, so `isGone` is missing
 */
export const besideTheStore = (dataFolder: string, store: string): BesideTheStore => ({
  sources: [leftoverFiles(dataFolder)],
  ...(store.startsWith('file:') ? { isGone: isGoneForGood } : {}),
})
