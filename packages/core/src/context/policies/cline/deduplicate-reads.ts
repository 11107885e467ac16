/** A step: older contents of files that are there again become short notices. */
import { isFixed, type Draft } from '../../draft.ts'
import type { ContextItem } from '../../item.ts'
import { findDuplicateReads, totalCharactersOf } from '../../steps/file-reads/deduplicate.ts'
import { visibleMessages } from '../../steps/visible-messages.ts'

/** Why a content left: a newer one of the same file is there. */
export const SUPERSEDED = 'superseded'

export interface DeduplicatedReads {
  /** The texts that blocks have got in this draft. */
  readonly notices: ReadonlyMap<ContextItem, string>
  /** Characters saved of all characters in the view, 0 to 1. */
  readonly savedShare: number
}

export const deduplicateReads = (draft: Draft): DeduplicatedReads => {
  const { view } = draft
  const placed = visibleMessages(view)
  const messages = placed.map(({ message }) => message)
  const itemAt = (message: number, block: number): ContextItem | undefined => placed[message]?.items[block]
  const found = findDuplicateReads(messages, {
    minimumSaved: 1,
    isProtected: ({ message, block }) => {
      const item = itemAt(message, block)
      return item === undefined || isFixed(item, view)
    },
  })
  const notices = new Map<ContextItem, string>()
  for (const { message, block, text } of found.replacements) {
    const item = itemAt(message, block)
    // A rewrite holds a block's text: where more than the file is in a result, images would go with it.
    if (item === undefined || (holdsMore(item) && !text.startsWith('[Earlier content of '))) continue
    draft.replace(item, SUPERSEDED, text)
    if (draft.changes(item)) notices.set(item, text)
  }
  const saved = found.duplicates.reduce((sum, { message, block, savedCharacters }) => {
    const item = itemAt(message, block)
    return item !== undefined && notices.has(item) ? sum + savedCharacters : sum
  }, 0)
  const total = totalCharactersOf(messages)
  return { notices, savedShare: total === 0 ? 0 : saved / total }
}

const holdsMore = ({ slot: { original } }: ContextItem): boolean =>
  original.type === 'tool_result' && original.content.some(({ type }) => type !== 'text')
