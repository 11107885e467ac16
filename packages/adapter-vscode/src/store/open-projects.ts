/** The open folders as importers name projects: a work tree counts as its repository. */
import { createWorkspaceResolver } from '@cairn/core/importers'
import { createFileSystem } from '@cairn/core/node'
import * as vscode from 'vscode'

/** Folders on this machine; others hold no transcripts. */
export const localFolders = (): readonly string[] =>
  (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath)

export const openProjects = (): Promise<readonly string[]> => {
  const repositoryOf = createWorkspaceResolver(createFileSystem())
  return Promise.all(localFolders().map((folder) => repositoryOf(folder)))
}
