/** The time, as a dependency that tests can set. */
export interface Clock {
  /** The current time, in ms since the epoch. */
  now(): number
  /** Yields: resolves once other work waiting in this program (a signal, a timer, another request) has run. */
  turn?(): Promise<void>
}
