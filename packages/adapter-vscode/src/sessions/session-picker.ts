/** Asks for a session by its title, and opens one from the command palette. The store is searched for what is typed. */
import * as vscode from 'vscode'
import type { WindowStore } from '../store/window-store.ts'
import { livePick } from '../views/live-pick.ts'
import { parseFilter } from './session-filter.ts'
import { sessionDescription, sessionTitle } from './session-label.ts'

const MOST = 50

/**
 * Shows a list of sessions that narrows as the user types; returns the id of the chosen one, undefined if they cancel.
 */
export const askForSession = async (store: WindowStore, title: string): Promise<string | undefined> => {
  const chosen = await livePick({
    title,
    placeholder: 'Words of the title; agent:<name> and project:<name> narrow it further',
    failed: "The sessions can't be shown",
    search: async (typed) => {
      const opened = await store.store()
      const found = await opened?.sessions.list({ ...parseFilter(typed), sort: 'updated', limit: MOST })
      return (found?.sessions ?? []).map((session) => ({
        sessionId: session.id,
        label: sessionTitle(session),
        description: sessionDescription(session, Date.now()),
      }))
    },
  })
  return chosen?.sessionId
}

/** Registers the command that opens a session by its title, which the user picks from a list. */
export const registerSessionPicker = (store: WindowStore): vscode.Disposable =>
  vscode.commands.registerCommand('cairn.pickSession', async () => {
    const sessionId = await askForSession(store, 'Open session')
    if (sessionId !== undefined) await vscode.commands.executeCommand('cairn.openSession', sessionId)
  })
