/** "Sessions of this file…": which sessions read or edited the open file; one is opened at its last edit, or the file is. */
import { relative, sep } from 'node:path'
import { CairnError, messageOf } from '@cairn/core'
import { createWorkspaceResolver } from '@cairn/core/importers'
import { createFileSystem } from '@cairn/core/node'
import * as vscode from 'vscode'
import { sessionDescription, sessionTitle } from '../sessions/session-label.ts'
import type { WindowStore } from '../store/window-store.ts'
import { ageText, counted } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { registerCommand } from '../views/commands.ts'
import { livePick } from '../views/live-pick.ts'
import { sessionsOfFile } from './file-sessions.ts'
import type { FileQuestion, FileSession } from './file-sessions.ts'
import { openEdit } from './open-edit.ts'

/** A row of the list of sessions. */
interface SessionItem extends vscode.QuickPickItem {
  readonly found: FileSession
}

const FAILED = "The file's sessions can't be shown"

/** Whether a value is an address of the editor. */
const isUri = (value: unknown): value is vscode.Uri =>
  typeof value === 'object' && value !== null && 'scheme' in value && 'fsPath' in value

/**
 * Returns the file that a menu passes, otherwise that of the active editor.
 * @throws CairnError `usage` if there is none, or if it is not a file on disk
 */
const fileOf = (given: unknown): vscode.Uri => {
  const uri = isUri(given) ? given : vscode.window.activeTextEditor?.document.uri
  if (uri?.scheme !== 'file') throw new CairnError('usage', 'open a file first.')
  return uri
}

/** Returns the file's project and its path in it. Rejects with `usage` for a file outside the open folders. */
const questionOf = async (uri: vscode.Uri): Promise<FileQuestion> => {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath
  if (folder === undefined) throw new CairnError('usage', 'the file is in none of the open folders.')
  const project = await createWorkspaceResolver(createFileSystem())(folder)
  const inProject = relative(project, uri.fsPath)
  // A work tree lies elsewhere than its repository; its files have the same paths in it.
  const isOutside = inProject.startsWith('..')
  return { project, path: (isOutside ? relative(folder, uri.fsPath) : inProject).replaceAll(sep, '/') }
}

/**
 * Returns how often a session edited and read the file, and how long ago: `edited 3 times, read once · 2 h`; `now` in
 * ms. What did not happen is left out.
 */
const touchText = ({ edits, reads, at }: FileSession, now: number): string => {
  const times = (count: number): string => (count === 1 ? 'once' : counted(count, 'time'))
  const parts = [...(edits > 0 ? [`edited ${times(edits)}`] : []), ...(reads > 0 ? [`read ${times(reads)}`] : [])]
  return [parts.join(', '), ageText(at, now)].filter((part) => part !== '').join(' · ')
}

/**
 * Shows the sessions of a file, whose titles can be searched, and opens the chosen one at its last edit, or at its last
 * touch if it only read the file; an item's button opens the file itself at that edit. Says so if there are none.
 * Rejects as the store does, and with `usage` if no file is open, or one outside the open folders.
 */
const pick = async (store: WindowStore, given: unknown): Promise<void> => {
  const uri = fileOf(given)
  const question = await questionOf(uri)
  const atEdit = { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: 'Open the File at This Edit' }
  const opened = await store.store()
  const found = opened === undefined ? [] : await sessionsOfFile(opened, question)
  const name = neutraliseLine(question.path.slice(question.path.lastIndexOf('/') + 1))
  if (opened === undefined || found.length === 0) {
    void vscode.window.showInformationMessage(`No session that was recorded read or edited ${name}.`)
    return
  }
  const now = Date.now()
  const items = found.map((each): SessionItem => ({
    label: sessionTitle(each.session),
    description: touchText(each, now),
    detail: sessionDescription(each.session, now),
    buttons: each.editSeq === undefined ? [] : [atEdit],
    found: each,
  }))
  const chosen = await livePick<SessionItem>({
    title: `Sessions of ${name}`,
    placeholder: 'A session to open at its last edit',
    failed: FAILED,
    search: async (typed) => items.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase())),
    onItemButton: ({ found: { session, editSeq } }) => {
      if (editSeq === undefined) return
      void openEdit(opened, session.id, editSeq, question).catch((error: unknown) => {
        void vscode.window.showErrorMessage(`The file can't be opened at this edit: ${messageOf(error)}`)
      })
    },
  })
  if (chosen === undefined) return
  const { session, editSeq, seq } = chosen.found
  await vscode.commands.executeCommand('cairn.openSession', session.id, editSeq ?? seq)
}

/** Registers the command; dispose the result to remove it. */
export const registerFileSessions = (store: WindowStore): vscode.Disposable =>
  registerCommand('fileSessions', FAILED, (given) => pick(store, given))
