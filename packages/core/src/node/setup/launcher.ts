/** A script that starts the hook where its own path is nothing that every shell takes as one word (on Windows). */
import { existsSync, rmSync } from 'node:fs'
import { win32 } from 'node:path'
import { CairnError } from '../../errors.ts'
import { isPlainPath, needsLauncher } from '../../setup/index.ts'
import type { CairnProgram, Machine } from '../../setup/index.ts'
import { makeFolderOf, readSettingsFile, writeSettingsFile } from './settings-file.ts'

const NAME = 'cairn-hook.cmd'

/** A batch file reads `%` as the beginning of a variable. */
const quoted = (path: string): string => `"${path.replaceAll('%', '%%')}"`

const contentOf = ({ node, hook }: CairnProgram): string => `@${quoted(node)} ${quoted(hook)} %*\r\n`

/**
 * The program with the path of its launcher where it needs one (Windows, with blanks in its paths), else as it is.
 * Writes nothing.
 * @throws CairnError `unsupported` where no folder of the user's has a path without blanks.
 */
export const withLauncher = (program: CairnProgram, machine: Machine, dataFolder: string): CairnProgram => {
  if (!needsLauncher(program, machine)) return program
  const { variables } = machine
  const folder = [dataFolder, variables['LOCALAPPDATA'], variables['PROGRAMDATA'], variables['PUBLIC']]
    .filter((each) => each !== undefined && each !== '')
    .map((each, index) => (index === 0 ? (each ?? '') : win32.join(each ?? '', 'cairn')))
    .find(isPlainPath)
  if (folder === undefined)
    throw new CairnError(
      'unsupported',
      "Hooks can't be set up: the paths of Node and Cairn hold blanks, and so does every folder for a launcher; set CAIRN_HOME to a folder without.",
    )
  return { ...program, launcher: win32.join(folder, NAME) }
}

/**
 * Writes the script that starts the hook where it can't be started by itself; does nothing for a program without one,
 * or whose script is as it should be.
 * @throws SettingsFileError
 */
export const writeLauncher = (program: CairnProgram): void => {
  if (program.launcher === undefined) return
  makeFolderOf(program.launcher)
  const { path, text } = readSettingsFile(program.launcher)
  const content = contentOf(program)
  if (text !== content) writeSettingsFile(path, content, { expected: text, mode: 0o700 })
}

/**
 * Deletes the script that `writeLauncher` wrote; does nothing where the program has none, or it is gone. Throws the
 * file system's error where it can't be deleted.
 */
export const removeLauncher = ({ launcher }: CairnProgram): void => {
  if (launcher !== undefined && existsSync(launcher)) rmSync(launcher)
}
