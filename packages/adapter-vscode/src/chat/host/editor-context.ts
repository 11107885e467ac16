/** What the editor has open, selected and complains of, as mentions take it. */
import { relative, sep } from 'node:path'
import type { EditorProblem, EditorSelection } from '@cairn/core/sources/mentions'
import * as vscode from 'vscode'

const MOST_PROBLEMS = 200

/**
 * Returns the path relative to the folder, with `/`, if it lies inside; otherwise the path unchanged, also for the
 * folder itself.
 */
export const pathInFolder = (path: string, folder: string): string => {
  const inside = relative(folder, path)
  const isOutside =
    inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || /^(?:[a-z]:|[\\/])/i.test(inside)
  return isOutside ? path : inside.replaceAll('\\', '/')
}

/**
 * Returns what is selected in the active editor; empty without a selection, and for documents that are not files. Lines
 * count from 1, and both ends belong to it.
 */
export const editorSelections = (folder: string): readonly EditorSelection[] => {
  const editor = vscode.window.activeTextEditor
  if (editor?.document.uri.scheme !== 'file') return []
  return editor.selections.flatMap((selection): readonly EditorSelection[] => {
    if (selection.isEmpty) return []
    // A selection of whole lines ends at the beginning of the line behind them.
    const isWhole = selection.end.character === 0 && selection.end.line > selection.start.line
    return [
      {
        path: pathInFolder(editor.document.uri.fsPath, folder),
        lines: { first: selection.start.line + 1, last: selection.end.line + (isWhole ? 0 : 1) },
        text: editor.document.getText(selection),
      },
    ]
  })
}

/** Returns the problems of the folder's files, errors first; at most 200. Lines count from 1. */
export const editorProblems = (folder: string): readonly EditorProblem[] => {
  const rank = { error: 0, warning: 1, information: 2 }
  return vscode.languages
    .getDiagnostics()
    .filter(([uri]) => uri.scheme === 'file' && pathInFolder(uri.fsPath, folder) !== uri.fsPath)
    .flatMap(([uri, diagnostics]) =>
      diagnostics.map(({ severity, message, range }): EditorProblem => ({
        path: pathInFolder(uri.fsPath, folder),
        line: range.start.line + 1,
        severity: severityOf(severity),
        message,
      })),
    )
    .toSorted((one, other) => rank[one.severity] - rank[other.severity])
    .slice(0, MOST_PROBLEMS)
}

/** Returns the severity's name; hints count as `information`. */
const severityOf = (severity: vscode.DiagnosticSeverity): EditorProblem['severity'] => {
  if (severity === vscode.DiagnosticSeverity.Error) return 'error'
  return severity === vscode.DiagnosticSeverity.Warning ? 'warning' : 'information'
}
