/** New identifiers, as a dependency: tests make them predictable. */
export interface Ids {
  /** A new globally unique id that sorts by the time it was made. */
  next(): string
}
