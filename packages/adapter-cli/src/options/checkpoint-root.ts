/** The folder that checkpoint commands are about, and the engine for it. */
import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { realPathOf, workspaceFolder } from '@cairn/core/node'
import type { CommonOptions, Context } from '../command.ts'
import { counted } from '../terminal/format.ts'
import { projectOf } from './project-option.ts'
import { asUsage } from './wrong-usage.ts'

/** The folder that checkpoints are about. */
export interface CheckpointFolder {
  readonly engine: Engine
  /** Absolute, without links. */
  readonly root: string
  /** The working folder, or the one of `--workspace`: paths are relative to it. */
  readonly folder: string
}

const LOOKS_LIKE_PATH = /[/\\]|^\.{1,2}$|^~/

/**
 * Returns the top of the repository that contains the working folder, or that of `--workspace`; otherwise that folder
 * itself. A linked worktree is a folder of its own. Finishes an interrupted restore and reports it on standard error.
 * `writes`: the store is opened for changes. Rejects with `not-found` if there is no such folder.
 */
export const openCheckpointFolder = async (
  options: CommonOptions,
  context: Context,
  writes: boolean,
): Promise<CheckpointFolder> => {
  const engine = await (writes ? context.engine(options) : context.readEngine(options))
  const folder = await folderOf(options, engine, context)
  const root = realPathOf(workspaceFolder(folder))
  const resumed = await asUsage(engine.checkpoints.resume(root))
  if (resumed !== undefined)
    context.terminal.note(
      `A restore that had been interrupted was brought to its end: ${counted(resumed.restored, 'file')} written, ${counted(resumed.removed, 'file')} removed. cairn checkpoint undo takes it back.`,
    )
  return { engine, root, folder }
}

/**
 * Returns the folder of `--workspace`, a path or a project's name, otherwise the working folder. Rejects with
 * `not-found` if it does not exist.
 */
const folderOf = async (options: CommonOptions, engine: Engine, context: Context): Promise<string> => {
  const { folder, home } = context.surroundings
  const { workspace } = options
  if (workspace === undefined) return folder
  const path = workspace.startsWith('~') ? home + workspace.slice(1) : resolve(folder, workspace)
  if (existsSync(path)) return path
  const isPath = isAbsolute(workspace) || LOOKS_LIKE_PATH.test(workspace)
  const known = isPath ? path : await projectOf(options, engine, context)
  if (existsSync(known)) return known
  throw new CairnError('not-found', `There is no folder ${known} on this machine; nothing was changed.`)
}
