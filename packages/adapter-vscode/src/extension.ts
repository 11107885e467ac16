import * as vscode from 'vscode'

/** Called by VS Code when the first of the extension's commands or views is used. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.commands.registerCommand('cairn.showVersion', () => {
      const { version } = context.extension.packageJSON as { readonly version: string }
      void vscode.window.showInformationMessage(`Cairn ${version}`)
    }),
  )
}
