/** The open folders, named as importers name projects: a work tree by its repository. */
import { createWorkspaceResolver } from '@cairn/core/importers'
import { createFileSystem } from '@cairn/core/node'
import * as vscode from 'vscode'

/** Returns the paths of the window's folders on this machine, in their order; empty if none is open. */
export const localFolders = (): readonly string[] =>
  (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath)

/** Returns the projects of the window's folders, in their order: the repository of each, or the folder itself. */
export const openProjects = (): Promise<readonly string[]> => {
  const repositoryOf = createWorkspaceResolver(createFileSystem())
  return Promise.all(localFolders().map((folder) => repositoryOf(folder)))
}
