/** The tree's items for the nodes of checkpoints. */
import type { FileDifference } from '@cairn/core'
import * as vscode from 'vscode'
import { counted } from '../text/format.ts'
import { neutraliseLine, shorten } from '../text/neutralise.ts'
import { escapeMarkdown } from '../usage/status-item.ts'
import { projectName } from '../usage/project-usage.ts'
import { CHECKPOINT_SCHEME, changeOf, checkpointAddress } from './checkpoint-address.ts'
import {
  checkpointDescription,
  checkpointSpoken,
  checkpointTitle,
  checkpointTooltip,
  differenceText,
  nameAndFolder,
} from './checkpoint-label.ts'
import type { CheckpointNode, CheckpointTreeNode, DifferenceNode } from './checkpoint-node.ts'

/** Characters of a label in the list, so that age and changes are still seen beside it. */
const LONGEST_LABEL = 40
const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState

const ICONS: Readonly<Record<CheckpointNode['checkpoint']['kind'], string>> = {
  manual: 'bookmark',
  agent: 'hubot',
  'before-restore': 'history',
}

/** Returns the row of a checkpoint; `now` in ms. Its label is cut. */
const checkpointItem = (node: CheckpointNode, now: number): vscode.TreeItem => {
  const { checkpoint } = node
  const item = new vscode.TreeItem(shorten(checkpointTitle(checkpoint), LONGEST_LABEL), Collapsed)
  item.description = checkpointDescription(node, now)
  item.tooltip = new vscode.MarkdownString(checkpointTooltip(node))
  item.iconPath = new vscode.ThemeIcon(ICONS[checkpoint.kind])
  item.contextValue = 'checkpoint'
  item.accessibilityInformation = { label: checkpointSpoken(node, now) }
  return item
}

/** Returns the row of a changed file, which a click compares with the checkpoint; its mark goes by its address. */
const differenceItem = (node: DifferenceNode): vscode.TreeItem => {
  const { checkpoint, difference } = node
  const { name, folder } = nameAndFolder(difference.path)
  const text = differenceText(difference)
  const item = new vscode.TreeItem(name, None)
  item.description = [folder, difference.change === 'mode' ? text : ''].filter((part) => part !== '').join(' · ')
  item.tooltip = new vscode.MarkdownString(
    `${escapeMarkdown(neutraliseLine(difference.path))}: ${escapeMarkdown(text)}`,
  )
  // The icon of its language, and a mark by its change.
  item.iconPath = vscode.ThemeIcon.File
  item.resourceUri = vscode.Uri.from(checkpointAddress(checkpoint, difference.path, difference.change))
  item.contextValue = `difference-${difference.change}`
  item.accessibilityInformation = { label: `${neutraliseLine(difference.path)}, ${text} since the checkpoint` }
  item.command = { command: 'cairn.openCheckpointDifference', title: 'Compare', arguments: [node] }
  return item
}

/** Returns the tree item of a node; `now` in ms. */
export const checkpointTreeItem = (node: CheckpointTreeNode, now: number): vscode.TreeItem => {
  switch (node.kind) {
    case 'checkpoint':
      return checkpointItem(node, now)
    case 'difference':
      return differenceItem(node)
    case 'root': {
      const item = new vscode.TreeItem(
        neutraliseLine(projectName([node.root]) ?? node.root),
        node.isFirst ? Expanded : Collapsed,
      )
      item.iconPath = new vscode.ThemeIcon('root-folder')
      item.tooltip = new vscode.MarkdownString(escapeMarkdown(neutraliseLine(node.root)))
      item.contextValue = 'root'
      return item
    }
    case 'more': {
      const item = new vscode.TreeItem(`Show more (${node.left.toLocaleString('en-US')} left)`, None)
      item.iconPath = new vscode.ThemeIcon('ellipsis')
      item.command = { command: 'cairn.showMoreCheckpoints', title: 'Show more', arguments: [node] }
      item.accessibilityInformation = { label: `Show more, ${counted(node.left, 'checkpoint')} left` }
      return item
    }
    case 'note': {
      const item = new vscode.TreeItem(neutraliseLine(node.text), None)
      item.iconPath = new vscode.ThemeIcon(node.isTrouble ? 'warning' : 'info')
      item.tooltip = new vscode.MarkdownString(escapeMarkdown(neutraliseLine(node.text)))
      return item
    }
  }
}

const MARKS: Readonly<Record<FileDifference['change'], readonly [badge: string, text: string, color: string]>> = {
  added: ['A', 'Came since the checkpoint', 'gitDecoration.addedResourceForeground'],
  modified: ['M', 'Changed since the checkpoint', 'gitDecoration.modifiedResourceForeground'],
  removed: ['D', 'Gone since the checkpoint', 'gitDecoration.deletedResourceForeground'],
  mode: ['P', 'Has other permissions than in the checkpoint', 'gitDecoration.modifiedResourceForeground'],
}

/** Registers the marks (A, M, D …) at the tree's files; dispose the result to remove them. Other files have none. */
export const registerDifferenceMarks = (): vscode.Disposable =>
  vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme, query }) => {
      const change = scheme === CHECKPOINT_SCHEME ? changeOf(query) : undefined
      if (change === undefined) return undefined
      const [badge, text, color] = MARKS[change]
      return new vscode.FileDecoration(badge, text, new vscode.ThemeColor(color))
    },
  })
