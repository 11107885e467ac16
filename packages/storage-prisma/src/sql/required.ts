/** Checks values that must exist for the store to be consistent. */

/**
 * The value itself.
 * @param what a name for the value, as in "the id of an entry"
 * @throws Error when it is undefined or null: a fault in the program, or in the database, that a default would hide
 */
export const required = <T>(value: T | null | undefined, what: string): T => {
  if (value === undefined || value === null) throw new Error(`${what} is missing: the store would not be consistent`)
  return value
}
