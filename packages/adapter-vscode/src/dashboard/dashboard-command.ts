/** "Open dashboard": opens the dashboard that runs, or starts one with the `cairn` command. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import type { CairnCommand } from '../command/find-command.ts'
import { tellMissing, windowCommand } from '../command/window-command.ts'
import { askForSession } from '../sessions/session-picker.ts'
import { localFolders } from '../store/open-projects.ts'
import type { WindowStore } from '../store/window-store.ts'
import { pageAddress, pageOf, sessionPage } from './dashboard-pages.ts'
import { startDashboard } from './dashboard-process.ts'
import { createSharedDashboard } from './shared-dashboard.ts'

const ANSWER_LIMIT_MS = 2_000

/** Returns whether the dashboard's process exists and its address answers within two seconds, and not with an error. */
const answers = async ({ url, pid }: { readonly url: string; readonly pid: number }): Promise<boolean> => {
  try {
    // Another program may use the port by now.
    if (pid > 0) process.kill(pid, 0)
    const { status } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
    return status < 400
  } catch {
    return false
  }
}

/** Thrown if no `cairn` command was found, which the user can change in the settings. */
class CommandMissing extends Error {}

/**
 * Registers the commands that open the dashboard, which is shared with other windows. Failures are shown as messages;
 * disposing the result ends a dashboard that this window started. Without the command that starts one, says how to get
 * it.
 */
export const registerDashboard = ({
  store,
  secrets,
  bundled,
  mayFollow,
}: {
  readonly store: WindowStore
  readonly secrets: vscode.SecretStorage
  /** The command inside of the extension, for where there is no other. */
  readonly bundled: CairnCommand | undefined
  /** Whether the dashboard may follow transcripts while it runs. */
  readonly mayFollow: () => boolean
}): vscode.Disposable => {
  const shared = createSharedDashboard({
    secrets,
    answers,
    start: async (signal) => {
      const found = windowCommand(bundled)
      if (found.kind === 'missing') throw new CommandMissing(found.sentence)
      return startDashboard({
        command: found.command,
        store: store.address(),
        folder: vscode.workspace.isTrusted ? localFolders()[0] : undefined,
        variables: mayFollow() ? process.env : { ...process.env, CAIRN_WATCH: 'off' },
        signal,
      })
    },
  })

  /** Opens a page of the dashboard; a path and query, with a fragment where it has one. */
  const open = async (page: string): Promise<void> => {
    try {
      const url = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: 'Cairn: opening the dashboard', cancellable: true },
        (_progress, cancelled) => {
          const stop = new AbortController()
          cancelled.onCancellationRequested(() => stop.abort())
          return shared.address(store.address(), stop.signal)
        },
      )
      await vscode.env.openExternal(vscode.Uri.parse(pageAddress(url, page), true))
    } catch (error) {
      if (error instanceof CommandMissing) await tellMissing(error.message)
      else void vscode.window.showErrorMessage(messageOf(error))
    }
  }

  return vscode.Disposable.from(
    vscode.commands.registerCommand('cairn.openDashboard', () => open('/')),
    vscode.commands.registerCommand('cairn.openInDashboard', async (given: unknown) => {
      const page = pageOf(given) ?? pageOf(vscode.window.activeTextEditor?.document.uri)
      if (page !== undefined) return open(page)
      const sessionId = await askForSession(store, 'Open which session in the dashboard?')
      return sessionId === undefined ? undefined : open(sessionPage(sessionId))
    }),
    { dispose: () => shared.close() },
  )
}
