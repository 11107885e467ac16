/** Processes that share a store, as they tell each other apart. */

/** Who holds a lease, as it says itself. */
export interface LeaseOwner {
  readonly pid: number
  readonly host: string
  /** When the process started, as its system tells it; a process id may be given again. Undefined where it isn't told. */
  readonly started: string | undefined
  /** Which program it is, such as `cairn watch`; undefined for one that does not say. */
  readonly program?: string | undefined
}

/** What is known of the process with the owner's id. */
export interface OwnerFacts {
  readonly isAlive: boolean
  readonly started: string | undefined
}

export interface Processes {
  /** This process. */
  readonly own: LeaseOwner
  /** What runs under the owner's id; undefined where that can't be asked, as on another machine. */
  factsOf(owner: LeaseOwner): OwnerFacts | undefined
}
