/** The tree's items for memory entries and notes. */
import type { MemoryKind } from '@cairn/core'
import * as vscode from 'vscode'
import { counted } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { escapeMarkdown } from '../usage/status-item.ts'
import { projectName } from '../usage/project-usage.ts'
import {
  KIND_MEANINGS,
  KIND_NAMES,
  entryDescription,
  entrySpoken,
  entryTooltip,
  firstWords,
  noteDescription,
  noteTooltip,
} from './memory-label.ts'
import type { MemoryEntryNode, MemoryGroupNode, MemoryNode, NoteNode } from './memory-node.ts'

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState

const ICONS: Readonly<Record<MemoryKind | 'notes', string>> = {
  discovery: 'lightbulb',
  solution: 'tools',
  pattern: 'symbol-structure',
  workflow: 'list-ordered',
  failure: 'error',
  context_rule: 'law',
  notes: 'note',
}

/** Returns the row of a kind or of the notes, with how many there are, listed or not. Groups are unfolded at first. */
const groupItem = ({ group, items, left }: MemoryGroupNode): vscode.TreeItem => {
  const [name, meaning] = group === 'notes' ? ['Notes', ''] : [KIND_NAMES[group][1], KIND_MEANINGS[group]]
  const count = items.length + left
  const item = new vscode.TreeItem(name, Expanded)
  item.description = [count.toLocaleString('en-US'), meaning].filter((part) => part !== '').join(' · ')
  item.iconPath = new vscode.ThemeIcon(ICONS[group])
  item.contextValue = `group-${group}`
  item.accessibilityInformation = {
    label: `${name}, ${counted(count, group === 'notes' ? 'note' : 'entry', group === 'notes' ? 'notes' : 'entries')}`,
  }
  return item
}

/**
 * Returns the row of an entry: the beginning of its text on one line, beside it its confidence and age (`now` in ms). A
 * warning icon says that what it cites has changed; others have none. A click opens it; it has no rows below.
 */
const entryItem = (node: MemoryEntryNode, now: number): vscode.TreeItem => {
  const { entry } = node
  const item = new vscode.TreeItem(firstWords(entry.text), None)
  item.description = entryDescription(entry, now)
  item.tooltip = new vscode.MarkdownString(entryTooltip(entry), true)
  item.contextValue = 'entry'
  if ((entry.stale ?? []).length > 0)
    item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
  item.accessibilityInformation = { label: entrySpoken(entry, now) }
  item.command = { command: 'cairn.openMemoryEntry', title: 'Open', arguments: [node] }
  return item
}

/** Returns the row of a note: its key, beside it its beginning and age (`now` in ms). A click opens it. */
const noteItem = (node: NoteNode, now: number): vscode.TreeItem => {
  const { note } = node
  const item = new vscode.TreeItem(firstWords(note.key), None)
  item.description = noteDescription(note, now)
  item.tooltip = new vscode.MarkdownString(noteTooltip(note))
  item.contextValue = 'note'
  item.command = { command: 'cairn.openNote', title: 'Open', arguments: [node] }
  return item
}

/** Returns the tree item of a node; `now` in ms, for ages. Of several projects the first is unfolded. */
export const memoryTreeItem = (node: MemoryNode, now: number): vscode.TreeItem => {
  switch (node.kind) {
    case 'group':
      return groupItem(node)
    case 'entry':
      return entryItem(node, now)
    case 'note':
      return noteItem(node, now)
    case 'project': {
      const item = new vscode.TreeItem(
        neutraliseLine(projectName([node.project]) ?? node.project),
        node.isFirst ? Expanded : Collapsed,
      )
      item.iconPath = new vscode.ThemeIcon('root-folder')
      item.tooltip = new vscode.MarkdownString(escapeMarkdown(neutraliseLine(node.project)))
      item.contextValue = 'project'
      return item
    }
    case 'left':
      return new vscode.TreeItem(`${node.count.toLocaleString('en-US')} more: ${node.command} lists all`, None)
  }
}
