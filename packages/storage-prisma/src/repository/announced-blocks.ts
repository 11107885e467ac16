/** The blocks that one write is about to store: while it runs, the others leave them out. */
import type { HashKey } from '../packs/pack-draft.ts'
import type { StoreContext } from './context.ts'
import type { PendingBlocks } from './prepared-content.ts'

export interface AnnouncedBlocks extends PendingBlocks {
  /** To be called when the write has ended, however it did. */
  withdraw(): void
}

/** Blocks of a new write among those of all running ones; at first it announces none. */
export const announcedBlocks = (pending: StoreContext['pending']): AnnouncedBlocks => {
  const announced: HashKey[] = []
  return {
    has: (key) => pending.has(key),
    firstSession: (key) => pending.get(key)?.firstSession,
    add: (key, firstSession) => {
      const known = pending.get(key)
      pending.set(key, { writes: (known?.writes ?? 0) + 1, firstSession: known?.firstSession ?? firstSession })
      announced.push(key)
    },
    withdraw: () => {
      for (const key of announced.splice(0)) {
        const known = pending.get(key)
        if (known === undefined || known.writes === 1) pending.delete(key)
        else pending.set(key, { ...known, writes: known.writes - 1 })
      }
    },
  }
}
