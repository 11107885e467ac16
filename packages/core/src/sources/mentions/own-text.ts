/** What a user wrote, of a message that mentions were put behind. */
import { textOfBlock } from '../../messages.ts'
import type { ContentBlock } from '../../messages.ts'
import { isRecord } from '../../user-words/record-tags.ts'

/**
 * Returns what the user typed in a message that {@link expandMentions} may have extended: its first text block if
 * everything after it was added by that function, otherwise the text of all blocks, joined by line breaks.
 */
export const textWithoutMentions = (content: readonly ContentBlock[]): string => {
  const [first, ...rest] = content
  const isMentioning = first?.type === 'text' && rest.every((block) => block.type !== 'text' || isRecord(block.text))
  return (isMentioning ? [first] : content).map(textOfBlock).join('\n')
}
