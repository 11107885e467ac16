/** Commands whose failure is one sentence, and the keys by which menus and views show things. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'

/**
 * Registers the command `cairn.<name>`; dispose the result to remove it. `failed`: the beginning of the error message
 * if `run` rejects.
 */
export const registerCommand = (
  name: string,
  failed: string,
  run: (...given: readonly unknown[]) => Promise<void>,
): vscode.Disposable =>
  vscode.commands.registerCommand(`cairn.${name}`, async (...given: readonly unknown[]) => {
    try {
      await run(...given)
    } catch (error) {
      void vscode.window.showErrorMessage(`${failed}: ${messageOf(error)}`)
    }
  })

/** Sets a context key of the editor, for conditions in the package's manifest. */
export const setContext = (key: string, value: unknown): void =>
  void vscode.commands.executeCommand('setContext', key, value)
