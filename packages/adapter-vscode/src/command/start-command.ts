/** Starts the `cairn` command as a process. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { CairnCommand } from './find-command.ts'

/** A process whose output is read and that is given no input. */
export type CommandProcess = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable }

/** The environment without the variables of the editor's extension host, which would mislead other programs. */
const ownVariables = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !/^(?:ELECTRON_|VSCODE_|NODE_OPTIONS$)/.test(name)))

/**
 * Starts the command with fixed words: on Windows a script goes through the shell, which would read others its own way.
 * It has no input, and the inherited variables but the editor's own. A failure to start is its `error` event.
 * @param folder its working folder; the editor's where undefined
 */
export const startCommand = (
  { path, args, variables }: CairnCommand,
  words: readonly string[],
  inherited: NodeJS.ProcessEnv,
  folder: string | undefined,
): CommandProcess => {
  const isScript = /\.cmd$/i.test(path)
  return spawn(isScript ? `"${path}"` : path, [...args, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...ownVariables(inherited), ...variables },
    // Windows runs scripts only through its shell.
    shell: isScript,
    ...(folder === undefined ? {} : { cwd: folder }),
  })
}
