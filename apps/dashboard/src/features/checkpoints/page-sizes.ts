/** Checkpoints of a page. */
export const CHECKPOINT_PAGE = 50
/** Changed files that a comparison of two checkpoints lists. */
export const CHANGED_FILES = 200
