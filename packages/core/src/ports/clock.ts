/** The time, as a dependency: tests set it. */
export interface Clock {
  /** Now, in ms since the epoch. */
  now(): number
}
