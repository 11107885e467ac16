/** What is remembered of the open folders, in the side bar. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import { createChangeWatch } from '../store/change-watch.ts'
import { localFolders } from '../store/open-projects.ts'
import type { WindowEngine } from '../store/window-engine.ts'
import type { WindowStore } from '../store/window-store.ts'
import { setContext } from '../views/commands.ts'
import { followWhileSeen, refreshWhileSeen } from '../views/follow.ts'
import { registerMemoryCommands } from './memory-commands.ts'
import { registerMemoryDocuments } from './register-memory-documents.ts'
import { memoryTreeItem } from './memory-items.ts'
import type { MemoryNode } from './memory-node.ts'
import { registerMemoryTexts } from './register-memory-texts.ts'
import { createMemoryTree } from './memory-tree.ts'
import type { MemoryTree } from './memory-tree.ts'

/** What the view needs of the window. */
export interface MemoryViewDeps {
  readonly store: WindowStore
  readonly engine: WindowEngine
  /** The window's projects, as the store names them. */
  readonly projects: () => Promise<readonly string[]>
}

const VIEW = 'cairn.memory'

/**
 * Creates the tree view. An empty view says why by a context key; a failure gives no nodes, and is shown as the view's
 * message.
 */
const createView = (
  tree: MemoryTree,
  changed: vscode.EventEmitter<MemoryNode | undefined>,
): vscode.TreeView<MemoryNode> => {
  const show = (empty: '' | 'no-folder' | 'none' | 'failed', message = ''): void => {
    view.message = message
    setContext(`${VIEW}.empty`, empty)
  }
  const provider: vscode.TreeDataProvider<MemoryNode> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (node) => Object.assign(memoryTreeItem(node, Date.now()), { id: node.id }),
    getChildren: async (node) => {
      try {
        const children = await tree.children(node)
        if (node === undefined) show(children.length > 0 ? '' : localFolders().length === 0 ? 'no-folder' : 'none')
        return [...children]
      } catch (error) {
        show('failed', `The memory can't be shown: ${messageOf(error)}`)
        return []
      }
    },
  }
  const view = vscode.window.createTreeView(VIEW, { treeDataProvider: provider, showCollapseAll: true })
  return view
}

/** Registers the view of the memory, its documents and its commands; dispose the result to remove them. */
export const registerMemoryView = ({ store, engine, projects }: MemoryViewDeps): vscode.Disposable => {
  const changed = new vscode.EventEmitter<MemoryNode | undefined>()
  const refresh = (): void => changed.fire(undefined)
  const tree = createMemoryTree({ engine: () => engine.engine(), projects })
  const view = createView(tree, changed)
  const watch = createChangeWatch({ read: () => tree.version(), onChange: refresh })
  const documents = registerMemoryDocuments(engine, store)
  const refreshAll = (): void => {
    refresh()
    documents.refresh()
  }
  return vscode.Disposable.from(
    view,
    changed,
    documents,
    registerMemoryTexts(engine, refreshAll),
    registerMemoryCommands({ engine, documents, projects, onChange: refreshAll }),
    vscode.commands.registerCommand('cairn.refreshMemory', () => {
      store.lookAgain()
      refreshAll()
    }),
    refreshWhileSeen(view, refresh),
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
    followWhileSeen(view, store, watch),
  )
}
