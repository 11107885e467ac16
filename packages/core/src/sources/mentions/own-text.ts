/** What a user wrote, of a message that mentions were put behind. */
import { textOfBlock } from '../../messages.ts'
import type { ContentBlock } from '../../messages.ts'
import { isRecord } from '../../user-words/record-tags.ts'

/**
 * What the user typed, of a message that {@link expandMentions} may have made: the first text where all that follows
 * is what that puts there, else the text of all blocks.
 */
export const textWithoutMentions = (content: readonly ContentBlock[]): string => {
  const [first, ...rest] = content
  const isMentioning = first?.type === 'text' && rest.every((block) => block.type !== 'text' || isRecord(block.text))
  return (isMentioning ? [first] : content).map(textOfBlock).join('\n')
}
