/** The files of an agent's context in the side bar. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import { registerReadOnlyFiles } from '../documents/read-only-files.ts'
import { sessionTitle } from '../sessions/session-label.ts'
import { createChangeWatch } from '../store/change-watch.ts'
import type { WindowEngine } from '../store/window-engine.ts'
import type { WindowStore } from '../store/window-store.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { setContext } from '../views/commands.ts'
import { followWhileSeen, refreshWhileSeen } from '../views/follow.ts'
import { watchFiles } from '../views/watch-files.ts'
import { KNOWN_SCHEME, knownFileOf } from './context-address.ts'
import { registerContextCommands } from './context-commands.ts'
import { contextTreeItem, registerStateMarks } from './context-items.ts'
import type { ContextNode } from './context-node.ts'
import { createContextTree } from './context-tree.ts'
import type { ContextTree } from './context-tree.ts'

/** What the view needs of the window. */
export interface ContextViewDeps {
  readonly store: WindowStore
  readonly engine: WindowEngine
  /** The window's projects, as the store names them. */
  readonly projects: () => Promise<readonly string[]>
}

const VIEW = 'cairn.contextFiles'

/**
 * Creates the tree view. Its description names the session; a failure is shown as the view's message. An empty view
 * says why by a context key.
 */
const createView = (
  tree: ContextTree,
  changed: vscode.EventEmitter<ContextNode | undefined>,
): vscode.TreeView<ContextNode> => {
  const show = (empty: '' | 'no-session' | 'no-files' | 'failed', message = ''): void => {
    const session = tree.session()
    view.message = message
    view.description = session === undefined ? '' : `${sessionTitle(session)} · ${neutraliseLine(session.agent)}`
    setContext(`${VIEW}.empty`, empty)
    setContext(`${VIEW}.chosen`, tree.isChosen())
  }
  const provider: vscode.TreeDataProvider<ContextNode> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (node) => Object.assign(contextTreeItem(node, Date.now()), { id: node.id }),
    getChildren: async (node) => {
      try {
        const children = await tree.children(node)
        if (node === undefined)
          show(children.length > 0 ? '' : tree.session() === undefined ? 'no-session' : 'no-files')
        return [...children]
      } catch (error) {
        show('failed', `The files can't be shown: ${messageOf(error)}`)
        return []
      }
    },
  }
  const view = vscode.window.createTreeView(VIEW, { treeDataProvider: provider, showCollapseAll: true })
  return view
}

/** Serves files as agents knew them last, read-only; dispose the result to stop. */
const registerKnownFiles = (engine: WindowEngine): vscode.Disposable =>
  registerReadOnlyFiles(KNOWN_SCHEME, async ({ query }) => {
    const file = knownFileOf(query)
    const loaded = file && (await engine.engine())
    if (file === undefined || loaded === undefined) return undefined
    const known = await loaded.files.lastKnown(file.sessionId, file.path)
    return known === undefined ? undefined : new TextEncoder().encode(known.text)
  })

/** Registers the view of the files in context, its documents and its commands; dispose the result to remove them. */
export const registerContextView = ({ store, engine, projects }: ContextViewDeps): vscode.Disposable => {
  const changed = new vscode.EventEmitter<ContextNode | undefined>()
  const refresh = (): void => changed.fire(undefined)
  const tree = createContextTree({ engine: () => engine.engine(), projects })
  const view = createView(tree, changed)
  const watch = createChangeWatch({ read: () => tree.version(), onChange: refresh })
  return vscode.Disposable.from(
    view,
    changed,
    refreshWhileSeen(view, refresh),
    watchFiles(view, () => tree.session() !== undefined, refresh),
    registerKnownFiles(engine),
    registerStateMarks(),
    registerContextCommands({ engine, store, tree, refresh }),
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
    followWhileSeen(view, store, watch),
  )
}
