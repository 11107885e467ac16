/** Opens the sessions that links lead to. */
import * as vscode from 'vscode'
import { linkedEntry } from './entry-link.ts'

/** Registers the handler of this extension's links; other addresses are ignored. Dispose the result to remove it. */
export const registerEntryLinks = (): vscode.Disposable =>
  vscode.window.registerUriHandler({
    handleUri: async (uri) => {
      const named = linkedEntry(uri)
      if (named !== undefined) await vscode.commands.executeCommand('cairn.openSession', ...named)
    },
  })
