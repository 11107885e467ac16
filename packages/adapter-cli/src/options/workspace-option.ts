/** What `--workspace <path>` means: the repository of the folder, as importers see it. Loaded only with that option. */
import { createWorkspaceResolver } from '@cairn/core/importers'
import { createFileSystem } from '@cairn/core/node'

/** The repository that a folder belongs to, by its path, or the folder where it is in none. */
export const repositoryOf = (folder: string): Promise<string> => createWorkspaceResolver(createFileSystem())(folder)
