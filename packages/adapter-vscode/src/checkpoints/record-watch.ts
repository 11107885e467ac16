/**
 * Notices checkpoints that are made, restored or removed elsewhere. The store's notice comes with every change of anything,
 * many times a second during an import, so the store's short records are compared before git is asked for a list.
 */
import type { Engine } from '@cairn/core'

/** What the watch needs of the window. */
export interface RecordWatchDeps {
  readonly engine: () => Promise<Pick<Engine, 'store'> | undefined>
  readonly roots: () => readonly string[]
  /** Called when there are other checkpoints than at the look before. */
  readonly onChange: () => void
}

/** Notices when checkpoints are added or removed. */
export interface RecordWatch {
  /** Looks now; calls that come meanwhile share one look after it. Never rejects. */
  look(): Promise<void>
}

/** Returns which checkpoints there are, as one text; '' without a store. */
const recordsOf = async ({ engine, roots }: RecordWatchDeps): Promise<string> => {
  const loaded = await engine()
  if (loaded === undefined) return ''
  const lists = await Promise.all(roots().map((root) => loaded.store.checkpoints.list(root)))
  return lists.flatMap((records) => records.map(({ id }) => id)).join(' ')
}

/**
 * Returns a watch that calls `onChange` when a look finds other checkpoints than the one before. The first look calls it,
 * too, and so does each that fails.
 */
export const createRecordWatch = (deps: RecordWatchDeps): RecordWatch => {
  let seen: string | undefined
  let running: Promise<void> | undefined
  let isStale = false

  const lookOnce = async (): Promise<void> => {
    try {
      const found = await recordsOf(deps)
      if (found === seen) return
      seen = found
      deps.onChange()
    } catch {
      // The view says what is wrong when it reads; the next look tries again.
      seen = undefined
      deps.onChange()
    }
  }
  return {
    look: async () => {
      isStale = true
      running ??= (async () => {
        while (isStale) {
          isStale = false
          await lookOnce()
        }
      })().finally(() => {
        running = undefined
      })
      await running
    },
  }
}
