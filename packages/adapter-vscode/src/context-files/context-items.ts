/** The tree's items for files in context. */
import type { FileState } from '@cairn/core'
import * as vscode from 'vscode'
import { nameAndFolder } from '../checkpoints/checkpoint-label.ts'
import { counted } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { escapeMarkdown } from '../usage/status-item.ts'
import { CONTEXT_SCHEME } from './context-address.ts'
import { STATE_TEXTS, contextFileTooltip, stateReason, warningText } from './context-label.ts'
import type { ContextFileNode, ContextNode, StateNode } from './context-node.ts'

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState

const ICONS: Readonly<Record<FileState, string>> = { stale: 'warning', active: 'pass', removed: 'circle-slash' }

/** Returns the row of a state, with how many files are in it. Those removed are folded at first. */
const stateItem = ({ state, files, left }: StateNode): vscode.TreeItem => {
  const [name, meaning] = STATE_TEXTS[state]
  const count = files.length + left
  const item = new vscode.TreeItem(name, state === 'removed' ? Collapsed : Expanded)
  item.description = `${count.toLocaleString('en-US')} · ${meaning}`
  item.iconPath = new vscode.ThemeIcon(ICONS[state])
  item.contextValue = `state-${state}`
  item.accessibilityInformation = { label: `${name}, ${counted(count, 'file')}, ${meaning}` }
  return item
}

/** Returns the row of a file; `now` in ms. A stale file opens as a comparison. */
const fileItem = (node: ContextFileNode, now: number): vscode.TreeItem => {
  const { file, session } = node
  const { name, folder } = nameAndFolder(file.path.replaceAll('\\', '/'))
  const reason = stateReason(file, session.agent, now)
  const item = new vscode.TreeItem(name, None)
  item.description = [reason, folder].filter((part) => part !== '').join(' · ')
  item.tooltip = new vscode.MarkdownString(contextFileTooltip(file, session.agent, now))
  // The icon of its language, and a mark by its state.
  item.iconPath = vscode.ThemeIcon.File
  item.resourceUri = vscode.Uri.from({
    scheme: CONTEXT_SCHEME,
    path: `/${file.path.replaceAll('\\', '/').replace(/^\/+/, '')}`,
    query: file.state,
  })
  item.contextValue = `context-${file.state}`
  item.accessibilityInformation = {
    label: [name, STATE_TEXTS[file.state][0], reason, folder].filter((part) => part !== '').join(', '),
  }
  item.command = {
    command: file.state === 'stale' ? 'cairn.compareContextFile' : 'cairn.openContextFile',
    title: 'Open',
    arguments: [node],
  }
  return item
}

/** Returns the tree item of a node; `now` in ms. */
export const contextTreeItem = (node: ContextNode, now: number): vscode.TreeItem => {
  switch (node.kind) {
    case 'state':
      return stateItem(node)
    case 'file':
      return fileItem(node, now)
    case 'warning': {
      const text = warningText(node.warning)
      const item = new vscode.TreeItem(text, None)
      item.iconPath = new vscode.ThemeIcon('bell-dot')
      item.tooltip = new vscode.MarkdownString(
        [text, ...node.warning.paths.map(neutraliseLine)].map(escapeMarkdown).join('\n\n'),
      )
      item.contextValue = 'warning'
      return item
    }
    case 'left':
      return new vscode.TreeItem(`${counted(node.count, 'file')} more: cairn session files lists all`, None)
  }
}

/** Registers the marks at the tree's files by their state; dispose the result to remove them. Other files have none. */
export const registerStateMarks = (): vscode.Disposable =>
  vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme, query }) => {
      if (scheme !== CONTEXT_SCHEME) return undefined
      if (query === 'stale')
        return new vscode.FileDecoration(
          '!',
          'Not as the agent knows it',
          new vscode.ThemeColor('list.warningForeground'),
        )
      if (query === 'removed')
        return new vscode.FileDecoration(
          undefined,
          'No longer in the context',
          new vscode.ThemeColor('disabledForeground'),
        )
      return undefined
    },
  })
