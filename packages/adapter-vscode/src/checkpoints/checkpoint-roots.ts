/** The folders of a window that checkpoints are made of: as the `cairn` command finds them. */
import { existsSync } from 'node:fs'
import { realPathOf, workspaceFolder } from '@cairn/core/node'

/**
 * Returns the root of the repository that each folder is in, symbolic links resolved, each once; folders that no longer
 * exist are left out.
 */
export const checkpointRoots = (folders: readonly string[]): readonly string[] => [
  ...new Set(folders.filter((folder) => existsSync(folder)).map((folder) => realPathOf(workspaceFolder(folder)))),
]
