/** Does what the page, or a command in its place, asks for. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import { localFolders } from '../../store/open-projects.ts'
import type { HostMessage, PageMessage } from '../messages.ts'
import type { ChatParts } from './chat-parts.ts'
import { chooseAttachments, chooseChatSession, chooseMention } from './choose-from-workspace.ts'
import { chooseModel, setApiKey } from './choose-model.ts'
import { openAddress } from '../../webview/host/open-address.ts'
import { takeBack } from './take-back-command.ts'

/** Sends a message to the page. */
type Post = (message: HostMessage) => void

/** Does what a message of the page asks for. Never rejects: a failure is shown as the editor's error message. */
export const answerPage = async (message: PageMessage, parts: ChatParts, post: Post): Promise<void> => {
  try {
    await perform(message, parts, post)
  } catch (error) {
    await vscode.window.showErrorMessage(messageOf(error))
  }
}

const BUSY = 'A turn is under way; stop it first, or wait for its end.'

/**
 * Handles the messages about the conversation; the rest is passed to {@link performInEditor}. A message that begins a
 * turn is handled when the turn has ended; what fails in it is shown in the chat. Rejects with what else fails. What
 * can't be done while a turn is under way is not done, and the user is told.
 */
const perform = async (message: PageMessage, parts: ChatParts, post: Post): Promise<void> => {
  const { conversation } = parts
  switch (message.type) {
    case 'ready':
      return
    case 'send':
      await conversation.send(message.text)
      return
    case 'resume':
      await conversation.resume()
      return
    case 'cancel':
      conversation.cancel()
      return
    case 'answer': {
      const { callId, decision, feedback } = message
      const answer = decision === 'deny' ? { decision, ...(feedback === undefined ? {} : { feedback }) } : { decision }
      conversation.answer(callId, answer)
      return
    }
    case 'mode':
      await parts.setMode(message.mode)
      return
    case 'new-session':
      if (!conversation.clear()) await vscode.window.showInformationMessage(BUSY)
      return
    case 'choose-session':
      await chooseSession(parts)
      return
    case 'take-back':
      if (!(await takeBack(message.itemId, parts, post))) await vscode.window.showInformationMessage(BUSY)
      return
    default:
      await performInEditor(message, parts, post)
  }
}

type EditorMessage = Extract<
  PageMessage,
  {
    type:
      'choose-model' | 'set-key' | 'show-session' | 'mention' | 'attach' | 'detach' | 'copy' | 'open-link' | 'open-diff'
  }
>

/**
 * Handles the messages that need the editor: choices, the clipboard, documents, links. Rejects with what failed.
 * Without a local folder there is nothing to mention or attach.
 */
const performInEditor = async (message: EditorMessage, parts: ChatParts, post: Post): Promise<void> => {
  const folder = localFolders()[0]
  switch (message.type) {
    case 'choose-model': {
      const choice = await chooseModel(parts.keys, parts.conversation.state.mode)
      if (choice !== undefined) await parts.setModel(choice)
      return
    }
    case 'set-key':
      await setApiKey(parts.keys)
      return
    case 'show-session':
      await showSession(parts)
      return
    case 'mention': {
      const mention = folder === undefined ? undefined : await chooseMention(folder)
      post(mention === undefined ? { type: 'focus' } : { type: 'insert', text: `${mention} ` })
      return
    }
    case 'attach':
      if (folder !== undefined) for (const part of await chooseAttachments(folder)) parts.attach(part)
      post({ type: 'focus' })
      return
    case 'detach':
      parts.detach(message.id)
      return
    case 'copy':
      await vscode.env.clipboard.writeText(message.text)
      return
    case 'open-link':
      await openAddress(message.address, folder)
      return
    case 'open-diff':
      await openDiff(message.itemId, parts)
  }
}

/** Lets the user choose a session and opens it in the chat; does nothing if they cancel. */
const chooseSession = async (parts: ChatParts): Promise<void> => {
  const project = await parts.project()
  const id = await chooseChatSession(project.engine.store.sessions, project.workspace)
  if (id !== undefined && !(await parts.conversation.open(id))) await vscode.window.showInformationMessage(BUSY)
}

/** Opens the whole session that is shown as a document; does nothing without a session. */
const showSession = async ({ conversation }: ChatParts): Promise<void> => {
  const { session } = conversation.state
  if (session !== null) await vscode.commands.executeCommand('cairn.openSession', session.id)
}

/** Opens a call's diff in an editor; does nothing for an item without one. */
const openDiff = async (itemId: number, { conversation }: ChatParts): Promise<void> => {
  const item = conversation.state.items.find(({ id }) => id === itemId)
  if (item?.kind !== 'tool' || item.diff === undefined) return
  const document = await vscode.workspace.openTextDocument({ content: item.diff, language: 'diff' })
  await vscode.window.showTextDocument(document, { preview: true })
}
