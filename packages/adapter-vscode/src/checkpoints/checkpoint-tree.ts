/**
 * The tree of checkpoints: folders where several are open, their checkpoints a page at a time, and below each what differs
 * from it now. What was compared is kept until files change: comparing looks at the whole folder.
 */
import { messageOf } from '@cairn/core'
import type { Checkpoint, Engine, FileDifference, SessionSummary } from '@cairn/core'
import { counted } from '../text/format.ts'
import type { CheckpointNode, CheckpointTreeNode, DifferenceNode, NoteNode } from './checkpoint-node.ts'

/** What the tree needs of the window. */
export interface CheckpointTreeDeps {
  /** Undefined when nothing has been recorded yet. */
  readonly engine: () => Promise<Pick<Engine, 'checkpoints' | 'store'> | undefined>
  /** The folders of this window that checkpoints are made of, absolute and without links. */
  readonly roots: () => readonly string[]
  /** Called when changes of checkpoints have been counted: `children` then says more. */
  readonly onCounted: () => void
  /** Checkpoints a page. */
  readonly pageSize?: number
  /** Files that are listed below a checkpoint. */
  readonly mostFiles?: number
}

/** The tree of checkpoints. */
export interface CheckpointTree {
  /**
   * The nodes below a node, in order; without one, those at the top: the checkpoints of the only folder (newest first,
   * a page), or a node for each of several. Rejects where the only folder can't be read.
   */
  children(node?: CheckpointTreeNode): Promise<readonly CheckpointTreeNode[]>
  /** Makes the list of a folder one page longer, from the next `children` on. */
  showMore(root: string): void
  /** Whether anything was compared that `forgetDifferences` would forget. */
  hasDifferences(): boolean
  /** Lets the next `children` compare again. */
  forgetDifferences(): void
}

const PAGE_SIZE = 50
const MOST_FILES = 1_000

/** What of the engine is used here. */
type TreeEngine = Pick<Engine, 'checkpoints' | 'store'>

/** Counts what checkpoints changed, in the background, each pair once. */
interface ChangeCounts {
  /** Undefined while it is counted. `before`: the checkpoint before, undefined for the first. */
  of(checkpoint: Checkpoint, before: Checkpoint | undefined): number | undefined
  /** Counts those of the newest checkpoints of a folder that are not known. */
  load(engine: TreeEngine, root: string, newestFirst: readonly Checkpoint[], limit: number): void
}

/**
 * Returns the counts, none known yet; `onCounted` is called when some have become known. A failed count is told to
 * nobody, and tried again at the next `load`.
 */
const createChangeCounts = (onCounted: () => void): ChangeCounts => {
  /** By id and that of the checkpoint before: that one may be pruned. */
  const known = new Map<string, number>()
  const loading = new Set<string>()
  const keyOf = (checkpoint: Checkpoint, before: Checkpoint | undefined): string =>
    `${checkpoint.id} ${before?.id ?? 'first'}`

  const count = async (engine: TreeEngine, root: string, newestFirst: readonly Checkpoint[], limit: number) => {
    const counts = await engine.checkpoints.changeCounts(root, limit)
    for (const [index, checkpoint] of newestFirst.entries()) {
      const changed = counts.get(checkpoint.id)
      if (changed !== undefined) known.set(keyOf(checkpoint, newestFirst[index + 1]), changed)
    }
  }
  return {
    of: (checkpoint, before) => known.get(keyOf(checkpoint, before)),
    load: (engine, root, newestFirst, limit) => {
      const isMissing = newestFirst
        .slice(0, limit)
        .some((checkpoint, index) => !known.has(keyOf(checkpoint, newestFirst[index + 1])))
      if (!isMissing || loading.has(root)) return
      loading.add(root)
      count(engine, root, newestFirst, limit)
        // The list is whole without them.
        .then(onCounted, () => undefined)
        .finally(() => loading.delete(root))
    },
  }
}

/** Returns a node that shows a sentence. */
const noteNode = (id: string, text: string, isTrouble = false): NoteNode => ({ kind: 'note', id, text, isTrouble })

/**
 * Returns the nodes of a checkpoint's changed files, at most `most`, then a note of how many more there are; a single
 * note if nothing differs.
 */
