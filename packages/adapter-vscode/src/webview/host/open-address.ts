/** Opens what a link of the model leads to: a page of the web after the user has seen where it goes, or a file of the folder. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import { neutraliseLine } from '../../text/neutralise.ts'
import { linkKind } from '../markdown/syntax.ts'
import { linkedFile } from './linked-file.ts'

/**
 * Opens what a link leads to: a web page after a question, or a file of the folder at its line. Never rejects: a
 * failure is shown as a message, and an address that is neither is ignored. A file without a folder is ignored.
 */
export const openAddress = async (address: string, folder: string | undefined): Promise<void> => {
  const kind = linkKind(address)
  try {
    if (kind === 'web') await openWeb(address.trim())
    else if (kind === 'file' && folder !== undefined) await openFile(address, folder)
  } catch (error) {
    await vscode.window.showErrorMessage(`${neutraliseLine(address)} can't be opened: ${messageOf(error)}`)
  }
}

const OPEN = 'Open'

/** Opens a web page in the browser if the user agrees to a question that names its host. */
const openWeb = async (address: string): Promise<void> => {
  const { hostname } = new URL(address)
  const chosen = await vscode.window.showWarningMessage(
    `Open a page of ${hostname} in the browser? The model wrote this address.`,
    { modal: true, detail: neutraliseLine(address) },
    OPEN,
  )
  if (chosen === OPEN) await vscode.env.openExternal(vscode.Uri.parse(address, true))
}

/** Opens a file of the folder; says so if the file is not in it. */
const openFile = async (address: string, folder: string): Promise<void> => {
  const file = linkedFile(address, folder)
  if (file === undefined) {
    await vscode.window.showWarningMessage(`${neutraliseLine(address)} is not in this folder; it was not opened.`)
    return
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file.path))
  const start = new vscode.Position((file.line ?? 1) - 1, 0)
  await vscode.window.showTextDocument(document, { preview: true, selection: new vscode.Range(start, start) })
}
