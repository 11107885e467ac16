/** The folders of a window that checkpoints are made of: as the `cairn` command finds them. */
import { existsSync } from 'node:fs'
import { realPathOf, workspaceFolder } from '@cairn/core/node'

/** The top of the repository that each folder is in, without links, each once; folders that are gone are left out. */
export const checkpointRoots = (folders: readonly string[]): readonly string[] => [
  ...new Set(folders.filter((folder) => existsSync(folder)).map((folder) => realPathOf(workspaceFolder(folder)))),
]
