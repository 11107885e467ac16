/** The time, as a dependency: tests set it. */
export interface Clock {
  /** Now, in ms since the epoch. */
  now(): number
  /** Resolves when what else waits in this program (a signal, a timer, another request) has had its turn. */
  turn?(): Promise<void>
}
