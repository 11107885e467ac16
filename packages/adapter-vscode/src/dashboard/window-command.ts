/** The `cairn` command that this window runs. */
import { existsSync } from 'node:fs'
import * as vscode from 'vscode'
import { localFolders } from '../store/open-projects.ts'
import { findCommand } from './find-command.ts'
import type { FoundCommand } from './find-command.ts'

const OPEN_SETTING = 'Open the setting'

/** Returns the command of this window; commands inside folders count only in trusted folders. */
export const windowCommand = (): FoundCommand =>
  findCommand({
    setting: vscode.workspace.getConfiguration('cairn').get('command', ''),
    folders: vscode.workspace.isTrusted ? localFolders() : [],
    variables: process.env,
    platform: process.platform,
    exists: existsSync,
  })

/** Shows the sentence as an error, with a button that opens the setting `cairn.command`. */
export const tellMissing = async (sentence: string): Promise<void> => {
  const chosen = await vscode.window.showErrorMessage(sentence, OPEN_SETTING)
  if (chosen === OPEN_SETTING) await vscode.commands.executeCommand('workbench.action.openSettings', 'cairn.command')
}

/** Returns the command's path; undefined if there is none, which the user is told. */
export const foundCommand = async (): Promise<string | undefined> => {
  const found = windowCommand()
  if (found.kind === 'found') return found.path
  await tellMissing(found.sentence)
  return undefined
}
