/** Opens the sessions that links lead to. */
import * as vscode from 'vscode'
import { linkedEntry } from './entry-link.ts'

/** Registers what the editor does with addresses of this extension; any other address is passed over. */
export const registerEntryLinks = (): vscode.Disposable =>
  vscode.window.registerUriHandler({
    handleUri: async (uri) => {
      const named = linkedEntry(uri)
      if (named !== undefined) await vscode.commands.executeCommand('cairn.openSession', ...named)
    },
  })
