/** Checkpoints of the in-memory store. */
import type { CheckpointRecord, CheckpointStorage } from '../ports/checkpoint-storage.ts'
import { compareText, type StoreData } from './data.ts'

const newestFirst = (left: CheckpointRecord, right: CheckpointRecord): number =>
  right.at - left.at || compareText(right.id, left.id)

/**
 * Checkpoint storage over the in-memory store's data, newest first; `add` replaces one of the same id. `page` takes all
 * workspaces and sessions unless it is told which, and its `total` counts beyond the page. `delete` says whether there
 * was one. Listeners are told of each change.
 */
export const createInMemoryCheckpoints = (data: StoreData): CheckpointStorage => ({
  add: async (checkpoint) => {
    data.checkpoints.set(checkpoint.id, { ...checkpoint })
    data.changed()
  },
  get: async (id) => data.checkpoints.get(id),
  list: async (workspace) =>
    [...data.checkpoints.values()].filter((checkpoint) => checkpoint.workspace === workspace).sort(newestFirst),
  page: async ({ workspace, sessionId, limit, offset = 0 }) => {
    const found = [...data.checkpoints.values()]
      .filter((each) => workspace === undefined || each.workspace === workspace)
      .filter((each) => sessionId === undefined || each.sessionId === sessionId)
      .sort(newestFirst)
    return {
      checkpoints: found.slice(offset, limit === undefined ? undefined : offset + limit),
      total: found.length,
    }
  },
  workspaces: async () => {
    const counts = new Map<string, number>()
    for (const { workspace } of data.checkpoints.values()) counts.set(workspace, (counts.get(workspace) ?? 0) + 1)
    return [...counts]
      .map(([workspace, checkpoints]) => ({ workspace, checkpoints }))
      .sort((left, right) => compareText(left.workspace, right.workspace))
  },
  delete: async (id) => {
    const wasThere = data.checkpoints.delete(id)
    if (wasThere) data.changed()
    return wasThere
  },
})
