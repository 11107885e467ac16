/**
 * Folding by command, which is the only way that extensions have. The commands work in the editor that has the focus, and
 * then scroll to its cursor. To keep the scroll position, the cursor is put on a visible line while a command runs.
 */
import * as vscode from 'vscode'
import { visiblePosition } from './visible-position.ts'

/** Returns the active editor if it shows the document; undefined if the user has gone elsewhere. */
const focused = (uri: vscode.Uri): vscode.TextEditor | undefined => {
  const editor = vscode.window.activeTextEditor
  return editor?.document.uri.toString() === uri.toString() ? editor : undefined
}

/** Runs a folding command without scrolling the editor, and restores the cursor unless the user has moved it. */
const keepingScroll = async (editor: vscode.TextEditor, fold: () => Thenable<unknown>): Promise<void> => {
  const before = editor.selections
  const line = visiblePosition(
    editor.selection.active.line,
    editor.visibleRanges.map(({ start, end }) => ({ from: start.line, to: end.line })),
  )
  if (line === undefined) {
    await fold()
    return
  }
  const waiting = new vscode.Selection(line, 0, line, 0)
  editor.selection = waiting
  await fold()
  if (editor.selection.isEqual(waiting)) editor.selections = before
}

/** Whether the active editor shows this document. */
export const hasFocus = (uri: vscode.Uri): boolean => focused(uri) !== undefined

/** Folds the input and results of all tool calls if the active editor shows this document; otherwise does nothing. */
export const foldAllTools = async (uri: vscode.Uri): Promise<void> => {
  const editor = focused(uri)
  if (editor !== undefined)
    await keepingScroll(editor, () => vscode.commands.executeCommand('editor.foldAllMarkerRegions'))
}

/**
 * Folds the ranges that begin at these lines (from 0) if the active editor shows this document; ranges that are folded
 * already stay so.
 */
export const foldAt = async (uri: vscode.Uri, lines: readonly number[]): Promise<void> => {
  const editor = focused(uri)
  if (editor !== undefined && lines.length > 0)
    await keepingScroll(editor, () =>
      vscode.commands.executeCommand('editor.fold', { levels: 1, direction: 'down', selectionLines: lines }),
    )
}
