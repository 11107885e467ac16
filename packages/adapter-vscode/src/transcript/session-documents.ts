/** Sessions as documents of the editor: read-only, folded at their tools, and kept up to date while they are open. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import type { WindowStore } from '../store/window-store.ts'
import { foldAllTools, foldAt, hasFocus } from './folding.ts'
import { SESSION_SCHEME, sessionAddress } from './session-address.ts'
import { createSessionFile } from './session-file.ts'
import type { SessionFile } from './session-file.ts'

/** Not Markdown: a link in a transcript could run a command. The package's manifest gives it to these documents. */
const LANGUAGE = 'cairn-session'

export const registerSessionDocuments = (store: WindowStore): vscode.Disposable => {
  const open = new Map<string, SessionFile>()
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>()

  const fileOf = (uri: vscode.Uri): SessionFile => {
    const key = uri.toString()
    const known = open.get(key)
    if (known !== undefined) return known
    const file = createSessionFile({
      sessionId: uri.query,
      store: () => store.store(),
      onChange: () => changed.fire([{ type: vscode.FileChangeType.Changed, uri }]),
    })
    open.set(key, file)
    return file
  }

  const isReadOnly = (): never => {
    throw vscode.FileSystemError.NoPermissions('Sessions are only read here.')
  }

  /**
   * Files, not virtual documents: of a long virtual document the editor replaces all when a line is added, and forgets what
   * was folded and where it was read.
   */
  const files: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => {
      const { version, size } = await fileOf(uri).stat()
      return { type: vscode.FileType.File, ctime: 0, mtime: version, size, permissions: vscode.FilePermission.Readonly }
    },
    readFile: (uri) => fileOf(uri).content(),
    readDirectory: () => [],
    createDirectory: isReadOnly,
    writeFile: isReadOnly,
    delete: isReadOnly,
    rename: isReadOnly,
  }

  const isOpen = (uri: vscode.Uri): boolean =>
    vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
    )

  const foldsTools = (): boolean => vscode.workspace.getConfiguration('cairn').get<boolean>('sessions.foldTools', true)

  /** Only tools that have just come: what the user opened stays open. Where the focus is elsewhere they wait for it. */
  const foldArrivedTools = (uri: vscode.Uri): void => {
    if (uri.scheme !== SESSION_SCHEME || !hasFocus(uri)) return
    const lines = open.get(uri.toString())?.arrivedTools() ?? []
    if (foldsTools()) void foldAt(uri, lines)
  }

  const openSession = async (sessionId: unknown): Promise<void> => {
    if (typeof sessionId !== 'string') {
      await vscode.commands.executeCommand('cairn.pickSession')
      return
    }
    try {
      const session = await (await store.store())?.sessions.get(sessionId)
      if (session === undefined) throw new Error('it is not in the store (any more).')
      const uri = vscode.Uri.from(sessionAddress(session))
      // What is unfolded in an editor that was there stays.
      const folds = !isOpen(uri) && foldsTools()
      // The second keeps the text in memory for minutes, so that who goes back and forth does not wait.
      await Promise.all([
        vscode.commands.executeCommand('vscode.open', uri, { preview: true }),
        vscode.workspace.openTextDocument(uri),
      ])
      if (!folds || !hasFocus(uri)) return
      fileOf(uri).arrivedTools()
      await foldAllTools(uri)
    } catch (error) {
      void vscode.window.showErrorMessage(`The session can't be opened: ${messageOf(error)}`)
    }
  }

  const stopFollowing = store.onChange(() => {
    for (const file of open.values()) void file.follow()
  })
  const selector: vscode.DocumentSelector = { scheme: SESSION_SCHEME }
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerFileSystemProvider(SESSION_SCHEME, files, { isReadonly: true, isCaseSensitive: true }),
    vscode.languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: ({ uri }) =>
        open
          .get(uri.toString())
          ?.shown()
          ?.folds.map(
            ({ kind, from, to }) =>
              new vscode.FoldingRange(from, to, kind === 'tool' ? vscode.FoldingRangeKind.Region : undefined),
          ),
    }),
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: ({ uri }) =>
        open
          .get(uri.toString())
          ?.shown()
          ?.landmarks.map(({ kind, label, from, to }) => {
            const range = new vscode.Range(from, 0, to, 0)
            return new vscode.DocumentSymbol(
              label === '' ? 'message' : label,
              '',
              kind === 'said' ? vscode.SymbolKind.String : vscode.SymbolKind.Event,
              range,
              new vscode.Range(from, 0, from, 0),
            )
          }),
    }),
    vscode.workspace.onDidOpenTextDocument((document) => {
      // A session entitled "Makefile" would be taken for one.
      if (document.uri.scheme === SESSION_SCHEME && document.languageId !== LANGUAGE)
        void vscode.languages.setTextDocumentLanguage(document, LANGUAGE)
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) foldArrivedTools(document.uri)
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor !== undefined) foldArrivedTools(editor.document.uri)
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri, languageId }) => {
      // A change of the language closes and opens a document, too.
      if (uri.scheme === SESSION_SCHEME && languageId === LANGUAGE) open.delete(uri.toString())
    }),
    vscode.commands.registerCommand('cairn.openSession', openSession),
    { dispose: stopFollowing },
  )
}
