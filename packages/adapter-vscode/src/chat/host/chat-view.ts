/** The view "Chat" and its commands: connects the page, the conversation and the editor. */
import { randomBytes } from 'node:crypto'
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import { localFolders } from '../../store/open-projects.ts'
import { pageHtml } from '../page-html.ts'
import { parsePageMessage, type HostMessage, type PageMessage } from '../messages.ts'
import { createChatParts, type ChatDeps, type ChatParts } from './chat-parts.ts'
import { chooseAttachments, chooseChatSession, chooseMention } from './choose-from-workspace.ts'
import { chooseModel, setApiKey } from './choose-model.ts'
import { editorSelections } from './editor-context.ts'
import { openAddress } from './open-address.ts'

const VIEW = 'cairn.chat'

/** Registers the view and its commands. Nothing of the store is opened before the view is seen. */
export const registerChat = (deps: ChatDeps): vscode.Disposable => {
  let view: vscode.WebviewView | undefined
  const setWaiting = (count: number): void => {
    if (view === undefined) return
    view.badge = count === 0 ? undefined : { value: count, tooltip: 'The chat needs your approval' }
  }
  const parts = createChatParts(deps, setWaiting)
  const { conversation } = parts
  const post = (message: HostMessage): void => void view?.webview.postMessage(message)

  const provider: vscode.WebviewViewProvider = {
    resolveWebviewView: (opened) => {
      view = opened
      let detach = (): void => undefined
      const dist = vscode.Uri.joinPath(deps.extensionUri, 'dist')
      const { webview } = opened
      webview.options = { enableScripts: true, localResourceRoots: [dist] }
      const listening = webview.onDidReceiveMessage((value: unknown) => {
        const message = parsePageMessage(value)
        if (message === undefined) return
        if (message.type === 'ready') {
          detach()
          detach = conversation.attach((told) => void webview.postMessage(told))
          void parts.start()
        } else void act(message, parts, post)
      })
      opened.onDidDispose(() => {
        listening.dispose()
        detach()
        if (view === opened) view = undefined
      })
      webview.html = pageHtml({
        nonce: randomBytes(16).toString('hex'),
        script: webview.asWebviewUri(vscode.Uri.joinPath(dist, 'chat.js')).toString(),
        style: webview.asWebviewUri(vscode.Uri.joinPath(dist, 'chat.css')).toString(),
        cspSource: webview.cspSource,
      })
    },
  }

  const focus = async (): Promise<void> => {
    await vscode.commands.executeCommand(`${VIEW}.focus`)
    post({ type: 'focus' })
  }
  const command = (name: string, run: (...args: never[]) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(name, run)
  return vscode.Disposable.from(
    vscode.window.registerWebviewViewProvider(VIEW, provider),
    command('cairn.openChat', focus),
    command('cairn.newChat', async () => {
      await act({ type: 'new-session' }, parts, post)
      await focus()
    }),
    command('cairn.chooseChatSession', async () => {
      await act({ type: 'choose-session' }, parts, post)
      await focus()
    }),
    command('cairn.chooseChatModel', () => act({ type: 'choose-model' }, parts, post)),
    command('cairn.setApiKey', () => setApiKey(parts.keys)),
    command('cairn.addSelectionToChat', async () => {
      const folder = localFolders()[0]
      if (folder !== undefined)
        for (const selection of editorSelections(folder)) parts.attach({ kind: 'selection', selection })
      await focus()
    }),
    { dispose: () => conversation.cancel() },
  )
}

/** Does what the page asks for; what fails is said as a message of the editor. */
const act = async (message: PageMessage, parts: ChatParts, post: (message: HostMessage) => void): Promise<void> => {
  try {
    await perform(message, parts, post)
  } catch (error) {
    await vscode.window.showErrorMessage(messageOf(error))
  }
}

const BUSY = 'A turn is under way; stop it first, or wait for its end.'

const perform = async (
  message: PageMessage,
  parts: ChatParts,
  post: (message: HostMessage) => void,
): Promise<unknown> => {
  const { conversation } = parts
  const folder = localFolders()[0]
  switch (message.type) {
    case 'ready':
      return undefined
    case 'send':
      return conversation.send(message.text)
    case 'resume':
      return conversation.resume()
    case 'cancel':
      return conversation.cancel()
    case 'answer': {
      const { callId, decision, feedback } = message
      const answer = decision === 'deny' ? { decision, ...(feedback === undefined ? {} : { feedback }) } : { decision }
      return conversation.answer(callId, answer)
    }
    case 'mode':
      return parts.setMode(message.mode)
    case 'choose-model': {
      const choice = await chooseModel(parts.keys, conversation.state.mode)
      return choice === undefined ? undefined : parts.setModel(choice)
    }
    case 'set-key':
      return setApiKey(parts.keys)
    case 'new-session':
      return conversation.clear() ? undefined : vscode.window.showInformationMessage(BUSY)
    case 'choose-session':
      return chooseSession(parts)
    case 'show-session':
      return showSession(parts)
    case 'mention': {
      const mention = folder === undefined ? undefined : await chooseMention(folder)
      return post(mention === undefined ? { type: 'focus' } : { type: 'insert', text: `${mention} ` })
    }
    case 'attach':
      if (folder !== undefined) for (const part of await chooseAttachments(folder)) parts.attach(part)
      return post({ type: 'focus' })
    case 'detach':
      return parts.detach(message.id)
    case 'copy':
      return vscode.env.clipboard.writeText(message.text)
    case 'open-link':
      return openAddress(message.address, folder)
    case 'open-diff':
      return openDiff(message.itemId, parts)
  }
}

const chooseSession = async (parts: ChatParts): Promise<void> => {
  const project = await parts.project()
  const id = await chooseChatSession(project.engine.store.sessions, project.workspace)
  if (id !== undefined && !(await parts.conversation.open(id))) await vscode.window.showInformationMessage(BUSY)
}

/** All of the session that is shown, as a document. */
const showSession = async ({ conversation }: ChatParts): Promise<void> => {
  const { session } = conversation.state
  if (session !== null) await vscode.commands.executeCommand('cairn.openSession', session.id)
}

/** The diff of a call in an editor, where it can be searched and is coloured. */
const openDiff = async (itemId: number, { conversation }: ChatParts): Promise<void> => {
  const item = conversation.state.items.find(({ id }) => id === itemId)
  if (item?.kind !== 'tool' || item.diff === undefined) return
  const document = await vscode.workspace.openTextDocument({ content: item.diff, language: 'diff' })
  await vscode.window.showTextDocument(document, { preview: true })
}
