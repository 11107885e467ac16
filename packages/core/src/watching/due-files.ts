/** Which files have changed, and when it is time to look at them: shortly after the last of several notices. */

/** After a notice, ms: an agent writes several lines in one go. */
const QUIET_MS = 60
/** A file that never rests is looked at all the same, so long after its first notice, ms. */
const LONGEST_MS = 250

interface Waiting {
  readonly since: number
  readonly dueAt: number
}

/** Notices of changes, by path. Times are ms of one clock. */
export class DueFiles {
  readonly #waiting = new Map<string, Waiting>()

  /**
   * Takes note at `now` that a file may have changed. It becomes due 60 ms after the last such notice, but no later than
   * 250 ms after the first.
   */
  notice(path: string, now: number): void {
    const since = this.#waiting.get(path)?.since ?? now
    this.#waiting.set(path, { since, dueAt: Math.min(now + QUIET_MS, since + LONGEST_MS) })
  }

  /** When the next file is due; undefined when none waits. */
  get nextAt(): number | undefined {
    let next: number | undefined
    for (const { dueAt } of this.#waiting.values()) if (next === undefined || dueAt < next) next = dueAt
    return next
  }

  /** The paths of the files that are due at `now`, each given once: they wait no longer. Empty when none is. */
  take(now: number): readonly string[] {
    const due = [...this.#waiting].filter(([, { dueAt }]) => dueAt <= now).map(([path]) => path)
    for (const path of due) this.#waiting.delete(path)
    return due
  }
}
