/** Shows an entry of a session in its document, once the editor has read that far. */
import * as vscode from 'vscode'
import { linesOfEntry } from './entry-lines.ts'
import { hasFocus } from './folding.ts'
import type { SessionText } from './session-reading.ts'

/** How long a document is waited for, ms: a long session is read in steps. */
const LIMIT_MS = 30_000

/**
 * Puts the cursor on the entry and scrolls it to the middle. Resolves without doing so if the user goes elsewhere, or
 * if the document does not reach that far within {@link LIMIT_MS}.
 */
export const revealEntry = (uri: vscode.Uri, seq: number, shown: () => SessionText | undefined): Promise<void> =>
  new Promise((resolve) => {
    const tryNow = (): boolean => {
      const editor = vscode.window.activeTextEditor
      if (!hasFocus(uri) || editor === undefined) return true
      const text = shown()
      const lines = text && linesOfEntry(text, seq)
      // A session without anything to show.
      if (lines === undefined) return text?.isWhole === true
      if (editor.document.lineCount <= lines.to) return false
      const start = new vscode.Position(lines.from, 0)
      editor.selection = new vscode.Selection(start, start)
      editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenter)
      return true
    }
    if (tryNow()) {
      resolve()
      return
    }
    const end = (): void => {
      clearTimeout(limit)
      followed.dispose()
      resolve()
    }
    const limit = setTimeout(end, LIMIT_MS)
    const followed = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.toString() === uri.toString() && tryNow()) end()
    })
  })
