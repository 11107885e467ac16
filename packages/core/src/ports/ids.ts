/** New identifiers, as a dependency that tests make predictable. */
export interface Ids {
  /** A new globally unique id; ids sort by creation time. */
  next(): string
}
