/** Signatures of reasoning whose text was changed by redaction: a provider refuses the one with the other. */
import { isJsonObject, stringOf } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import type { NewLogEntry } from '../session-log.ts'

const PLACEHOLDER = /\[redacted:[a-z0-9-]+\]/

/**
 * An entry that secrets were taken out of, without the signatures of what held them: reasoning is kept as unsigned, its
 * text stays. The same object where nothing had to go.
 */
export const withoutBrokenSignatures = <E extends NewLogEntry>(entry: E): E => {
  if (entry.kind !== 'message') return entry
  const content = entry.content.map((block, index) =>
    isSealOfChanged(block, entry.content[index + 1]) ? UNSIGNED : withoutBrokenSignature(block),
  )
  return content.every((block, index) => block === entry.content[index]) ? entry : { ...entry, content }
}

/**
 * Whether a secret was taken out of reasoning that has a signature, or out of the signature itself: entries that were
 * stored before signatures were left out may still hold such reasoning. False of every other block.
 */
export const hasBrokenSignature = (block: ContentBlock): boolean => {
  if (block.type === 'thinking')
    return block.signature !== undefined && (hasPlaceholder(block.text) || hasPlaceholder(block.signature))
  return (
    block.type === 'other' &&
    isJsonObject(block.value) &&
    block.value.type === 'redacted_thinking' &&
    hasPlaceholder(stringOf(block.value.data) ?? '')
  )
}

/**
 * Whether a block is Google's signature of the `next` block, a call or a text, that a secret was taken out of. Google
 * gives it as reasoning without a text, before what it is for.
 */
const isSealOfChanged = (block: ContentBlock, next: ContentBlock | undefined): boolean =>
  block.type === 'thinking' &&
  block.signedBy === 'google' &&
  block.text === '' &&
  next !== undefined &&
  next.type !== 'thinking' &&
  hasPlaceholder(JSON.stringify(next))

const UNSIGNED: ContentBlock = { type: 'thinking', text: '' }

const hasPlaceholder = (text: string): boolean => text.includes('[redacted:') && PLACEHOLDER.test(text)

/** A block without a signature that no longer fits; others as they are. */
const withoutBrokenSignature = (block: ContentBlock): ContentBlock => {
  if (!hasBrokenSignature(block)) return block
  // Reasoning that the provider sealed has no text that could stay.
  return { type: 'thinking', text: block.type === 'thinking' ? block.text : '' }
}
