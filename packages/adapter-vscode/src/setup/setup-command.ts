/** "Set up agents": runs `cairn setup` in a terminal of the editor, which shows the change to each settings file and asks once. */
import { homedir } from 'node:os'
import * as vscode from 'vscode'
import { foundCommand } from '../dashboard/window-command.ts'
import { localFolders } from '../store/open-projects.ts'
import { registerCommand } from '../views/commands.ts'

/**
 * Registers the command that runs `cairn setup` in a terminal, which stays open afterwards so that its output can be
 * read. Dispose the result to remove it.
 */
export const registerSetup = (): vscode.Disposable =>
  registerCommand('setUpAgents', "Agents can't be set up", async () => {
    const command = await foundCommand()
    if (command === undefined) return
    const execution = new vscode.ShellExecution({ value: command, quoting: vscode.ShellQuoting.Strong }, ['setup'], {
      cwd: localFolders()[0] ?? homedir(),
    })
    const task = new vscode.Task({ type: 'shell' }, vscode.TaskScope.Workspace, 'Set Up Agents', 'Cairn', execution)
    task.presentationOptions = {
      reveal: vscode.TaskRevealKind.Always,
      panel: vscode.TaskPanelKind.Dedicated,
      focus: true,
      clear: true,
    }
    await vscode.tasks.executeTask(task)
  })
