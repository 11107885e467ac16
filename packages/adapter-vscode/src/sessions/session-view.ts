/** The sessions in the side bar. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import type { WindowStore } from '../store/window-store.ts'
import { shorten } from '../text/neutralise.ts'
import { setContext } from '../views/commands.ts'
import { refreshWhileSeen } from '../views/follow.ts'
import { parseFilter } from './session-filter.ts'
import { sessionDescription, sessionSpoken, sessionTitle, sessionTooltip } from './session-label.ts'
import type { SessionNode } from './session-node.ts'
import { createSessionTree } from './session-tree.ts'
import type { Grouping } from './session-tree.ts'

/** What the view needs of the window. */
export interface SessionViewDeps {
  readonly store: WindowStore
  readonly timeZone: string
  readonly folders: () => Promise<readonly string[]>
}

/**
 * Characters of a title in the list, so that agent, cost and age are still seen beside it. The tooltip has all of it.
 */
const LONGEST_LABEL = 40

/**
 * Returns the tree item of a node: a session opens at a click, "more" shows further rows, a group is folded or not as
 * the node says.
 */
const itemOf = (node: SessionNode): vscode.TreeItem => {
  if (node.kind === 'session') {
    const { session } = node
    const item = new vscode.TreeItem(shorten(sessionTitle(session), LONGEST_LABEL))
    item.description = sessionDescription(session, Date.now())
    item.tooltip = new vscode.MarkdownString(sessionTooltip(session))
    item.iconPath = new vscode.ThemeIcon(session.favourite ? 'star-full' : 'comment-discussion')
    item.contextValue = 'session'
    item.accessibilityInformation = { label: sessionSpoken(session, Date.now()) }
    item.command = { command: 'cairn.openSession', title: 'Open session', arguments: [session.id] }
    return item
  }
  if (node.kind === 'more') {
    const item = new vscode.TreeItem(node.label)
    item.iconPath = new vscode.ThemeIcon('ellipsis')
    item.command = { command: 'cairn.showMoreSessions', title: node.label, arguments: [node] }
    return item
  }
  const item = new vscode.TreeItem(
    node.label,
    node.isOpen ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  )
  item.description = node.description
  item.iconPath = new vscode.ThemeIcon(node.icon)
  item.contextValue = 'group'
  return item
}

/** Returns the grouping from the settings; by time unless they say `project`. */
const configuredGrouping = (): Grouping =>
  vscode.workspace.getConfiguration('cairn').get('sessions.groupBy') === 'project' ? 'project' : 'time'

/**
 * Creates the tree view over the nodes that `childrenOf` returns; a failure is shown as the view's message. A failed
 * look shows no sessions.
 */
const createView = (
  childrenOf: (node: SessionNode | undefined) => Promise<readonly SessionNode[]>,
  changed: vscode.EventEmitter<SessionNode | undefined>,
): vscode.TreeView<SessionNode> => {
  /** Shows why there are no sessions; '' for no failure. The view then offers other actions than for an empty store. */
  const showFailure = (sentence: string): void => {
    view.message = sentence
    setContext('cairn.failed', sentence !== '')
  }
  const provider: vscode.TreeDataProvider<SessionNode> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (node) => Object.assign(itemOf(node), { id: node.id }),
    getChildren: async (node) => {
      try {
        const children = await childrenOf(node)
        if (node === undefined) showFailure('')
        return [...children]
      } catch (error) {
        showFailure(`The sessions can't be shown: ${messageOf(error)}`)
        return []
      }
    },
  }
  const view = vscode.window.createTreeView('cairn.sessions', { treeDataProvider: provider, showCollapseAll: true })
  return view
}

/** Asks for the text of a filter; undefined if the user cancels. An empty one shows all. */
const askForFilter = (current: string): Thenable<string | undefined> =>
  vscode.window.showInputBox({
    title: 'Filter sessions',
    prompt: 'Words of the title; agent:<name> and project:<name> narrow it further. Empty shows all.',
    placeHolder: 'login agent:codex project:shop',
    value: current,
  })

/** Returns a function that saves the grouping as a setting; the view follows the setting. */
const saveGrouping = (grouping: Grouping) => (): Thenable<void> =>
  vscode.workspace.getConfiguration('cairn').update('sessions.groupBy', grouping, vscode.ConfigurationTarget.Global)

/** Copies a session's id to the clipboard; does nothing for other nodes. */
const copySessionId = async (node: SessionNode): Promise<void> => {
  if (node.kind === 'session') await vscode.env.clipboard.writeText(node.session.id)
}

/**
 * Registers the view of the sessions and its commands; it is updated when the store or the setting of its grouping
 * changes. Dispose the result to remove them.
 */
export const registerSessionView = ({ store, timeZone, folders }: SessionViewDeps): vscode.Disposable => {
  const changed = new vscode.EventEmitter<SessionNode | undefined>()
  const tree = createSessionTree({ store: () => store.store(), folders, timeZone, now: Date.now })
  const view = createView((node) => tree.children(node), changed)
  const refresh = (): void => changed.fire(undefined)
  let filterText = ''

  const arrange = (): void => {
    const grouping = configuredGrouping()
    const filter = parseFilter(filterText)
    tree.arrange(grouping, filter)
    view.description = filter === undefined ? '' : filterText.trim()
    setContext('cairn.grouping', grouping)
    setContext('cairn.filtered', filter !== undefined)
    refresh()
  }
  const setFilter = (text: string): void => {
    filterText = text
    arrange()
  }

  arrange()
  return vscode.Disposable.from(
    view,
    changed,
    refreshWhileSeen(view, refresh),
    { dispose: store.onChange(refresh) },
    vscode.commands.registerCommand('cairn.refreshSessions', () => {
      store.lookAgain()
      refresh()
    }),
    vscode.commands.registerCommand('cairn.groupByTime', saveGrouping('time')),
    vscode.commands.registerCommand('cairn.groupByProject', saveGrouping('project')),
    vscode.commands.registerCommand('cairn.showMoreSessions', (node: SessionNode) => {
      if (node.kind !== 'more') return
      tree.showMore(node)
      changed.fire(node.group)
    }),
    vscode.commands.registerCommand('cairn.filterSessions', async () => {
      const text = await askForFilter(filterText)
      if (text !== undefined) setFilter(text)
    }),
    vscode.commands.registerCommand('cairn.clearSessionFilter', () => setFilter('')),
    vscode.commands.registerCommand('cairn.copySessionId', copySessionId),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('cairn.sessions.groupBy')) arrange()
    }),
  )
}
