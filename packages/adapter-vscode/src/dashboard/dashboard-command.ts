/** "Open dashboard": opens the dashboard that runs, or starts one with the `cairn` command. */
import { existsSync } from 'node:fs'
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import { localFolders } from '../store/open-projects.ts'
import type { WindowStore } from '../store/window-store.ts'
import { startDashboard } from './dashboard-process.ts'
import { findCommand } from './find-command.ts'
import { createSharedDashboard } from './shared-dashboard.ts'

const ANSWER_LIMIT_MS = 2_000
const OPEN_SETTING = 'Open the setting'

/** Whether the dashboard's process exists and its address answers. */
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

/** No `cairn` command was found, which the user can change. */
class CommandMissing extends Error {}

/**
 * Registers the command "Open dashboard", which shares one dashboard with other windows. What goes wrong is shown as a
 * message; a dashboard that this window started ends with the result.
 */
export const registerDashboard = ({
  store,
  secrets,
  mayFollow,
}: {
  readonly store: WindowStore
  readonly secrets: vscode.SecretStorage
  /** Whether the dashboard may follow transcripts while it runs. */
  readonly mayFollow: () => boolean
}): vscode.Disposable => {
  const shared = createSharedDashboard({
    secrets,
    answers,
    start: async (signal) => {
      // Commands of a folder are run only if the folder is trusted.
      const folders = vscode.workspace.isTrusted ? localFolders() : []
      const found = findCommand({
        setting: vscode.workspace.getConfiguration('cairn').get('command', ''),
        folders,
        variables: process.env,
        platform: process.platform,
        exists: existsSync,
      })
      if (found.kind === 'missing') throw new CommandMissing(found.sentence)
      return startDashboard({
        command: found.path,
        store: store.address(),
        folder: folders[0],
        variables: mayFollow() ? process.env : { ...process.env, CAIRN_WATCH: 'off' },
        signal,
      })
    },
  })

  const open = async (): Promise<void> => {
    try {
      const url = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: 'Cairn: opening the dashboard', cancellable: true },
        (_progress, cancelled) => {
          const stop = new AbortController()
          cancelled.onCancellationRequested(() => stop.abort())
          return shared.address(store.address(), stop.signal)
        },
      )
      await vscode.env.openExternal(vscode.Uri.parse(url, true))
    } catch (error) {
      const chosen = await vscode.window.showErrorMessage(
        messageOf(error),
        ...(error instanceof CommandMissing ? [OPEN_SETTING] : []),
      )
      if (chosen === OPEN_SETTING)
        await vscode.commands.executeCommand('workbench.action.openSettings', 'cairn.command')
    }
  }

  return vscode.Disposable.from(vscode.commands.registerCommand('cairn.openDashboard', open), {
    dispose: () => shared.close(),
  })
}
