/** Whether the team's databases are those that they were at the last sync. */
import { isJsonObject } from '@cairn/core'
import type { DatabaseStore } from '@cairn/storage-prisma'

const GLOBAL = { tier: 'global' } as const
/** In the user's store: which line of commits each of the team's databases had. */
const TIMELINES = 'sync.timelines'

/** Compares the team's databases with what the user's store noted of them, after a sync. */
export interface Timelines {
  /**
   * Whether one of the team's databases is not the one that it was, because a replica took its place and may lack what
   * was sent last. Everything is marked to be sent again then; `true` until `note`. False where the team's store was
   * not needed.
   */
  readonly haveChanged: () => Promise<boolean>
  /**
   * Notes the line of commits that the team's databases have now. Does nothing where the team's store was not needed.
   */
  readonly note: () => Promise<void>
}

/**
 * Creates the comparison for one sync; reads nothing yet. `state` and `sync` are of the user's store; `team` gives the
 * team's store, undefined as long as it was not opened.
 */
export const createTimelines = (
  { state, sync }: Pick<DatabaseStore, 'state' | 'sync'>,
  team: () => Pick<DatabaseStore, 'timelines'> | undefined,
): Timelines => ({
  haveChanged: async () => {
    const known = await state.get(GLOBAL, TIMELINES)
    const now = await team()?.timelines()
    if (now === undefined || !isJsonObject(known)) return false
    const haveChanged = [...now].some(([identity, timeline]) => (known[identity] ?? timeline) !== timeline)
    if (haveChanged) await sync.source.sendAgain({ forget: false })
    return haveChanged
  },
  note: async () => {
    const now = await team()?.timelines()
    if (now === undefined) return
    const noted = Object.fromEntries(now)
    if (JSON.stringify(await state.get(GLOBAL, TIMELINES)) !== JSON.stringify(noted))
      await state.set(GLOBAL, new Map([[TIMELINES, noted]]))
  },
})
