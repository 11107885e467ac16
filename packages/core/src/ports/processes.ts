/** How processes that share a store identify each other. */

/** The holder of a lease, as it identifies itself. */
export interface LeaseOwner {
  readonly pid: number
  readonly host: string
  /** When the process started, according to its system, because process ids are reused. Undefined if unknown. */
  readonly started: string | undefined
  /** The program, such as `cairn watch`; undefined if it does not say. */
  readonly program?: string | undefined
}

/** What is known about the process with the owner's id. */
export interface OwnerFacts {
  readonly isAlive: boolean
  readonly started: string | undefined
}

export interface Processes {
  /** This process. */
  readonly own: LeaseOwner
  /**
   * The process that runs under the owner's id; undefined if that can't be determined, for example on another machine.
   */
  factsOf(owner: LeaseOwner): OwnerFacts | undefined
}
