/** Opens what a link of the model leads to: a page of the web after the user has seen where it goes, or a file of the folder. */
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import { neutraliseLine } from '../../text/neutralise.ts'
import { linkKind } from '../markdown/syntax.ts'

/** A file of a link, with its line where one is named. */
export interface LinkedFile {
  readonly path: string
  /** From 1. */
  readonly line: number | undefined
}

const WITH_LINE = /^(.*?)(?::(\d{1,7})(?::\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)$/

/** The file that an address means; undefined for one outside of the folder. */
export const linkedFile = (address: string, folder: string): LinkedFile | undefined => {
  const [, named, colon, hash] = WITH_LINE.exec(address.trim()) ?? []
  const written = decoded(named ?? address.trim())
  const path = resolve(folder, written)
  const inside = relative(folder, path)
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined
  const line = colon ?? hash
  return { path, line: line === undefined ? undefined : Math.max(1, Number(line)) }
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Opens it; what can't be opened is said. */
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

const openWeb = async (address: string): Promise<void> => {
  const { hostname } = new URL(address)
  const chosen = await vscode.window.showWarningMessage(
    `Open a page of ${hostname} in the browser? The model wrote this address.`,
    { modal: true, detail: neutraliseLine(address) },
    OPEN,
  )
  if (chosen === OPEN) await vscode.env.openExternal(vscode.Uri.parse(address, true))
}

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
