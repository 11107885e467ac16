/** Opens a session by its title, from the command palette. The store is searched for what is typed. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import type { WindowStore } from '../store/window-store.ts'
import { parseFilter } from './session-filter.ts'
import { sessionDescription, sessionTitle } from './session-label.ts'

const MOST = 50
const AFTER_TYPING_MS = 150

interface SessionItem extends vscode.QuickPickItem {
  readonly sessionId: string
}

/** Shows a list of sessions that follows what is typed, and opens the chosen one. */
const pickSession = async (store: WindowStore): Promise<void> => {
  const picker = vscode.window.createQuickPick<SessionItem>()
  picker.title = 'Open session'
  picker.placeholder = 'Words of the title; agent:<name> and project:<name> narrow it further'
  let asked = 0
  let soon: NodeJS.Timeout | undefined

  const search = async (): Promise<void> => {
    const ask = ++asked
    picker.busy = true
    try {
      const found = await (
        await store.store()
      )?.sessions.list({ ...parseFilter(picker.value), sort: 'updated', limit: MOST })
      // The answer to an earlier question may come late.
      if (ask !== asked) return
      picker.items = (found?.sessions ?? []).map((session) => ({
        sessionId: session.id,
        label: sessionTitle(session),
        description: sessionDescription(session, Date.now()),
        // The store has filtered already.
        alwaysShow: true,
      }))
    } catch (error) {
      if (ask === asked) picker.title = `The sessions can't be shown: ${messageOf(error)}`
    } finally {
      if (ask === asked) picker.busy = false
    }
  }

  picker.onDidChangeValue(() => {
    clearTimeout(soon)
    soon = setTimeout(() => void search(), AFTER_TYPING_MS)
  })
  picker.onDidAccept(() => {
    const [chosen] = picker.selectedItems
    picker.hide()
    if (chosen !== undefined) void vscode.commands.executeCommand('cairn.openSession', chosen.sessionId)
  })
  picker.onDidHide(() => {
    clearTimeout(soon)
    asked += 1
    picker.dispose()
  })
  picker.show()
  await search()
}

/** Registers the command that opens a session by its title, which the user picks from a list. */
export const registerSessionPicker = (store: WindowStore): vscode.Disposable =>
  vscode.commands.registerCommand('cairn.pickSession', () => pickSession(store))
