/** Checkpoints of the in-memory store. */
import type { CheckpointStorage } from '../ports/checkpoint-storage.ts'
import { compareText, type StoreData } from './data.ts'

/** Checkpoint storage over the in-memory store's data: a workspace's newest first, deleting says whether there was one. */
export const createInMemoryCheckpoints = (data: StoreData): CheckpointStorage => ({
  add: async (checkpoint) => {
    data.checkpoints.set(checkpoint.id, { ...checkpoint })
    data.changed()
  },
  get: async (id) => data.checkpoints.get(id),
  list: async (workspace) =>
    [...data.checkpoints.values()]
      .filter((checkpoint) => checkpoint.workspace === workspace)
      .sort((left, right) => right.at - left.at || compareText(right.id, left.id)),
  delete: async (id) => {
    const wasThere = data.checkpoints.delete(id)
    if (wasThere) data.changed()
    return wasThere
  },
})
