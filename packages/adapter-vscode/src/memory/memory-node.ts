/** The nodes of the tree of memory and notes. Ids stay the same over refreshes, so that the editor keeps what is unfolded and chosen. */
import type { KnownMemory, MemoryKind, Note } from '@cairn/core'

/** A project, where several are open. */
interface ProjectNode {
  readonly kind: 'project'
  readonly id: string
  readonly project: string
  readonly isFirst: boolean
  readonly groups: readonly MemoryGroupNode[]
}

/** The entries of one kind, or the notes. */
export interface MemoryGroupNode {
  readonly kind: 'group'
  readonly id: string
  readonly group: MemoryKind | 'notes'
  readonly items: readonly (MemoryEntryNode | NoteNode)[]
  /** Items that are not listed. */
  readonly left: number
}

/** An entry in the tree. */
export interface MemoryEntryNode {
  readonly kind: 'entry'
  readonly id: string
  readonly entry: KnownMemory
}

/** A note in the tree. */
export interface NoteNode {
  readonly kind: 'note'
  readonly id: string
  readonly note: Note
}

/** Says how many items are not listed. */
interface LeftNode {
  readonly kind: 'left'
  readonly id: string
  readonly count: number
  readonly command: 'cairn memory list' | 'cairn note list'
}

/** A node of the tree of what is remembered. */
export type MemoryNode = ProjectNode | MemoryGroupNode | MemoryEntryNode | NoteNode | LeftNode
