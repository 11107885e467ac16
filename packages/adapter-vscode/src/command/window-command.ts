/** The `cairn` command that this window runs. */
import { existsSync } from 'node:fs'
import * as vscode from 'vscode'
import { localFolders } from '../store/open-projects.ts'
import { findCommand } from './find-command.ts'
import type { CairnCommand, FoundCommand } from './find-command.ts'

const OPEN_SETTING = 'Open the setting'

/** The command; commands of a folder are run only if the folder is trusted. `bundled`: the one inside of the extension. */
export const windowCommand = (bundled: CairnCommand | undefined): FoundCommand =>
  findCommand({
    setting: vscode.workspace.getConfiguration('cairn').get('command', ''),
    folders: vscode.workspace.isTrusted ? localFolders() : [],
    variables: process.env,
    platform: process.platform,
    exists: existsSync,
    bundled,
  })

/** Shows the sentence as an error, with a button that opens the setting `cairn.command`. */
export const tellMissing = async (sentence: string): Promise<void> => {
  const chosen = await vscode.window.showErrorMessage(sentence, OPEN_SETTING)
  if (chosen === OPEN_SETTING) await vscode.commands.executeCommand('workbench.action.openSettings', 'cairn.command')
}

/** Returns the command; undefined where there is none, which is told. */
export const foundCommand = async (bundled: CairnCommand | undefined): Promise<CairnCommand | undefined> => {
  const found = windowCommand(bundled)
  if (found.kind === 'found') return found.command
  await tellMissing(found.sentence)
  return undefined
}
