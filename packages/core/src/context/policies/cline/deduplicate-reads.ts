/** A step: older contents of files that are there again become short notices. */
import { isFixed, type Draft } from '../../draft.ts'
import type { ViewBlock } from '../../view-block.ts'
import { findDuplicateReads, totalCharactersOf } from '../../steps/file-reads/deduplicate.ts'
import { visibleMessages } from '../../steps/visible-messages.ts'

/** Why a content left: a newer one of the same file is there. */
export const SUPERSEDED = 'superseded'

export interface DeduplicatedReads {
  /** The texts that blocks have got in this draft. */
  readonly notices: ReadonlyMap<ViewBlock, string>
  /** Characters saved of all characters in the view, 0 to 1. */
  readonly savedShare: number
}

/**
 * In a draft, replaces each file content that a newer one covers with a notice. Blocks that are fixed stay.
 * `savedShare` (0 to 1) is of all characters of the view.
 */
export const deduplicateReads = (draft: Draft): DeduplicatedReads => {
  const { view } = draft
  const visible = visibleMessages(view)
  const messages = visible.map(({ message }) => message)
  const viewBlockAt = (message: number, block: number): ViewBlock | undefined => visible[message]?.blocks[block]
  const found = findDuplicateReads(messages, {
    minimumSaved: 1,
    isProtected: ({ message, block }) => {
      const viewBlock = viewBlockAt(message, block)
      return viewBlock === undefined || isFixed(viewBlock, view)
    },
  })
  const notices = new Map<ViewBlock, string>()
  for (const { message, block, text } of found.replacements) {
    const viewBlock = viewBlockAt(message, block)
    // A rewrite holds a block's text: where more than the file is in a result, images would go with it.
    if (viewBlock === undefined || (holdsMore(viewBlock) && !text.startsWith('[Earlier content of '))) continue
    draft.replace(viewBlock, SUPERSEDED, text)
    if (draft.changes(viewBlock)) notices.set(viewBlock, text)
  }
  const saved = found.duplicates.reduce((sum, { message, block, savedCharacters }) => {
    const viewBlock = viewBlockAt(message, block)
    return viewBlock !== undefined && notices.has(viewBlock) ? sum + savedCharacters : sum
  }, 0)
  const total = totalCharactersOf(messages)
  return { notices, savedShare: total === 0 ? 0 : saved / total }
}

const holdsMore = ({ source: { original } }: ViewBlock): boolean =>
  original.type === 'tool_result' && original.content.some(({ type }) => type !== 'text')
