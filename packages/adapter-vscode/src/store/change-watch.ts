/**
 * Notices whether a change of the store matters to a view. The store's notice comes with every change of anything, many
 * times a second during an import, so a view names a short text to be compared before it reads all that it shows.
 */

/** What a watch reads, and whom it tells. */
export interface ChangeWatchDeps {
  /** What the view stands on, as a short text: ids, times, counts. */
  readonly read: () => Promise<string>
  /** Called when the text is another one than at the look before, and when it can't be read. Must not throw. */
  readonly onChange: () => void
}

/** Notices when what a view shows may have changed. */
export interface ChangeWatch {
  /** Looks now, and resolves when that is done; calls that come meanwhile share one look after it. Never rejects. */
  look(): Promise<void>
}

/**
 * Returns a watch that looks only when its `look` is called, one look at a time. A look calls `onChange` once if `read`
 * returns another text than at the look before. The first look calls it, too, each whose `read` rejects (the error is
 * dropped), and the first that succeeds after such a one.
 */
export const createChangeWatch = ({ read, onChange }: ChangeWatchDeps): ChangeWatch => {
  let seen: string | undefined
  let running: Promise<void> | undefined
  let isStale = false

  const lookOnce = async (): Promise<void> => {
    // The view says what is wrong when it reads.
    const found = await read().catch(() => undefined)
    if (found !== undefined && found === seen) return
    seen = found
    onChange()
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
