/** Ids for records that have none of their own, made of what nearly identifies them. */
/** Gives an id for a stamp: the stamp itself the first time, then `<stamp>.1`, `<stamp>.2`, … */
export type NumberedIds = (stamp: string) => string

/**
 * Starts with no stamp used. A stamp's first id is the stamp itself, the next ones `stamp.1`, `stamp.2` and so on. A
 * stamp that looks like such an id is not told apart.
 */
export const createNumberedIds = (): NumberedIds => {
  const occurrences = new Map<string, number>()
  return (stamp) => {
    const before = occurrences.get(stamp) ?? 0
    occurrences.set(stamp, before + 1)
    return before === 0 ? stamp : `${stamp}.${before}`
  }
}
