/** Checkpoints of a page. */
export const CHECKPOINT_PAGE = 50
