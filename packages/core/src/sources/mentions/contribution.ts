/** What one mention puts behind the text. */
import type { ContentBlock } from '../../messages.ts'

/** What one mention adds to the message. */
export interface Contribution {
  readonly block: ContentBlock
  /** What it is, in a few words. */
  readonly name: string
  /** Tells it from all others. */
  readonly key: string
  /** The key of what has this in it. */
  readonly wholeKey?: string
  /** What of it is not sent, in words. */
  readonly leftOut?: string
  /** The file that counts as mentioned. */
  readonly path?: string
}
