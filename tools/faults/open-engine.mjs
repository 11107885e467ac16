// An engine over a store, with checkpoints in a data folder of its own: what writers and checks work with.
import { join } from 'node:path'
import { createEngine } from '@cairn/core'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { createSnapshotRepository } from '@cairn/core/node/checkpoints'

/**
 * @typedef {object} Scene what all writers of one store share
 * @property {string} address of the store
 * @property {string} folder holds `home`, `data` (checkpoints), and a folder for each writer's files
 */

/**
 * Rejects as `openStore` does. An engine over a store, with data and home folders of the scene.
 * @param {import('@cairn/core').Store} store is closed with the engine
 * @param {Scene} scene
 * @param {number} [aheadMs] its clock is ahead by so much
 */
export function engineOver(store, { folder }, aheadMs = 0) {
  const { now } = createSystemClock()
  const clock = { now: () => now() + aheadMs }
  const setting = { dataFolder: join(folder, 'data'), home: join(folder, 'home') }
  return createEngine({
    store,
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
    snapshots: async () => createSnapshotRepository(setting),
  })
}
