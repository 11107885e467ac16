/** Where in an entry the words of a search stand, as the search itself matches them. */
import { createWordFinder } from '@cairn/core'
import type { SessionStorage } from '@cairn/core'
import type { BlockView } from '@cairn/core/conversation'
import { entryView } from '@cairn/core/conversation'

/** The matches of a search in an entry. */
export interface EntryMatches {
  /** As they are written in the entry, the longest first. */
  readonly words: readonly string[]
  /** Indexes of the blocks that hold them. */
  readonly blocks: readonly number[]
}

const MOST_WORDS = 50
/** Characters of a block that are looked at. */
const MOST_LOOKED_AT = 500_000

/**
 * Returns the texts of a block, with its brief if it has one; empty for an image, or a result that is shown with its
 * call.
 */
const textsOf = (block: BlockView): readonly string[] => {
  if (block.type === 'image' || block.type === 'answered') return []
  return 'brief' in block ? [block.brief, block.text] : [block.text]
}

/**
 * Returns the matches of a search in an entry; empty for one that is not a message, or does not exist. Rejects as the
 * store does. `words` are as they stand there, longest first, at most `MOST_WORDS`; `blocks` are the positions of
 * blocks that hold one. Long blocks are searched to a limit.
 */
export const matchesInEntry = async (
  sessions: Pick<SessionStorage, 'read'>,
  id: string,
  seq: number,
  text: string,
): Promise<EntryMatches> => {
  const [entry] = await sessions.read(id, { fromSeq: seq, limit: 1 })
  if (entry?.kind !== 'message' || entry.seq !== seq) return { words: [], blocks: [] }
  const find = createWordFinder(text)
  const words = new Set<string>()
  const view = entryView(entry, undefined, true)
  const blocks = view.kind !== 'message' ? [] : view.blocks
  const found = blocks.flatMap((block, index) => {
    let isFound = false
    for (const part of textsOf(block)) {
      const looked = part.slice(0, MOST_LOOKED_AT)
      for (const { start, end } of find(looked)) {
        isFound = true
        if (words.size < MOST_WORDS) words.add(looked.slice(start, end))
      }
    }
    return isFound ? [index] : []
  })
  return { words: [...words].sort((left, right) => right.length - left.length), blocks: found }
}
