/**
 * Group commit: writes that arrive while a commit is under way share the next one, and so its sync to disk. Each
 * resolves only when it is on disk.
 */
interface Waiting<Item, Outcome> {
  readonly item: Item
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

const LARGEST_GROUP = 64

/** Collects items while a commit is running, and passes them to the next one together. */
export class GroupCommit<Item, Outcome> {
  readonly #commit: (group: readonly Item[]) => Promise<readonly Outcome[]>
  #waiting: Waiting<Item, Outcome>[] = []
  #running: Promise<void> | undefined

  /** `commit` writes a group in one transaction, in its order, and resolves with an outcome for each when they are on disk. */
  constructor(commit: (group: readonly Item[]) => Promise<readonly Outcome[]>) {
    this.#commit = commit
  }

  /**
   * Has an item committed, alone or together with others that come while a commit runs; resolves with its own outcome.
   * Where a group fails, each is committed alone, and only those that fail again reject.
   */
  add(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Resolves when nothing is waiting. */
  async idle(): Promise<void> {
    await this.#running
  }

  /** Writes group by group until nothing waits; writes of one turn of the event loop are in one group. */
  async #run(): Promise<void> {
    // Lets writes made in the same turn of the event loop join the first group.
    await Promise.resolve()
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0, LARGEST_GROUP))
    this.#running = undefined
  }

  /**
   * Writes a group and settles each of its writes. If it fails, each is written alone, so that only those at fault
   * reject.
   */
  async #write(group: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#commit(group.map(({ item }) => item))
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index]
        if (outcome === undefined) reject(new TypeError('a write of the group has no outcome'))
        else resolve(outcome)
      }
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error)
      // One of them failed and rolled back the others: each gets a transaction of its own.
      else for (const waiting of group) await this.#write([waiting])
    }
  }
}
