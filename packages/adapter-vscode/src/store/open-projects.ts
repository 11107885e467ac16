/** The open folders, named as importers name projects: a work tree by its repository. */
import { createWorkspaceResolver } from '@cairn/core/importers'
import { createFileSystem } from '@cairn/core/node'
import * as vscode from 'vscode'

/** The paths of the window's folders that are on this machine, in their order; empty when none is open. */
export const localFolders = (): readonly string[] =>
  (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath)

/** The projects (repositories, or else the folders themselves) of the window's folders, in their order. */
export const openProjects = (): Promise<readonly string[]> => {
  const repositoryOf = createWorkspaceResolver(createFileSystem())
  return Promise.all(localFolders().map((folder) => repositoryOf(folder)))
}
