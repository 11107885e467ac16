/** The open folders, named as importers name projects: a work tree by its repository. */
import { createWorkspaceResolver } from '@cairn/core/importers'
import { createFileSystem } from '@cairn/core/node'
import * as vscode from 'vscode'

/** The open folders on this machine. */
export const localFolders = (): readonly string[] =>
  (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath)

/** The projects of the open folders. */
export const openProjects = (): Promise<readonly string[]> => {
  const repositoryOf = createWorkspaceResolver(createFileSystem())
  return Promise.all(localFolders().map((folder) => repositoryOf(folder)))
}
