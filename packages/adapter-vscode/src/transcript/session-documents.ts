/** Sessions as documents of the editor: read-only, folded at their tools, and kept up to date while they are open. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import type { WindowStore } from '../store/window-store.ts'
import { SESSION_SCHEME, sessionAddress } from './session-address.ts'
import { createSessionReading } from './session-reading.ts'
import type { SessionReading, SessionText } from './session-reading.ts'

/** Not Markdown: a link in a transcript could run a command. */
const LANGUAGE = 'cairn-session'

interface OpenDocument {
  readonly uri: vscode.Uri
  readonly reading: SessionReading
  text: SessionText | undefined
}

export const registerSessionDocuments = (store: WindowStore): vscode.Disposable => {
  const open = new Map<string, OpenDocument>()
  const changed = new vscode.EventEmitter<vscode.Uri>()

  const documentOf = (uri: vscode.Uri): OpenDocument => {
    const key = uri.toString()
    const known = open.get(key) ?? { uri, reading: createSessionReading(uri.query), text: undefined }
    open.set(key, known)
    return known
  }

  const contentOf = async (uri: vscode.Uri): Promise<string> => {
    const document = documentOf(uri)
    try {
      const opened = await store.store()
      if (opened === undefined) return '# Cairn\n\nThe store is gone; the session shows again when the store is back.\n'
      document.text = await document.reading.read(opened)
      return document.text.text
    } catch (error) {
      return `# Cairn\n\nThe session can't be shown: ${messageOf(error)}\n`
    }
  }

  const follow = async (): Promise<void> => {
    try {
      const opened = await store.store()
      for (const { uri, reading } of open.values()) {
        if (opened === undefined || (await reading.isOutdated(opened))) changed.fire(uri)
      }
    } catch {
      // The side bar and the status bar say what is wrong; what is open can still be read.
    }
  }

  const openSession = async (sessionId: unknown): Promise<void> => {
    if (typeof sessionId !== 'string') {
      await vscode.commands.executeCommand('cairn.pickSession')
      return
    }
    try {
      const session = await (await store.store())?.sessions.get(sessionId)
      if (session === undefined) throw new Error('It is not in the store (any more).')
      const document = await vscode.workspace.openTextDocument(vscode.Uri.from(sessionAddress(session)))
      const wasOpen = vscode.window.visibleTextEditors.some((editor) => editor.document === document)
      await vscode.languages.setTextDocumentLanguage(document, LANGUAGE)
      await vscode.window.showTextDocument(document, { preview: true })
      // What is unfolded in an editor that was there stays.
      if (!wasOpen && vscode.workspace.getConfiguration('cairn').get<boolean>('sessions.foldTools', true)) await vscode.commands.executeCommand('editor.foldAllMarkerRegions')
    } catch (error) {
      void vscode.window.showErrorMessage(`The session can't be opened: ${messageOf(error)}`)
    }
  }

  const stopFollowing = store.onChange(() => void follow())
  const selector: vscode.DocumentSelector = { scheme: SESSION_SCHEME }
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SESSION_SCHEME, { onDidChange: changed.event, provideTextDocumentContent: contentOf }),
    vscode.languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: ({ uri }) =>
        open.get(uri.toString())?.text?.folds.map(({ kind, from, to }) => new vscode.FoldingRange(from, to, kind === 'tool' ? vscode.FoldingRangeKind.Region : undefined)),
    }),
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: ({ uri }) =>
        open.get(uri.toString())?.text?.landmarks.map(({ kind, label, from, to }) => {
          const range = new vscode.Range(from, 0, to, 0)
          return new vscode.DocumentSymbol(label === '' ? 'message' : label, '', kind === 'said' ? vscode.SymbolKind.String : vscode.SymbolKind.Event, range, new vscode.Range(from, 0, from, 0))
        }),
    }),
    vscode.workspace.onDidOpenTextDocument((document) => {
      // Also when the editor brings back what was open before it was closed.
      if (document.uri.scheme === SESSION_SCHEME && document.languageId !== LANGUAGE) void vscode.languages.setTextDocumentLanguage(document, LANGUAGE)
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri, languageId }) => {
      // A change of the language closes and opens a document, too.
      if (uri.scheme === SESSION_SCHEME && languageId === LANGUAGE) open.delete(uri.toString())
    }),
    vscode.commands.registerCommand('cairn.openSession', openSession),
    { dispose: stopFollowing },
  )
}
