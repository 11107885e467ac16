/** When a segment of the index is built, and of what size. */

/** Size of a tail, or of messages that would be added to it. */
export interface TailSize {
  readonly messages: number
  readonly bytes: number
}

/** Tests use small ones. */
export interface IndexSizes {
  /** A tail of this many messages, or bytes, becomes a segment. */
  readonly tailMessages: number
  readonly tailBytes: number
  /** This many segments of a level are merged into one of the next. */
  readonly merge: number
  /** Larger segments are not made: writing a merge holds the lock. */
  readonly largestBytes: number
}

export const INDEX_SIZES: IndexSizes = {
  tailMessages: 256,
  tailBytes: 512 * 1024,
  merge: 4,
  largestBytes: 8 * 1024 * 1024,
}

/**
 * The size (messages, bytes) from which an import's messages of one session become a segment directly, without passing
 * through the tail.
 */
export const segmentFrom = ({ tailMessages, tailBytes }: IndexSizes): TailSize => ({
  messages: tailMessages / 4,
  bytes: tailBytes / 8,
})
