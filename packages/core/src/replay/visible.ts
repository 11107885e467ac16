/** What a request's context contains: how often each name and line occurs, in full, cut or in a digest. */
import type { ContentBlock } from '../messages.ts'
import type { PreparedBlock } from '../context/create-context.ts'
import { ANCHOR_SHARE, factsOf, blockKey, type Anchor, type BlockFacts, type Needs } from './needs.ts'

export interface Visible {
  /** Takes blocks that came into the context (`by` 1) or left it (-1). */
  change(blocks: readonly PreparedBlock[], by: 1 | -1): void
  /**
   * Whether any visible block that is not a digest holds the name with this number, by itself or within a longer name.
   */
  hasContent(name: number): boolean
  /** Whether any visible digest holds the name with this number. */
  hasDigest(name: number): boolean
  /**
   * Whether visible blocks that are not digests hold enough of an anchor's lines (`ANCHOR_SHARE`), or a line with its
   * `part`.
   */
  hasAnchor(anchor: Anchor): boolean
}

/**
 * An empty context of a session with these needs. Blocks that are put in must be taken out as the same objects.
 * `change` puts blocks in (1) or takes them out (−1).
 */
export const createVisible = (needs: Needs): Visible => {
  const content: number[] = []
  const digest: number[] = []
  const lines: number[] = []
  /** Of blocks that are not as the log has them; each is one object as long as it stays the same. */
  const cut = new WeakMap<ContentBlock, BlockFacts>()
  const longer = new Map<number, { readonly size: number; readonly names: readonly number[] }>()

  /** The names that a name stands in. What a policy makes up may have brought new ones since the last look. */
  const containing = (name: number): readonly number[] => {
    const { names, nameIndex } = needs
    const known = longer.get(name)
    if (known?.size === names.size) return known.names
    const found = nameIndex.all(names.name(name))
    longer.set(name, { size: names.size, names: found })
    return found
  }

  /**
   * The names and lines of a block as it is sent: of one that is whole those of the log, else found once for each
   * content.
   */
  const factsIn = ({ block: { source }, state, content: sent }: PreparedBlock): BlockFacts => {
    const whole = state === 'full' ? needs.of(blockKey(source.seq, source.block)) : undefined
    const known = whole ?? cut.get(sent)
    if (known !== undefined) return known
    const made = factsOf(sent, needs.names, needs.lines)
    cut.set(sent, made)
    return made
  }

  const stands = (counts: readonly number[], name: number): boolean =>
    (counts[name] ?? 0) > 0 || containing(name).some((id) => (counts[id] ?? 0) > 0)

  const isSeen = (line: number): boolean => (lines[line] ?? 0) > 0

  return {
    change: (blocks, by) => {
      for (const block of blocks) {
        const facts = factsIn(block)
        const counts = block.state === 'digest' ? digest : content
        for (const name of facts.names) counts[name] = (counts[name] ?? 0) + by
        if (block.state !== 'digest') for (const line of facts.lines) lines[line] = (lines[line] ?? 0) + by
      }
    },
    hasContent: (name) => stands(content, name),
    hasDigest: (name) => stands(digest, name),
    hasAnchor: ({ lines: wanted, part }) => {
      if (wanted.filter(isSeen).length >= ANCHOR_SHARE * wanted.length) return true
      return part !== undefined && needs.lineIndex.all(part).some(isSeen)
    },
  }
}
