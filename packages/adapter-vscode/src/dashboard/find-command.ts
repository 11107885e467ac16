/** Finds the `cairn` command that serves the dashboard: the configured one, the project's own, the one on the PATH. */
import { posix, win32 } from 'node:path'

/** Where the command is looked for. */
export interface CommandSources {
  /** The setting `cairn.command`; '' when it is not set. */
  readonly setting: string
  /** Open folders that are trusted, as commands in them may be run. */
  readonly folders: readonly string[]
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly exists: (path: string) => boolean
}

/** The command's path, or a sentence that says why there is none. */
export type FoundCommand =
  { readonly kind: 'found'; readonly path: string } | { readonly kind: 'missing'; readonly sentence: string }

/**
 * Returns the command's path: if the setting is set, only from there; otherwise from the folders' `node_modules`, then
 * the PATH. If there is none, a sentence that says so.
 */
export const findCommand = ({ setting, folders, variables, platform, exists }: CommandSources): FoundCommand => {
  const path = platform === 'win32' ? win32 : posix
  const names = platform === 'win32' ? ['cairn.cmd', 'cairn.exe'] : ['cairn']

  const configured = setting.trim()
  if (configured !== '') {
    if (path.isAbsolute(configured) && exists(configured)) return { kind: 'found', path: configured }
    return {
      kind: 'missing',
      sentence: `There is no command at ${configured}, where the setting "cairn.command" says that it is; it takes an absolute path.`,
    }
  }
  const inFolders = folders.map((folder) => path.join(folder, 'node_modules', '.bin'))
  // A relative part of the PATH would run programs of the open folder.
  const onPath = (variables['PATH'] ?? variables['Path'] ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
  for (const folder of [...inFolders, ...onPath]) {
    for (const name of names) {
      const candidate = path.join(folder, name)
      if (exists(candidate)) return { kind: 'found', path: candidate }
    }
  }
  return {
    kind: 'missing',
    sentence:
      'This needs the "cairn" command, which is neither in this project nor on the PATH. Install it, or name it in the setting "cairn.command".',
  }
}
