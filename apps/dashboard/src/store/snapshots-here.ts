/** The files of checkpoints on this machine; they are read, and nothing is written beside them. */
import 'server-only'
import type { SnapshotRepository } from '@cairn/core'
import { dataFolder } from '@cairn/core/node'
import { isWritable } from '../security/is-writable.ts'
import { serverSurroundings } from './surroundings.ts'

/** What of the private repositories only reads. */
export type SnapshotReading = Pick<SnapshotRepository, 'list' | 'leftOut' | 'differences'>

/**
 * Returns what reads the files of checkpoints in the data folder; undefined where others may open the pages, in a
 * team's dashboard or one that can only be read: files of this machine are not for them.
 */
export const snapshotsHere = async (): Promise<SnapshotReading | undefined> => {
  if (!isWritable()) return undefined
  const surroundings = serverSurroundings()
  const { createSnapshotRepository } = await import('@cairn/core/node/checkpoints')
  return createSnapshotRepository({ dataFolder: dataFolder(surroundings), home: surroundings.home })
}
