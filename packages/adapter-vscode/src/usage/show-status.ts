/** Puts a text, its tooltip and its label into the status bar. */
import * as vscode from 'vscode'
import type { StatusItem } from './status-item.ts'

/** Sets an item's text, tooltip, label and colour; whether it is visible does not change. */
export const showStatus = (item: vscode.StatusBarItem, { text, tooltip, label, isWarning }: StatusItem): void => {
  item.text = text
  // It is not trusted, so it can't run commands or hold HTML.
  item.tooltip = new vscode.MarkdownString(tooltip)
  item.accessibilityInformation = { label }
  item.backgroundColor = isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined
}
