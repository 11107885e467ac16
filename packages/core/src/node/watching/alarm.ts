/** A wait that something else may end early. */

export interface Alarm {
  /** Resolves after so many ms, or once `wake` is called. */
  readonly sleep: (ms: number) => Promise<void>
  /** Also for a sleep that has not begun: that one does not wait. */
  readonly wake: () => void
}

/**
 * An alarm for one sleeper: `sleep(ms)` resolves after that time, or as soon as `wake` is called; at once if it was
 * called before. One sleeper at a time.
 */
export const createAlarm = (): Alarm => {
  let isWoken = false
  let end: (() => void) | undefined
  return {
    /** Waits so many ms, less once `wake` is called; not at all if it was called before. */
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => end?.(), isWoken ? 0 : ms)
        end = () => {
          clearTimeout(timer)
          isWoken = false
          end = undefined
          resolve()
        }
      }),
    wake: () => {
      isWoken = true
      end?.()
    },
  }
}
