/** Where the command line finds what a text mentions: the files and the repository of a folder. */
import { createGitFacts, createWorkspaceFiles } from '@cairn/core/node/sources'
import type { Engine } from '@cairn/core'

type MentionInput = Parameters<Engine['mentions']['expand']>[1]

/**
 * Returns the files and git history of a workspace for mentions; nothing is found of one that is not on this machine.
 */
export const mentionInput = (workspace: string): Pick<MentionInput, 'workspace' | 'files' | 'git'> => ({
  workspace,
  files: createWorkspaceFiles([workspace]),
  git: createGitFacts(workspace),
})
