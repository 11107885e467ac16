/**
 * The messages of a model history that are visible to the model, in order, with derived lists that appending keeps up
 * to date.
 */
import { isSeen, seenMessage, type Group, type ModelMessage, type MutableBlock } from './history-blocks.ts'

export interface VisibleGroups {
  /** Inserts a group at its position; does nothing if it is already there. */
  add(group: Group): void
  /** The groups with at least one visible block, in order. */
  groups(): readonly Group[]
  /** Like `groups`, but may include groups that are no longer visible; takes constant time. */
  listed(): readonly Group[]
  /** The visible blocks, in order. The array is valid until the next change. */
  blocks(): readonly MutableBlock[]
  /** The visible messages, in order. Later changes do not change the array. */
  messages(): readonly ModelMessage[]
  /**
   * Call after blocks were added to a group: at the end they are appended to the lists; anywhere else the lists are
   * rebuilt.
   */
  append(group: Group, blocks: readonly MutableBlock[], isNewMessage: boolean): void
  /** Call after any other change: the lists are rebuilt on the next access. */
  invalidate(): void
}

/**
 * Creates an empty list, kept in order of the messages. It may return the same array until something changes; callers
 * must not modify it.
 */
export const createVisibleGroups = (): VisibleGroups => {
  /** In order; groups that are no longer visible stay until the next access. */
  let listed: Group[] = []
  let messages: readonly ModelMessage[] | undefined
  let blocks: MutableBlock[] | undefined

  const invalidate = (): void => {
    messages = undefined
    blocks = undefined
  }

  /** The groups that are seen, in order; those no longer seen leave the list. */
  const groups = (): readonly Group[] => {
    const gone = listed.filter((group) => !isSeen(group))
    if (gone.length > 0) {
      for (const group of gone) group.isListed = false
      listed = listed.filter(({ isListed }) => isListed)
    }
    return listed
  }

  return {
    add: (group) => {
      if (group.isListed) return
      group.isListed = true
      const last = listed.at(-1)
      if (last === undefined || last.order < group.order) listed.push(group)
      else listed.splice(insertionIndex(listed, group.order), 0, group)
    },
    groups,
    listed: () => listed,
    blocks: () => (blocks ??= seenBlocks(groups())),
    messages: () => (messages ??= seenMessages(groups())),
    append: (group, added, isNewMessage) => {
      if (listed.at(-1) !== group) {
        invalidate()
        return
      }
      if (blocks !== undefined) for (const block of added) blocks.push(block)
      if (messages === undefined) return
      group.message = seenMessage(group)
      if (group.message !== null) messages = [...(isNewMessage ? messages : messages.slice(0, -1)), group.message]
    },
    invalidate,
  }
}

/** The blocks that are sent, in order. */
const seenBlocks = (groups: readonly Group[]): MutableBlock[] => {
  const seen: MutableBlock[] = []
  for (const group of groups)
    for (const part of group.parts) for (const block of part.blocks) if (block.seen !== null) seen.push(block)
  return seen
}

/** The messages that are sent, made again only for groups that changed; those without blocks are left out. */
const seenMessages = (groups: readonly Group[]): readonly ModelMessage[] => {
  const messages: ModelMessage[] = []
  for (const group of groups) {
    if (group.message === undefined) group.message = seenMessage(group)
    if (group.message !== null) messages.push(group.message)
  }
  return messages
}

/** The position of a group with this order in a sorted list. By binary search: before those of the same order. */
const insertionIndex = (groups: readonly Group[], order: number): number => {
  let low = 0
  let high = groups.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((groups[middle]?.order ?? 0) < order) low = middle + 1
    else high = middle
  }
  return low
}
