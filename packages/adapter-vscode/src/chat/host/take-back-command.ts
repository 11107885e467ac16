/** Lets the user take the chat back to before a message, with the editor's dialogs. */
import { realPathOf } from '@cairn/core/node'
import * as vscode from 'vscode'
import { restoreDialogs } from '../../checkpoints/checkpoint-dialogs.ts'
import { restoredText } from '../../checkpoints/restore-text.ts'
import type { UserItem } from '../conversation/chat-state.ts'
import type { HostMessage } from '../messages.ts'
import type { ChatParts } from './chat-parts.ts'
import { takeBackTurn, type TakeBackDialogs, type TakeBackResult, type TakenPart } from './take-back.ts'

const UNDO = 'Undo'
const TAKE_BACK = 'Take back'

/** A row of the list of what can be undone. */
interface PartItem extends vscode.QuickPickItem {
  readonly part: TakenPart
}

const PARTS: readonly PartItem[] = [
  { part: 'both', label: 'Files and conversation', description: 'as if the message had not been sent' },
  { part: 'files', label: 'Files', description: 'the conversation stays' },
  { part: 'conversation', label: 'Conversation', description: 'the files stay' },
]

/** Returns the editor's dialogs for undoing a turn in a folder. */
const dialogsFor = (folder: string): TakeBackDialogs => ({
  choose: async () =>
    (await vscode.window.showQuickPick(PARTS, { title: 'Back to before this message', placeHolder: 'What goes back?' }))
      ?.part,
  restore: (title) => restoreDialogs(realPathOf(folder), title),
  agree: async (question, detail) =>
    (await vscode.window.showWarningMessage(question, { modal: true, detail }, TAKE_BACK)) === TAKE_BACK,
})

/** Returns which of the turns that share the message's checkpoint it began, counted from the last one, from 0. */
const fromEnd = (item: UserItem, items: ChatParts['conversation']['state']['items']): number => {
  const same = items.filter((each) => each.kind === 'user' && each.checkpointId === item.checkpointId)
  return same.length - 1 - same.indexOf(item)
}

/**
 * Undoes a turn: lets the user choose whether its files, its messages, or both go back, does so, and shows what was undone.
 * Resolves with false only if a turn is running; with true also if the item is no message with a checkpoint, or the user
 * cancels. Rejects if files or conversation can't be restored.
 */
export const takeBack = async (
  itemId: number,
  { conversation, project }: Pick<ChatParts, 'conversation' | 'project'>,
  post: (message: HostMessage) => void,
): Promise<boolean> => {
  const { session, items } = conversation.state
  const item = items.find(({ id }) => id === itemId)
  if (session === null || item?.kind !== 'user' || item.checkpointId === undefined) return true
  const { checkpointId } = item
  const { engine, folder } = await project()
  const done: { result?: TakeBackResult } = {}
  const isIdle = await conversation.whileIdle(async () => {
    const request = { sessionId: session.id, folder, checkpointId, fromEnd: fromEnd(item, items) }
    done.result = await takeBackTurn(engine, request, dialogsFor(folder))
  })
  if (!isIdle) return false
  if (done.result !== undefined) await showResult(done.result, { conversation, sessionId: session.id, folder, post })
  return true
}

/**
 * Tells the user what was undone; nothing if they cancelled. If messages went, the conversation is loaded again and the
 * message put back into the input. A restore of files is told with a button that undoes it, which is not waited for.
 */
const showResult = async (
  result: TakeBackResult,
  {
    conversation,
    sessionId,
    folder,
    post,
  }: {
    readonly conversation: ChatParts['conversation']
    readonly sessionId: string
    readonly folder: string
    readonly post: (message: HostMessage) => void
  },
): Promise<void> => {
  if (result.kind === 'cancelled') return
  if (result.kind === 'gone') {
    await vscode.window.showInformationMessage('That message is not in the conversation any more.')
    return
  }
  const { part, files, message } = result
  if (part !== 'files') {
    await conversation.open(sessionId)
    post({ type: 'restore', text: message })
  }
  if (files === undefined) {
    if (part === 'files') void vscode.window.showInformationMessage('The files are as they were then already.')
    return
  }
  const { text, isWhole } = restoredText(files.outcome, files.preview)
  const show = isWhole ? vscode.window.showInformationMessage : vscode.window.showWarningMessage
  // Not waited for: the notification stays until the user closes it.
  void show(text, ...(files.outcome.undo === null ? [] : [UNDO])).then((chosen) => {
    if (chosen === UNDO)
      void vscode.commands.executeCommand('cairn.undoRestore', { kind: 'root', id: folder, root: folder })
  })
}
