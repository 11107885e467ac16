/** What `--workspace <path>` means: the repository of the folder, as importers see it. Loaded only with that option. */
import { createWorkspaceResolver } from '@cairn/core/importers'
import { createFileSystem } from '@cairn/core/node'

/** Returns the path of the repository that contains a folder; the folder itself if it is in none. */
export const repositoryOf = (folder: string): Promise<string> => createWorkspaceResolver(createFileSystem())(folder)
