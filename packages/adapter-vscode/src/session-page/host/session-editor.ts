/** The editor of sessions: a page for each, connected to the store. */
import { randomBytes } from 'node:crypto'
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import { openEdit } from '../../related/open-edit.ts'
import { localFolders } from '../../store/open-projects.ts'
import type { WindowEngine } from '../../store/window-engine.ts'
import type { WindowStore } from '../../store/window-store.ts'
import { openAddress } from '../../webview/host/open-address.ts'
import { pageHtml } from '../../webview/page-html.ts'
import { parsePageMessage } from '../messages.ts'
import type { PageMessage } from '../messages.ts'
import { entryLink } from './entry-link.ts'
import { createSessionPanel } from './session-panel.ts'
import type { SessionPanel, SessionQuestion } from './session-panel.ts'

/** The manifest names it, with the addresses that it opens. */
const VIEW_TYPE = 'cairn.session'

/** What the editor of sessions needs of the window. */
export interface SessionEditorDeps {
  readonly store: Pick<WindowStore, 'store' | 'onChange'>
  readonly engine: WindowEngine
  readonly extensionUri: vscode.Uri
}

/** The editor that shows sessions as pages. */
export interface SessionEditor {
  /** Has the pages of a session go to an entry: those that are open, or the next one that is opened. */
  show(uri: vscode.Uri, seq: number): void
  dispose(): void
}

/** A page that is open. */
interface OpenPanel {
  readonly key: string
  readonly panel: vscode.WebviewPanel
  readonly session: SessionPanel
}

/** A page that is hidden is thrown away, and begins again where it was. */
const OPTIONS = {
  supportsMultipleEditorsPerDocument: true,
  webviewOptions: { enableFindWidget: true, retainContextWhenHidden: false },
}

/** Whether tool calls are folded at first, by the settings. */
const foldsTools = (): boolean => vscode.workspace.getConfiguration('cairn').get<boolean>('sessions.foldTools', true)

/** Does what needs the editor: clipboard, links, documents. Rejects with what failed. */
const performInEditor = async (
  message: Exclude<PageMessage, SessionQuestion>,
  uri: vscode.Uri,
  { store }: SessionEditorDeps,
): Promise<void> => {
  switch (message.type) {
    case 'copy':
      await vscode.env.clipboard.writeText(message.text)
      return
    case 'copy-link':
      await vscode.env.clipboard.writeText(entryLink(vscode.env.uriScheme, uri.query, message.seq))
      return
    case 'open-link':
      await openAddress(message.address, localFolders()[0])
      return
    case 'open-edit': {
      const opened = await store.store()
      if (opened !== undefined) await openEdit(opened, uri.query, message.seq)
      return
    }
    case 'open-as-text':
      await vscode.commands.executeCommand('cairn.openSessionAsText', uri.query, message.seq)
      return
    case 'open-dashboard':
      await vscode.commands.executeCommand('cairn.openInDashboard', uri)
  }
}

/** Puts the page into its panel, with scripts and images of data alone. */
const showPage = ({ webview }: vscode.WebviewPanel, extensionUri: vscode.Uri): void => {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist')
  webview.options = { enableScripts: true, localResourceRoots: [dist] }
  webview.html = pageHtml({
    nonce: randomBytes(16).toString('hex'),
    title: 'Cairn session',
    script: webview.asWebviewUri(vscode.Uri.joinPath(dist, 'session.js')).toString(),
    style: webview.asWebviewUri(vscode.Uri.joinPath(dist, 'session.css')).toString(),
    cspSource: webview.cspSource,
    showsImages: true,
  })
}

/**
 * Does what the page asks for. Never rejects: a failure is shown by the page or the editor. What the session answers
 * itself goes there, all else to the editor.
 */
const answer = async (
  message: PageMessage,
  uri: vscode.Uri,
  session: SessionPanel,
  deps: SessionEditorDeps,
): Promise<void> => {
  switch (message.type) {
    case 'ready':
    case 'entries':
    case 'outline':
    case 'text':
    case 'image':
    case 'find':
      await session.answer(message)
      return
    default:
      try {
        await performInEditor(message, uri, deps)
      } catch (error) {
        void vscode.window.showErrorMessage(messageOf(error))
      }
  }
}

/**
 * Registers the editor; its visible pages follow the store. Dispose the result to remove it. `show` scrolls to an
 * entry, of a page not open yet once it is.
 */
export const registerSessionEditor = (deps: SessionEditorDeps): SessionEditor => {
  const { store, engine, extensionUri } = deps
  const panels = new Set<OpenPanel>()
  const wanted = new Map<string, number>()

  const connect = (uri: vscode.Uri, panel: vscode.WebviewPanel): void => {
    const key = uri.toString()
    const session = createSessionPanel({
      sessionId: uri.query,
      source: () => engine.engine(),
      post: (message) => void panel.webview.postMessage(message),
      foldsTools,
    })
    const open = { key, panel, session }
    panels.add(open)
    const seq = wanted.get(key)
    if (seq !== undefined) session.show(seq)
    wanted.delete(key)
    const listening = vscode.Disposable.from(
      panel.webview.onDidReceiveMessage((value: unknown) => {
        const message = parsePageMessage(value)
        if (message !== undefined) void answer(message, uri, session, deps)
      }),
      panel.onDidChangeViewState(() => {
        // The editor throws hidden pages away.
        if (!panel.visible) session.pageGone()
      }),
    )
    panel.onDidDispose(() => {
      listening.dispose()
      panels.delete(open)
    })
    showPage(panel, extensionUri)
  }
  const registered = vscode.Disposable.from(
    vscode.window.registerCustomEditorProvider(
      VIEW_TYPE,
      {
        openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
        resolveCustomEditor: ({ uri }, panel) => connect(uri, panel),
      },
      OPTIONS,
    ),
    {
      dispose: store.onChange(() => {
        for (const { panel, session } of panels) if (panel.visible) void session.follow()
      }),
    },
  )
  return {
    show: (uri, seq) => {
      const key = uri.toString()
      const open = [...panels].filter((each) => each.key === key)
      if (open.length === 0) wanted.set(key, seq)
      for (const { session } of open) session.show(seq)
    },
    dispose: () => {
      registered.dispose()
    },
  }
}
