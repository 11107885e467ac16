/** The engine over an open store, with Node's implementations of its ports. Loaded when a view first asks for it. */
import { createEngine } from '@cairn/core'
import type { Engine, Store } from '@cairn/core'
import {
  createFileSystem,
  createHasher,
  createIds,
  createProcesses,
  createSystemClock,
  createSystemTimer,
} from '@cairn/core/node'
import type { RepositorySetting } from '@cairn/core/node/checkpoints'

/**
 * Returns an engine over a store. The code for checkpoints, git and source files is loaded by the first call that needs
 * it.
 */
export const openEngine = (store: Store, checkpoints: RepositorySetting): Engine => {
  const clock = createSystemClock()
  return createEngine({
    store,
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
    processes: createProcesses(),
    timer: createSystemTimer(),
    git: async () => (await import('@cairn/core/node/watching')).createGitRecords(),
    sources: async () => {
      const { createSourceAccess } = await import('./source-access.ts')
      return createSourceAccess({ dataFolder: checkpoints.dataFolder })
    },
    snapshots: async () => (await import('@cairn/core/node/checkpoints')).createSnapshotRepository(checkpoints),
  })
}
