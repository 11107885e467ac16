/** Which parts of a session are unfolded. What the user opened or closed stays so when its page of entries is drawn again. */

/** Which folded parts of the page are open. */
export interface Folds {
  isOpen(key: string): boolean
  /** The user opened or closed a part. */
  set(key: string, isOpen: boolean): void
  /** Opens or folds all that is folded by itself. */
  setAll(isOpen: boolean): void
  /** What is kept of it. */
  readonly kept: KeptFolds
}

/** The folds as they are saved with the page. */
export interface KeptFolds {
  /** Whether parts are open that the user has not touched. */
  readonly isOpen: boolean
  /** Those that are the other way. */
  readonly others: readonly string[]
}

/** More are not kept. */
const MOST_KEPT = 2_000

/**
 * Returns the folds as they were saved: all open or all closed, but for `others`. At most `MOST_KEPT` of these are
 * kept.
 */
export const createFolds = (kept: KeptFolds): Folds => {
  let isOpen = kept.isOpen
  const others = new Set(kept.others)
  return {
    isOpen: (key) => isOpen !== others.has(key),
    set: (key, isNow) => {
      if (isNow === isOpen) others.delete(key)
      else if (others.size < MOST_KEPT) others.add(key)
    },
    setAll: (isNow) => {
      isOpen = isNow
      others.clear()
    },
    get kept() {
      return { isOpen, others: [...others] }
    },
  }
}