const differenceNodes = (
  { id, checkpoint }: CheckpointNode,
  differences: readonly FileDifference[],
  most: number,
): readonly CheckpointTreeNode[] => {
  if (differences.length === 0) return [noteNode(`${id}:same`, 'The files are as they were then')]
  const nodes = differences.slice(0, most).map((difference): DifferenceNode => ({
    kind: 'difference',
    id: `${id}:${difference.path}`,
    checkpoint,
    difference,
  }))
  const left = differences.length - nodes.length
  return left === 0
    ? nodes
    : [...nodes, noteNode(`${id}:left`, `${counted(left, 'file')} more: cairn checkpoint diff --names lists all`)]
}

/** Returns the sessions of checkpoints, by id; sessions that are not in the store are missing. */
const sessionsOf = async (
  { store }: TreeEngine,
  checkpoints: readonly Checkpoint[],
): Promise<ReadonlyMap<string, SessionSummary>> => {
  const ids = new Set(checkpoints.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId])))
  const found = await Promise.all([...ids].map((id) => store.sessions.get(id)))
  return new Map(found.flatMap((session) => (session === undefined ? [] : [[session.id, session] as const])))
}

/**
 * Returns the tree; nothing is read before `children` is called. It is empty while `engine` gives undefined. What fails
 * below a node becomes a node with the error's message. Comparisons are kept until `forgetDifferences`.
 */
export const createCheckpointTree = (deps: CheckpointTreeDeps): CheckpointTree => {
  const { pageSize = PAGE_SIZE, mostFiles = MOST_FILES } = deps
  const counts = createChangeCounts(deps.onCounted)
  /** Pages that are shown, by folder. */
  const pages = new Map<string, number>()
  const differences = new Map<string, Promise<readonly FileDifference[]>>()

  const checkpointNodes = async (engine: TreeEngine, root: string): Promise<readonly CheckpointTreeNode[]> => {
    const all = await engine.checkpoints.list(root)
    const limit = pageSize * (pages.get(root) ?? 1)
    const shown = all.slice(0, limit)
    if (shown.length > 0) counts.load(engine, root, all, shown.length)
    const sessions = await sessionsOf(engine, shown)
    const nodes = shown.map((checkpoint, index): CheckpointNode => {
      const before = all[index + 1]
      return {
        kind: 'checkpoint',
        id: `checkpoint:${root}:${checkpoint.id}`,
        checkpoint,
        changed: counts.of(checkpoint, before),
        isOldest: before === undefined,
        session: checkpoint.sessionId === null ? undefined : sessions.get(checkpoint.sessionId),
      }
    })
    const left = all.length - shown.length
    return left === 0 ? nodes : [...nodes, { kind: 'more', id: `more:${root}`, root, left }]
  }

  const below = async (engine: TreeEngine, node: CheckpointTreeNode): Promise<readonly CheckpointTreeNode[]> => {
    if (node.kind === 'root') {
      const nodes = await checkpointNodes(engine, node.root)
      return nodes.length > 0 ? nodes : [noteNode(`${node.id}:none`, 'No checkpoint was made of this folder yet')]
    }
    if (node.kind !== 'checkpoint') return []
    const { root, id } = node.checkpoint
    const compared = differences.get(node.id) ?? engine.checkpoints.diff(root, id)
    differences.set(node.id, compared)
    compared.catch(() => differences.delete(node.id))
    return differenceNodes(node, await compared, mostFiles)
  }

  return {
    children: async (node) => {
      const engine = await deps.engine()
      if (engine === undefined) return []
      const roots = deps.roots()
      if (node === undefined) {
        const [only, ...others] = roots
        if (only !== undefined && others.length === 0) return checkpointNodes(engine, only)
        return roots.map((root, index) => ({ kind: 'root', id: `root:${root}`, root, isFirst: index === 0 }))
      }
      try {
        return await below(engine, node)
      } catch (error) {
        // Other folders and checkpoints can still be shown.
        return [noteNode(`${node.id}:failed`, messageOf(error), true)]
      }
    },
    showMore: (root) => {
      pages.set(root, (pages.get(root) ?? 1) + 1)
    },
    hasDifferences: () => differences.size > 0,
    forgetDifferences: () => differences.clear(),
  }
}
