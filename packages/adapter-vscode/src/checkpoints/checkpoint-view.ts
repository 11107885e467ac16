/** The checkpoints in the side bar. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import { registerNothing } from '../documents/open-comparison.ts'
import { registerReadOnlyFiles } from '../documents/read-only-files.ts'
import { localFolders } from '../store/open-projects.ts'
import { createChangeWatch } from '../store/change-watch.ts'
import type { WindowEngine } from '../store/window-engine.ts'
import type { WindowStore } from '../store/window-store.ts'
import { followWhileSeen, refreshWhileSeen } from '../views/follow.ts'
import { watchFiles } from '../views/watch-files.ts'
import { CHECKPOINT_SCHEME, checkpointFileOf } from './checkpoint-address.ts'
import { registerCheckpointCommands } from './checkpoint-commands.ts'
import { checkpointTreeItem, registerDifferenceMarks } from './checkpoint-items.ts'
import type { CheckpointTreeNode } from './checkpoint-node.ts'
import { checkpointRoots } from './checkpoint-roots.ts'
import { createCheckpointTree } from './checkpoint-tree.ts'
import type { CheckpointTree } from './checkpoint-tree.ts'

/** What the view needs of the window. */
export interface CheckpointViewDeps {
  readonly store: WindowStore
  readonly engine: WindowEngine
}

/** Why the view is empty, by which it says what to do: see `viewsWelcome` in the package's manifest. */
type EmptyBecause = '' | 'no-folder' | 'no-git' | 'none' | 'failed'

const VIEW = 'cairn.checkpoints'

/** Returns the roots of the window's folders that checkpoints are made of. */
const currentRoots = (): readonly string[] => checkpointRoots(localFolders())

/** Returns why the view is empty: no folder, no git, or no checkpoint yet. */
const whyEmpty = async (): Promise<EmptyBecause> => {
  if (currentRoots().length === 0) return 'no-folder'
  return (await (await import('@cairn/core/node/checkpoints')).hasGit()) ? 'none' : 'no-git'
}

/**
 * Creates the tree view. `beforeFirst`: awaited before anything is read. An empty view says why by a context key; a
 * failure gives no nodes, and is shown as the view's message.
 */
const createView = (
  tree: CheckpointTree,
  changed: vscode.EventEmitter<CheckpointTreeNode | undefined>,
  beforeFirst: () => Promise<void>,
): vscode.TreeView<CheckpointTreeNode> => {
  const show = (because: EmptyBecause, message = ''): void => {
    view.message = message
    void vscode.commands.executeCommand('setContext', 'cairn.checkpoints.empty', because)
  }
  const provider: vscode.TreeDataProvider<CheckpointTreeNode> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (node) => Object.assign(checkpointTreeItem(node, Date.now()), { id: node.id }),
    getChildren: async (node) => {
      try {
        await beforeFirst()
        const children = await tree.children(node)
        if (node === undefined) show(children.length === 0 ? await whyEmpty() : '')
        return [...children]
      } catch (error) {
        show('failed', `The checkpoints can't be shown: ${messageOf(error)}`)
        return []
      }
    },
  }
  const view = vscode.window.createTreeView(VIEW, { treeDataProvider: provider, showCollapseAll: true })
  return view
}

/** Serves files as they were in checkpoints, read-only; dispose the result to stop. */
const registerCheckpointFiles = ({ engine }: Pick<CheckpointViewDeps, 'engine'>): vscode.Disposable =>
  registerReadOnlyFiles(CHECKPOINT_SCHEME, async (uri) => {
    const file = checkpointFileOf(uri)
    const loaded = file && (await engine.engine())
    if (file === undefined || loaded === undefined) return undefined
    return loaded.checkpoints.content(file.root, file.checkpointId, file.path)
  })

/**
 * Finishes restores that were interrupted, and says so. Does nothing in a folder that is not trusted. Rejects as the
 * checkpoints do.
 */
const endInterrupted = async (engine: WindowEngine): Promise<void> => {
  if (!vscode.workspace.isTrusted) return
  const loaded = await engine.engine()
  for (const root of loaded === undefined ? [] : currentRoots()) {
    const resumed = await loaded?.checkpoints.resume(root)
    if (resumed !== undefined)
      void vscode.window.showInformationMessage(
        'A restore that had been interrupted was brought to its end; "Cairn: Undo the Last Restore" takes it back.',
      )
  }
}

/** Returns a function that runs the action on its first call, and again on later calls only if it failed. */
const onceItWorks = (action: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | undefined
  return () => {
    done ??= action()
    done.catch(() => {
      done = undefined
    })
    return done
  }
}

/**
 * Returns a text that changes when checkpoints are added or removed, from the store's records; git is not asked. `none`
 * without a store.
 */
const recordsOf = async (engine: WindowEngine): Promise<string> => {
  const loaded = await engine.engine()
  if (loaded === undefined) return 'none'
  const lists = await Promise.all(currentRoots().map((root) => loaded.store.checkpoints.list(root)))
  return lists.flatMap((records) => records.map(({ id }) => id)).join(' ')
}

/** Registers the view of the checkpoints, its documents and its commands; dispose the result to remove them. */
export const registerCheckpointView = ({ store, engine }: CheckpointViewDeps): vscode.Disposable => {
  const changed = new vscode.EventEmitter<CheckpointTreeNode | undefined>()
  const refresh = (): void => changed.fire(undefined)
  const tree = createCheckpointTree({ engine: () => engine.engine(), roots: currentRoots, onCounted: refresh })
  const view = createView(
    tree,
    changed,
    onceItWorks(() => endInterrupted(engine)),
  )
  const refreshAll = (): void => {
    tree.forgetDifferences()
    refresh()
  }
  const watch = createChangeWatch({ read: () => recordsOf(engine), onChange: refresh })
  return vscode.Disposable.from(
    view,
    changed,
    refreshWhileSeen(view, refresh),
    watchFiles(view, () => tree.hasDifferences(), refreshAll),
    registerCheckpointFiles({ engine }),
    registerNothing(),
    registerDifferenceMarks(),
    registerCheckpointCommands({ engine, store, roots: currentRoots, onChange: refreshAll }),
    vscode.commands.registerCommand('cairn.refreshCheckpoints', () => {
      store.lookAgain()
      refreshAll()
    }),
    vscode.commands.registerCommand('cairn.showMoreCheckpoints', (node: CheckpointTreeNode) => {
      if (node.kind !== 'more') return
      tree.showMore(node.root)
      refresh()
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(refreshAll),
    followWhileSeen(view, store, watch),
  )
}
