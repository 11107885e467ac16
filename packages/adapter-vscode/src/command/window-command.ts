/** The `cairn` command that this window runs. */
import { existsSync } from 'node:fs'
import * as vscode from 'vscode'
import { localFolders } from '../store/open-projects.ts'
import { findCommand } from './find-command.ts'
import type { CairnCommand, FoundCommand } from './find-command.ts'

const OPEN_SETTING = 'Open the setting'

/**
 * Returns the command, or a sentence that says why there is none; looks anew each time and runs nothing. The one of the
 * setting `cairn.command` alone if that is set; else that of an open folder if the window is trusted, then of the PATH,
 * then `bundled`: the one inside of the extension, undefined in a build without it.
 */
export const windowCommand = (bundled: CairnCommand | undefined): FoundCommand =>
  findCommand({
    setting: vscode.workspace.getConfiguration('cairn').get('command', ''),
    folders: vscode.workspace.isTrusted ? localFolders() : [],
    variables: process.env,
    platform: process.platform,
    exists: existsSync,
    bundled,
  })

/** Shows the sentence as an error, with a button that opens the setting `cairn.command`. Resolves when it is closed. */
export const tellMissing = async (sentence: string): Promise<void> => {
  const chosen = await vscode.window.showErrorMessage(sentence, OPEN_SETTING)
  if (chosen === OPEN_SETTING) await vscode.commands.executeCommand('workbench.action.openSettings', 'cairn.command')
}

/** Returns the command as {@link windowCommand}; undefined where there is none, once the user has closed the error. */
export const foundCommand = async (bundled: CairnCommand | undefined): Promise<CairnCommand | undefined> => {
  const found = windowCommand(bundled)
  if (found.kind === 'found') return found.command
  await tellMissing(found.sentence)
  return undefined
}
