/** Which folder, checkpoint or file a command is about: the node that a menu gives, else one that is asked for. */
import { CairnError } from '@cairn/core'
import type { Checkpoint, Engine } from '@cairn/core'
import * as vscode from 'vscode'
import type { WindowEngine } from '../store/window-engine.ts'
import { agoText } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { projectName } from '../usage/project-usage.ts'
import { checkpointDescription, checkpointTitle } from './checkpoint-label.ts'
import type { CheckpointTreeNode } from './checkpoint-node.ts'

/** What commands on checkpoints need of the window. */
export interface CheckpointWindow {
  readonly engine: WindowEngine
  /** The folders of this window that checkpoints are made of, absolute and without links. */
  readonly roots: () => readonly string[]
}

/**
 * Returns the window's engine, loaded if it was not. Rejects with `not-found` if there is no store yet, and as the
 * store does.
 */
export const loadedEngine = async ({ engine }: Pick<CheckpointWindow, 'engine'>): Promise<Engine> => {
  const loaded = await engine.engine()
  if (loaded === undefined) throw new CairnError('not-found', 'there is no store, and so no checkpoint, yet.')
  return loaded
}

/**
 * Returns one of the window's folders, asked for only if there are several; undefined if the user cancels.
 * @throws CairnError `usage` without a folder
 */
export const chooseRoot = async (roots: readonly string[], title: string): Promise<string | undefined> => {
  const [only, ...others] = roots
  if (only === undefined) throw new CairnError('usage', 'open a folder first: a checkpoint keeps the files of one.')
  if (others.length === 0) return only
  const items = roots.map((root) => ({
    label: neutraliseLine(projectName([root]) ?? root),
    description: neutraliseLine(root),
    root,
  }))
  return (await vscode.window.showQuickPick(items, { title, placeHolder: 'Folder' }))?.root
}

/**
 * Returns the checkpoint that the user chose, of one of the window's folders; undefined if they cancel. `exceptFor`: a
 * checkpoint that is not offered, and whose folder is taken. Rejects with `not-found` if there is no (other)
 * checkpoint.
 */
export const chooseCheckpoint = async (
  { engine, roots }: CheckpointWindow,
  title: string,
  exceptFor?: Checkpoint,
): Promise<Checkpoint | undefined> => {
  const root = exceptFor?.root ?? (await chooseRoot(roots(), title))
  if (root === undefined) return undefined
  const all = (await (await engine.engine())?.checkpoints.list(root)) ?? []
  const others = all.filter(({ id }) => id !== exceptFor?.id)
  if (others.length === 0)
    throw new CairnError(
      'not-found',
      `there is no ${exceptFor === undefined ? '' : 'other '}checkpoint of this folder yet.`,
    )
  const now = Date.now()
  const items = others.map((checkpoint) => ({
    label: checkpointTitle(checkpoint),
    description: checkpointDescription(
      { kind: 'checkpoint', id: '', checkpoint, changed: undefined, isOldest: false, session: undefined },
      now,
    ),
    checkpoint,
  }))
  return (await vscode.window.showQuickPick(items, { title, placeHolder: 'Checkpoint', matchOnDescription: true }))
    ?.checkpoint
}

const KINDS: ReadonlySet<unknown> = new Set<CheckpointTreeNode['kind']>([
  'root',
  'checkpoint',
  'difference',
  'more',
  'note',
])

/** Returns the node that a menu passes to a command; undefined from the command palette and from a key. */
export const nodeOf = (value: unknown): CheckpointTreeNode | undefined => {
  const isNode = typeof value === 'object' && value !== null && 'kind' in value && KINDS.has(value.kind)
  return isNode ? (value as CheckpointTreeNode) : undefined
}

/** Returns the checkpoint of a node, otherwise one as {@link chooseCheckpoint}; undefined if the user cancels. */
export const checkpointOf = async (
  deps: CheckpointWindow,
  node: unknown,
  title: string,
): Promise<Checkpoint | undefined> => {
  const given = nodeOf(node)
  return given?.kind === 'checkpoint' ? given.checkpoint : chooseCheckpoint(deps, title)
}

/** Returns a checkpoint's name for titles, with its age: `“before the move” (2 h ago)`. */
export const nameOf = (checkpoint: Checkpoint): string =>
  `“${checkpointTitle(checkpoint)}” (${agoText(checkpoint.at, Date.now())})`
