/** When a segment of the index is made, and of how much. */

/** Of a tail, or of what might go there. */
export interface TailSize {
  readonly messages: number
  readonly bytes: number
}

/** Tests take small ones. */
export interface IndexSizes {
  /** A tail of so many messages, or bytes, is gathered. */
  readonly tailMessages: number
  readonly tailBytes: number
  /** So many segments of a level become one of the next. */
  readonly merge: number
  /** Larger ones are not made: a merge holds the lock while it is written. */
  readonly largestBytes: number
}

export const INDEX_SIZES: IndexSizes = {
  tailMessages: 256,
  tailBytes: 512 * 1024,
  merge: 4,
  largestBytes: 8 * 1024 * 1024,
}

/** From so much of one session on, what is imported at once is a segment from the beginning. */
export const segmentFrom = ({ tailMessages, tailBytes }: IndexSizes): TailSize => ({
  messages: tailMessages / 4,
  bytes: tailBytes / 8,
})
