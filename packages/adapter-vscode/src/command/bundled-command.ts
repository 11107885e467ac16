/** The `cairn` command inside of the extension: in the editor's terminals, and for what the extension itself runs. */
import { messageOf } from '@cairn/core'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type * as vscode from 'vscode'
import { writeBundledScripts } from './bundled-scripts.ts'
import type { CairnCommand } from './find-command.ts'

/** Where `package.mjs` puts the program. */
const programFolder = ({ extensionUri }: vscode.ExtensionContext): string => join(extensionUri.fsPath, 'dist', 'cairn')

/**
 * Puts `cairn` at the end of the PATH of the editor's terminals, so that one that the user has installed comes first.
 * Returns how the extension itself runs it; undefined in a build without it, and if its scripts can't be written, which is
 * logged: then the PATH stays as it is.
 */
export const provideCommand = (
  context: vscode.ExtensionContext,
  log: Pick<vscode.OutputChannel, 'appendLine'>,
): CairnCommand | undefined => {
  const packaged = programFolder(context)
  const collection = context.environmentVariableCollection
  collection.clear()
  if (!existsSync(join(packaged, 'bin', 'cairn.js'))) return undefined
  const program = realpathSync(packaged)
  const folder = context.globalStorageUri.fsPath
  const isElectron = process.versions['electron'] !== undefined
  try {
    writeBundledScripts({ program, folder, node: process.execPath, isElectron, platform: process.platform })
  } catch (error) {
    log.appendLine(`The cairn command can't be put into ${folder}: ${messageOf(error)}`)
    return undefined
  }
  collection.description = 'Adds the `cairn` command to the PATH.'
  collection.append('PATH', `${delimiter}${join(folder, 'bin')}`)
  return {
    path: process.execPath,
    args: [join(program, 'bin', 'cairn.js')],
    variables: { CAIRN_PROGRAM_FOLDER: folder, ...(isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {}) },
  }
}
