/**
 * Finds the `cairn` command that serves the dashboard and sets agents up: the configured one, the project's own, the one
 * on the PATH, and else the one inside of the extension.
 */
import { posix, win32 } from 'node:path'

/** How a command is started. */
export interface CairnCommand {
  readonly path: string
  /** What stands before the command's own words. */
  readonly args: readonly string[]
  /** Variables that it needs besides those that it inherits. */
  readonly variables: Readonly<Record<string, string>>
}

export interface CommandSources {
  /** The setting `cairn.command`; '' when it is not set. */
  readonly setting: string
  /** Open folders that are trusted, as commands in them may be run. */
  readonly folders: readonly string[]
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly exists: (path: string) => boolean
  /** The one inside of the extension; undefined in a build without it. */
  readonly bundled: CairnCommand | undefined
}

/** The command's path, or a sentence that says why there is none. */
export type FoundCommand =
  { readonly kind: 'found'; readonly command: CairnCommand } | { readonly kind: 'missing'; readonly sentence: string }

const foundAt = (path: string): FoundCommand => ({ kind: 'found', command: { path, args: [], variables: {} } })

/**
 * Returns the command, or a sentence that says why there is none: of the setting alone where that is set, else in the
 * folders' `node_modules`, then on the PATH, then the bundled one. Relative folders of the PATH are passed over.
 */
export const findCommand = (sources: CommandSources): FoundCommand => {
  const { setting, folders, variables, platform, exists, bundled } = sources
  const path = platform === 'win32' ? win32 : posix
  const names = platform === 'win32' ? ['cairn.cmd', 'cairn.exe'] : ['cairn']

  const configured = setting.trim()
  if (configured !== '') {
    if (path.isAbsolute(configured) && exists(configured)) return foundAt(configured)
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
      if (exists(candidate)) return foundAt(candidate)
    }
  }
  if (bundled !== undefined) return { kind: 'found', command: bundled }
  return {
    kind: 'missing',
    sentence:
      'This needs the "cairn" command, which is neither in this build of the extension, nor in this project, nor on the PATH. Install it, or name it in the setting "cairn.command".',
  }
}
