/** Lets the user choose a session to go on with, a file to mention, or what of the editor to attach. */
import type { SessionStorage } from '@cairn/core'
import { createWorkspaceFiles } from '@cairn/core/node/sources'
import * as vscode from 'vscode'
import { sessionDescription, sessionTitle } from '../../sessions/session-label.ts'
import { counted } from '../../text/format.ts'
import { neutraliseLine } from '../../text/neutralise.ts'
import { fileMention, type AttachedPart } from './attachments.ts'
import { editorProblems, editorSelections, pathInFolder } from './editor-context.ts'

const MOST_SESSIONS = 200

/**
 * Returns the id of the session of Cairn's own agent in this workspace that the user chose from at most {@link
 * MOST_SESSIONS}; undefined if they cancel, or if there is none, which they are told. Rejects as the store does.
 */
export const chooseChatSession = async (
  sessions: Pick<SessionStorage, 'list'>,
  workspace: string,
): Promise<string | undefined> => {
  const found = await sessions.list({ agent: 'cairn', workspace, limit: MOST_SESSIONS })
  const items = found.sessions.map((session) => ({
    label: neutraliseLine(sessionTitle(session)),
    description: sessionDescription(session, Date.now()),
    id: session.id,
  }))
  if (items.length === 0) {
    await vscode.window.showInformationMessage('There is no earlier session of the chat in this folder.')
    return undefined
  }
  return (await vscode.window.showQuickPick(items, { title: 'Go on with a session', matchOnDescription: true }))?.id
}

/** A row of the list of mentions. */
interface MentionItem extends vscode.QuickPickItem {
  readonly mention: string
}

/** What can be mentioned beside files. */
const OTHERS: readonly MentionItem[] = [
  { label: '@selection', description: 'what is selected in the editor', mention: '@selection' },
  { label: '@problems', description: 'errors and warnings of the editor', mention: '@problems' },
  { label: '@git', description: 'what is changed and not committed', mention: '@git' },
  { label: '@memory', description: 'what is remembered of the project', mention: '@memory' },
]

/**
 * Returns the mention that the user chose, as it is written in a message: `@src/a.ts` (in quotes if it needs them:
 * `@"a b.ts"`), `@selection`, `@problems`, `@git` or `@memory`; undefined if they cancel.
 */
export const chooseMention = async (folder: string): Promise<string | undefined> => {
  const items = async (): Promise<readonly MentionItem[]> => [...OTHERS, ...(await fileItems(folder))]
  const picked = await vscode.window.showQuickPick(items(), {
    title: 'Mention',
    placeHolder: 'A file, or what the editor has',
    matchOnDescription: true,
  })
  return picked?.mention
}

/** Returns the folder's files as rows, files that are open in editors first. Rejects if the folder can't be read. */
const fileItems = async (folder: string): Promise<readonly (MentionItem & { readonly path: string })[]> => {
  const { files } = await createWorkspaceFiles([folder]).list()
  const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => pathInFolder(uri.fsPath, folder)))
  return files
    .toSorted((one, other) => Number(open.has(other.path)) - Number(open.has(one.path)))
    .map(({ path }) => {
      const shown = neutraliseLine(path)
      const slash = shown.lastIndexOf('/')
      return {
        label: shown.slice(slash + 1),
        description: shown.slice(0, Math.max(0, slash)),
        mention: fileMention(path),
        path,
      }
    })
}

/**
 * Returns what the user chose to attach: selections, problems, or a file; empty if they cancel. Rejects if the folder
 * can't be read.
 */
export const chooseAttachments = async (folder: string): Promise<readonly AttachedPart[]> => {
  const selections = editorSelections(folder)
  const problems = editorProblems(folder)
  const items: (vscode.QuickPickItem & { readonly parts?: readonly AttachedPart[] })[] = [
    ...(selections.length === 0
      ? []
      : [
          {
            label: 'Selection',
            description: selections.map(({ path, lines }) => `${path}:${lines.first}-${lines.last}`).join(', '),
            parts: selections.map((selection) => ({ kind: 'selection', selection }) as const),
          },
        ]),
    ...(problems.length === 0
      ? []
      : [
          {
            label: 'Problems',
            description: counted(problems.length, 'problem'),
            parts: [{ kind: 'problems', problems } as const],
          },
        ]),
    { label: 'File…' },
  ]
  // Nothing but a file: no need to ask.
  const picked = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title: 'Attach' })
  if (picked === undefined) return []
  if (picked.parts !== undefined) return picked.parts
  const file = await vscode.window.showQuickPick(fileItems(folder), {
    title: 'Attach a file',
    matchOnDescription: true,
  })
  return file === undefined ? [] : [{ kind: 'file', path: file.path }]
}
