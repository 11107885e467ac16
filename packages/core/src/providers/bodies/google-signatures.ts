/** The signatures that Google's models put on what they say, and want back with it. */
import { isSignedThinking } from '../../context/thinking.ts'
import type { ContentBlock, ThinkingBlock } from '../../messages.ts'

/** What Google gives to be sent with a call that has no signature, because another model made it. */
export const FOREIGN_SIGNATURE = 'skip_thought_signature_validator'

/** Whether a block is reasoning that Google's own model has signed. Without a text it seals what stands behind it. */
export const isSignedByGoogle = (block: ContentBlock): block is ThinkingBlock & { readonly signature: string } =>
  block.type === 'thinking' && block.signedBy === 'google' && isSignedThinking(block)
