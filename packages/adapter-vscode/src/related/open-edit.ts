/** "Open the file at this edit": a file as it is now, with what an agent wrote there selected. */
import { isAbsolute, join } from 'node:path'
import { CairnError, locateEdit } from '@cairn/core'
import type { FileEdit, SessionSummary, Store } from '@cairn/core'
import * as vscode from 'vscode'
import { nameAndFolder } from '../checkpoints/checkpoint-label.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { isSameFile } from './file-sessions.ts'
import type { FileQuestion } from './file-sessions.ts'
import { editsAt } from './session-edits.ts'

/** How long a sentence stands in the status bar, ms. */
const TOLD_MS = 8_000

/**
 * Returns where the file of an edit is on this machine; whether it is there is not looked at.
 * @throws CairnError `not-found` if the path is relative and its session has no folder
 */
const locationOf = ({ path }: FileEdit, { workspace }: SessionSummary): string => {
  if (isAbsolute(path)) return path
  if (workspace === null)
    throw new CairnError('not-found', 'the session names no folder, so it is not known where the file is.')
  return join(workspace, path)
}

/** Returns the first edit, or the first of the file that the user chooses among several; undefined if they cancel. */
const chooseEdit = async (edits: readonly FileEdit[]): Promise<FileEdit | undefined> => {
  const paths = [...new Set(edits.map(({ path }) => path))]
  if (paths.length < 2) return edits[0]
  const items = paths.map((path) => ({ label: neutraliseLine(path), path }))
  const chosen = await vscode.window.showQuickPick(items, { title: 'Open which file at its edit?' })
  return edits.find(({ path }) => path === chosen?.path)
}

/**
 * Opens the edit's file and selects what it wrote. If only a line of that is left, goes there and says so; if nothing
 * is left, opens the file at its beginning and says so. Rejects with `not-found` if the file can't be read, or its
 * session has no folder to find it in.
 */
const openAt = async (edit: FileEdit, session: SessionSummary): Promise<void> => {
  const uri = vscode.Uri.file(locationOf(edit, session))
  const { name } = nameAndFolder(edit.path.replaceAll('\\', '/'))
  const text = new TextDecoder().decode(await readFile(uri, name))
  const found = locateEdit(text, edit)
  const lines = found === undefined ? [0, 0] : [found.from, found.to]
  const selection = new vscode.Range(
    lines[0] ?? 0,
    0,
    lines[1] ?? 0,
    found?.isExact === true ? Number.MAX_SAFE_INTEGER : 0,
  )
  await vscode.commands.executeCommand('vscode.open', uri, { preview: true, selection })
  if (found === undefined)
    void vscode.window.showInformationMessage(`Nothing of this edit is left in ${name} as it is now.`)
  else if (!found.isExact)
    void vscode.window.setStatusBarMessage(`Cairn: ${name} was changed since; this line is left of the edit`, TOLD_MS)
}

/** Returns a file's bytes. Rejects with `not-found` if it can't be read. @param name the file's name, for the error */
const readFile = async (uri: vscode.Uri, name: string): Promise<Uint8Array> => {
  try {
    return await vscode.workspace.fs.readFile(uri)
  } catch (error) {
    throw new CairnError('not-found', `${name} is gone, or can't be read.`, { cause: error })
  }
}

/**
 * Opens the file that a message (for a tool's result, its call) edited, at what it wrote: `wanted` if it edited that
 * file, otherwise the only one, or the one that the user chooses; nothing if they cancel. Rejects with `usage` if it
 * edited none or there is no such message, `not-found` if the session or the file is gone: half a sentence in lower
 * case, to be shown by the caller behind its own words.
 */
export const openEdit = async (
  { sessions }: Pick<Store, 'sessions'>,
  sessionId: string,
  seq: number,
  wanted?: FileQuestion,
): Promise<void> => {
  const session = await sessions.get(sessionId)
  if (session === undefined) throw new CairnError('not-found', 'the session is not in the store (any more).')
  const edits = await editsAt(sessions, sessionId, seq)
  if (edits.length === 0) throw new CairnError('usage', 'put the cursor on a call that edits a file.')
  const own = wanted === undefined ? undefined : edits.find((edit) => isSameFile(edit, wanted))
  const edit = own ?? (await chooseEdit(edits))
  if (edit !== undefined) await openAt(edit, session)
}
