/** The sessions in the side bar. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import type { WindowStore } from '../store/window-store.ts'
import { shorten } from '../text/neutralise.ts'
import { parseFilter } from './session-filter.ts'
import { sessionDescription, sessionSpoken, sessionTitle, sessionTooltip } from './session-label.ts'
import type { SessionNode } from './session-node.ts'
import { createSessionTree } from './session-tree.ts'
import type { Grouping } from './session-tree.ts'

export interface SessionViewDeps {
  readonly store: WindowStore
  readonly timeZone: string
  readonly folders: () => Promise<readonly string[]>
}

/** The tooltip has all of it; here agent, cost and age should still be seen beside it. */
const LONGEST_LABEL = 40
/** Ages are told in minutes. */
const AGES_EVERY_MS = 60_000

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

const configuredGrouping = (): Grouping =>
  vscode.workspace.getConfiguration('cairn').get('sessions.groupBy') === 'project' ? 'project' : 'time'

const setContext = (key: string, value: unknown): void => void vscode.commands.executeCommand('setContext', key, value)

export const registerSessionView = ({ store, timeZone, folders }: SessionViewDeps): vscode.Disposable => {
  const changed = new vscode.EventEmitter<SessionNode | undefined>()
  const tree = createSessionTree({ store: () => store.store(), folders, timeZone, now: Date.now })
  let typed = ''

  /** A store that can't be opened is not an empty one: the view then offers other things to do. */
  const tellFailure = (sentence: string): void => {
    view.message = sentence
    setContext('cairn.failed', sentence !== '')
  }

  const provider: vscode.TreeDataProvider<SessionNode> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (node) => Object.assign(itemOf(node), { id: node.id }),
    getChildren: async (node) => {
      try {
        const children = await tree.children(node)
        if (node === undefined) tellFailure('')
        return [...children]
      } catch (error) {
        tellFailure(`The sessions can't be shown: ${messageOf(error)}`)
        return []
      }
    },
  }
  const view = vscode.window.createTreeView('cairn.sessions', { treeDataProvider: provider, showCollapseAll: true })

  const refresh = (): void => changed.fire(undefined)

  const arrange = (): void => {
    const grouping = configuredGrouping()
    const filter = parseFilter(typed)
    tree.arrange(grouping, filter)
    view.description = filter === undefined ? '' : typed.trim()
    setContext('cairn.grouping', grouping)
    setContext('cairn.filtered', filter !== undefined)
    refresh()
  }

  const group = (grouping: Grouping) => (): Thenable<void> =>
    vscode.workspace.getConfiguration('cairn').update('sessions.groupBy', grouping, vscode.ConfigurationTarget.Global)

  arrange()
  const ages = setInterval(() => {
    if (view.visible) refresh()
  }, AGES_EVERY_MS)
  ages.unref()
  const stopFollowing = store.onChange(refresh)

  return vscode.Disposable.from(
    view,
    changed,
    vscode.commands.registerCommand('cairn.refreshSessions', () => {
      store.lookAgain()
      refresh()
    }),
    vscode.commands.registerCommand('cairn.groupByTime', group('time')),
    vscode.commands.registerCommand('cairn.groupByProject', group('project')),
    vscode.commands.registerCommand('cairn.showMoreSessions', (node: SessionNode) => {
      if (node.kind !== 'more') return
      tree.showMore(node)
      changed.fire(node.group)
    }),
    vscode.commands.registerCommand('cairn.filterSessions', async () => {
      const text = await vscode.window.showInputBox({
        title: 'Filter sessions',
        prompt: 'Words of the title; agent:<name> and project:<name> narrow it further. Empty shows all.',
        placeHolder: 'login agent:codex project:shop',
        value: typed,
      })
      if (text === undefined) return
      typed = text
      arrange()
    }),
    vscode.commands.registerCommand('cairn.clearSessionFilter', () => {
      typed = ''
      arrange()
    }),
    vscode.commands.registerCommand('cairn.copySessionId', async (node: SessionNode) => {
      if (node.kind === 'session') await vscode.env.clipboard.writeText(node.session.id)
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('cairn.sessions.groupBy')) arrange()
    }),
    {
      dispose: () => {
        clearInterval(ages)
        stopFollowing()
      },
    },
  )
}
