/** The view "Chat" and its commands: connects the page, the conversation and the editor. */
import { randomBytes } from 'node:crypto'
import * as vscode from 'vscode'
import { localFolders } from '../../store/open-projects.ts'
import { pageHtml } from '../../webview/page-html.ts'
import { parsePageMessage, type HostMessage, type PageMessage } from '../messages.ts'
import { answerPage } from './answer-page.ts'
import { createChatParts, type ChatDeps, type ChatParts } from './chat-parts.ts'
import { editorSelections } from './editor-context.ts'

const VIEW = 'cairn.chat'

/**
 * Registers the chat's view and commands; dispose the result to remove them and stop the turn under way. A badge counts
 * the calls that wait for approval. The store is not opened before the view is visible.
 */
export const registerChat = (deps: ChatDeps): vscode.Disposable => {
  let view: vscode.WebviewView | undefined
  const parts = createChatParts(deps, (count) => {
    if (view !== undefined)
      view.badge = count === 0 ? undefined : { value: count, tooltip: 'The chat needs your approval' }
  })
  const post = (message: HostMessage): void => void view?.webview.postMessage(message)
  const provider: vscode.WebviewViewProvider = {
    resolveWebviewView: (opened) => {
      view = opened
      showPage(opened, deps.extensionUri, parts)
      opened.onDidDispose(() => {
        if (view === opened) view = undefined
      })
    },
  }
  const focus = async (): Promise<void> => {
    await vscode.commands.executeCommand(`${VIEW}.focus`)
    post({ type: 'focus' })
  }
  const command = (name: string, message: PageMessage): vscode.Disposable =>
    vscode.commands.registerCommand(name, () => answerPage(message, parts, post))
  return vscode.Disposable.from(
    vscode.window.registerWebviewViewProvider(VIEW, provider),
    vscode.commands.registerCommand('cairn.openChat', focus),
    command('cairn.newChat', { type: 'new-session' }),
    command('cairn.chooseChatSession', { type: 'choose-session' }),
    command('cairn.chooseChatModel', { type: 'choose-model' }),
    command('cairn.setApiKey', { type: 'set-key' }),
    vscode.commands.registerCommand('cairn.addSelectionToChat', async () => {
      const folder = localFolders()[0]
      if (folder !== undefined)
        for (const selection of editorSelections(folder)) parts.attach({ kind: 'selection', selection })
      await focus()
    }),
    { dispose: () => parts.conversation.cancel() },
  )
}

/**
 * Puts the page into its view, and connects it to the conversation until the view is closed: the state is shown once
 * the page is ready, what it asks for is done, and messages that are none of its own are ignored.
 */
const showPage = ({ webview, onDidDispose }: vscode.WebviewView, extensionUri: vscode.Uri, parts: ChatParts): void => {
  const post = (message: HostMessage): void => void webview.postMessage(message)
  let detach = (): void => undefined
  const dist = vscode.Uri.joinPath(extensionUri, 'dist')
  webview.options = { enableScripts: true, localResourceRoots: [dist] }
  const listening = webview.onDidReceiveMessage((value: unknown) => {
    const message = parsePageMessage(value)
    if (message === undefined) return
    if (message.type === 'ready') {
      detach()
      detach = parts.conversation.attach(post)
      void parts.start()
    } else void answerPage(message, parts, post)
  })
  onDidDispose(() => {
    listening.dispose()
    detach()
  })
  webview.html = pageHtml({
    nonce: randomBytes(16).toString('hex'),
    title: 'Cairn chat',
    script: webview.asWebviewUri(vscode.Uri.joinPath(dist, 'chat.js')).toString(),
    style: webview.asWebviewUri(vscode.Uri.joinPath(dist, 'chat.css')).toString(),
    cspSource: webview.cspSource,
  })
}
