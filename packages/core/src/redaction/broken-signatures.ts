/** Signatures of reasoning whose text was changed by redaction: a provider refuses the one with the other. */
import { isJsonObject, stringOf } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import type { NewLogEntry } from '../session-log.ts'

const PLACEHOLDER = /\[redacted:[a-z0-9-]+\]/

/**
 * An entry that secrets were taken out of, without the signatures of the reasoning that held them: it is kept as
 * unsigned, its text stays. The same object where nothing had to go.
 */
export const withoutBrokenSignatures = <E extends NewLogEntry>(entry: E): E => {
  if (entry.kind !== 'message') return entry
  const content = entry.content.map(withoutBrokenSignature)
  return content.every((block, index) => block === entry.content[index]) ? entry : { ...entry, content }
}

const withoutBrokenSignature = (block: ContentBlock): ContentBlock => {
  if (block.type === 'thinking') {
    const { signature, ...unsigned } = block
    return signature !== undefined && (PLACEHOLDER.test(block.text) || PLACEHOLDER.test(signature)) ? unsigned : block
  }
  // Reasoning that the provider sealed has no text that could stay.
  if (block.type === 'other' && isJsonObject(block.value) && block.value.type === 'redacted_thinking')
    return PLACEHOLDER.test(stringOf(block.value.data) ?? '') ? { type: 'thinking', text: '' } : block
  return block
}
