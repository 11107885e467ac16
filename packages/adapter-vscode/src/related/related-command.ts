/** "Related files…": a list of the files that belong to the selection, or to what the user types; one of them is opened. */
import { join, relative, sep } from 'node:path'
import { messageOf } from '@cairn/core'
import { createWorkspaceResolver } from '@cairn/core/importers'
import { createFileSystem } from '@cairn/core/node'
import * as vscode from 'vscode'
import { chooseFolder } from '../store/choose-folder.ts'
import type { WindowEngine } from '../store/window-engine.ts'
import { relatedItems } from './related-files.ts'
import type { RelatedItem } from './related-files.ts'

const TITLE = 'Related files'
const IMPORT = 'Import now'

/** Registers the command; dispose the result to remove it. */
export const registerRelatedFiles = (engine: WindowEngine): vscode.Disposable =>
  vscode.commands.registerCommand('cairn.relatedFiles', async () => {
    try {
      await pickRelated(engine)
    } catch (error) {
      void vscode.window.showErrorMessage(`Related files can't be shown: ${messageOf(error)}`)
    }
  })

/**
 * Takes the selected text, or asks for one, shows the related files, and opens the one that the user chooses; nothing
 * if they cancel. Before anything was recorded it offers to import instead. Rejects with `usage` if no folder is open.
 */
const pickRelated = async (engine: WindowEngine): Promise<void> => {
  const editor = vscode.window.activeTextEditor
  const root = await chooseFolder(editor?.document.uri, 'Related files of which folder?')
  if (root === undefined) return
  const loaded = await engine.engine()
  if (loaded === undefined) {
    const chosen = await vscode.window.showInformationMessage(
      'Nothing has been recorded yet: import sessions once, then related files are found.',
      IMPORT,
    )
    if (chosen === IMPORT) await vscode.commands.executeCommand('cairn.importNow')
    return
  }
  const text = selectedText(editor) ?? (await askForText())
  if (text === undefined) return
  const project = await createWorkspaceResolver(createFileSystem())(root)
  const file = editor === undefined ? undefined : pathBelow(root, editor.document.uri)
  const chosen = await vscode.window.showQuickPick<RelatedItem>(relatedItems(loaded, { root, project, text, file }), {
    title: TITLE,
    placeHolder: 'A file to open',
    matchOnDescription: true,
    matchOnDetail: true,
  })
  if (chosen !== undefined)
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(join(root, chosen.path)), { preview: true })
}

/** Returns the selected text; undefined without a selection that is not blank. */
const selectedText = (editor: vscode.TextEditor | undefined): string | undefined => {
  const text = editor === undefined ? '' : editor.document.getText(editor.selection).trim()
  return text === '' ? undefined : text
}

/** Asks what is to be done; undefined if the user cancels or types nothing. */
const askForText = async (): Promise<string | undefined> => {
  const text = await vscode.window.showInputBox({ title: TITLE, prompt: 'What is to be done, in a few words' })
  return text === undefined || text.trim() === '' ? undefined : text
}

/** Returns a document's path relative to the folder, with `/`; undefined if it lies elsewhere. */
const pathBelow = (root: string, { scheme, fsPath }: vscode.Uri): string | undefined => {
  const path = relative(root, fsPath)
  return scheme !== 'file' || path === '' || path.startsWith('..') ? undefined : path.replaceAll(sep, '/')
}
