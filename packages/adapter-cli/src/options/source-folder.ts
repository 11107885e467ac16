/** The folder whose files a command reads. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { realPathOf, workspaceFolder } from '@cairn/core/node'
import type { CommonOptions, Context } from '../command.ts'

/** The project whose files a command is about. */
export interface SourceFolder {
  /** Absolute, without links: the top of the repository; a linked worktree is a folder of its own. */
  readonly root: string
  /** The working folder, or the one of `--workspace`, without links: paths are relative to it. */
  readonly folder: string
}

/**
 * Returns the project around the working folder, or around that of `--workspace`. Undefined if `--workspace` is not a
 * folder, and for the home folder and the root of the disk, which are not projects.
 */
export const sourceFolder = (
  { workspace }: CommonOptions,
  { surroundings: { folder: current, home } }: Pick<Context, 'surroundings'>,
): SourceFolder | undefined => {
  const given =
    workspace === undefined
      ? current
      : workspace.startsWith('~')
        ? home + workspace.slice(1)
        : resolve(current, workspace)
  if (!existsSync(given) || !statSync(given).isDirectory()) return undefined
  const folder = realPathOf(given)
  const root = realPathOf(workspaceFolder(folder))
  return root === realPathOf(home) || root === resolve(root, '..') ? undefined : { root, folder }
}
