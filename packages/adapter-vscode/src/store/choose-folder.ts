/** Which of the window's folders a command is about. */
import { CairnError } from '@cairn/core'
import * as vscode from 'vscode'
import { localFolders } from './open-projects.ts'

/**
 * Returns the window's folder that contains the document, otherwise its only folder, otherwise the one that the user
 * chooses; undefined if they cancel, or choose one that is not on this machine's disk. Rejects with `usage` if no
 * folder is open.
 */
export const chooseFolder = async (document: vscode.Uri | undefined, question: string): Promise<string | undefined> => {
  const own = document === undefined ? undefined : vscode.workspace.getWorkspaceFolder(document)
  if (own?.uri.scheme === 'file') return own.uri.fsPath
  const [only, ...others] = localFolders()
  if (only === undefined) throw new CairnError('usage', 'open a folder first.')
  if (others.length === 0) return only
  const asked = await vscode.window.showWorkspaceFolderPick({ placeHolder: question })
  return asked?.uri.scheme === 'file' ? asked.uri.fsPath : undefined
}
