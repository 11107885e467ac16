/** Sessions as documents of the editor: read-only, folded at their tools, and kept up to date while they are open. */
import { CairnError, messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import { openEdit } from '../related/open-edit.ts'
import type { WindowStore } from '../store/window-store.ts'
import { registerCommand } from '../views/commands.ts'
import { entryAtLine } from './entry-lines.ts'
import { foldAllTools, foldAt, hasFocus } from './folding.ts'
import { revealEntry } from './reveal-entry.ts'
import { SESSION_SCHEME, sessionAddress } from './session-address.ts'
import { createSessionFile } from './session-file.ts'
import type { SessionFile } from './session-file.ts'
import type { Fold, Landmark } from './transcript.ts'

/**
 * The language of these documents, which the package's manifest assigns. Not Markdown, where a link in a transcript
 * could run a command.
 */
const LANGUAGE = 'cairn-session'

/** The sessions that the editor has open, by address. */
interface OpenSessions {
  /** The file of a session; makes it where it is not open yet. */
  fileOf(uri: vscode.Uri): SessionFile
  /** The file, where it is open. */
  get(uri: vscode.Uri): SessionFile | undefined
  close(uri: vscode.Uri): void
  /** Looks for changes in all of them. */
  follow(): void
  readonly changed: vscode.EventEmitter<vscode.FileChangeEvent[]>
}

/** No open sessions at first; `store` is where they are read from. */
const createOpenSessions = (store: WindowStore): OpenSessions => {
  const open = new Map<string, SessionFile>()
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>()
  return {
    fileOf: (uri) => {
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
    },
    get: (uri) => open.get(uri.toString()),
    close: (uri) => void open.delete(uri.toString()),
    follow: () => {
      for (const file of open.values()) void file.follow()
    },
    changed,
  }
}

/** Refuses to write: sessions are read-only here. */
const isReadOnly = (): never => {
  throw vscode.FileSystemError.NoPermissions('Sessions are only read here.')
}

/**
 * Files, not virtual documents: of a long virtual document the editor replaces all when a line is added, and forgets what
 * was folded and where it was read.
 */
const fileSystemOf = (sessions: OpenSessions): vscode.FileSystemProvider => ({
  onDidChangeFile: sessions.changed.event,
  watch: () => new vscode.Disposable(() => undefined),
  stat: async (uri) => {
    const { version, size } = await sessions.fileOf(uri).stat()
    return { type: vscode.FileType.File, ctime: 0, mtime: version, size, permissions: vscode.FilePermission.Readonly }
  },
  readFile: (uri) => sessions.fileOf(uri).content(),
  readDirectory: () => [],
  createDirectory: isReadOnly,
  writeFile: isReadOnly,
  delete: isReadOnly,
  rename: isReadOnly,
})

/** What can be folded, and the outline. */
const registerOutline = (sessions: OpenSessions): vscode.Disposable => {
  const selector: vscode.DocumentSelector = { scheme: SESSION_SCHEME }
  return vscode.Disposable.from(
    vscode.languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: ({ uri }) => sessions.get(uri)?.shown()?.folds.map(foldingRange),
    }),
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: ({ uri }) => sessions.get(uri)?.shown()?.landmarks.map(documentSymbol),
    }),
  )
}

/** A fold for the editor. Those of tools are regions, which one command folds all at once. */
const foldingRange = ({ kind, from, to }: Fold): vscode.FoldingRange =>
  new vscode.FoldingRange(from, to, kind === 'tool' ? vscode.FoldingRangeKind.Region : undefined)

/** A landmark as an item of the outline. */
const documentSymbol = ({ kind, label, from, to }: Landmark): vscode.DocumentSymbol =>
  new vscode.DocumentSymbol(
    label === '' ? 'message' : label,
    '',
    kind === 'message' ? vscode.SymbolKind.String : vscode.SymbolKind.Event,
    new vscode.Range(from, 0, to, 0),
    new vscode.Range(from, 0, from, 0),
  )

/** Whether the settings want tools folded. */
const foldsTools = (): boolean => vscode.workspace.getConfiguration('cairn').get<boolean>('sessions.foldTools', true)

/** Folds tools that have just come: what the user opened stays open. While the focus is elsewhere they wait for it. */
const foldArrivedTools = (uri: vscode.Uri, sessions: OpenSessions): void => {
  if (uri.scheme !== SESSION_SCHEME || !hasFocus(uri)) return
  const lines = sessions.get(uri)?.arrivedTools() ?? []
  if (foldsTools()) void foldAt(uri, lines)
}

/**
 * Follows what happens in editors of sessions: keeps their language, folds new tools, forgets sessions that are closed.
 */
const followEditors = (sessions: OpenSessions): vscode.Disposable =>
  vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument((document) => {
      // Else the title decides: a session entitled "Makefile" would become one.
      if (document.uri.scheme === SESSION_SCHEME && document.languageId !== LANGUAGE)
        void vscode.languages.setTextDocumentLanguage(document, LANGUAGE)
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) foldArrivedTools(document.uri, sessions)
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor !== undefined) foldArrivedTools(editor.document.uri, sessions)
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri, languageId }) => {
      // A change of the language closes and opens a document, too.
      if (uri.scheme === SESSION_SCHEME && languageId === LANGUAGE) sessions.close(uri)
    }),
  )

/** Whether a document is open in a tab. */
const isInTab = (uri: vscode.Uri): boolean =>
  vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  )

/** Opens a session in an editor, at an entry where one is given; asks for a session where no id is given. */
const openSession = async (
  [sessionId, seq]: readonly unknown[],
  store: WindowStore,
  sessions: OpenSessions,
): Promise<void> => {
  if (typeof sessionId !== 'string') {
    await vscode.commands.executeCommand('cairn.pickSession')
    return
  }
  try {
    const session = await (await store.store())?.sessions.get(sessionId)
    if (session === undefined) throw new Error('it is not in the store (any more).')
    const uri = vscode.Uri.from(sessionAddress(session))
    // An editor that was open before keeps its folds.
    const folds = !isInTab(uri) && foldsTools()
    // The second keeps the text in memory for minutes, so that going back and forth is fast.
    await Promise.all([
      vscode.commands.executeCommand('vscode.open', uri, { preview: true }),
      vscode.workspace.openTextDocument(uri),
    ])
    if (folds && hasFocus(uri)) {
      sessions.fileOf(uri).arrivedTools()
      await foldAllTools(uri)
    }
    if (typeof seq === 'number') await revealEntry(uri, seq, () => sessions.get(uri)?.shown())
  } catch (error) {
    void vscode.window.showErrorMessage(`The session can't be opened: ${messageOf(error)}`)
  }
}

/** Opens the file that the message at the cursor edited, where the active editor shows a session. */
const openEditAtCursor = async (store: WindowStore, sessions: OpenSessions): Promise<void> => {
  const editor = vscode.window.activeTextEditor
  const shown = editor === undefined ? undefined : sessions.get(editor.document.uri)?.shown()
  const opened = await store.store()
  if (editor === undefined || shown === undefined || opened === undefined)
    throw new CairnError('usage', 'open a session first, and put the cursor on a call that edits a file.')
  const entry = entryAtLine(shown, editor.selection.active.line)
  if (entry === undefined) throw new CairnError('usage', 'put the cursor on a call that edits a file.')
  await openEdit(opened, editor.document.uri.query, entry.seq)
}

/**
 * Registers sessions as documents that can only be read, with an outline, and the command that opens one; what is open
 * follows the store.
 */
export const registerSessionDocuments = (store: WindowStore): vscode.Disposable => {
  const sessions = createOpenSessions(store)
  return vscode.Disposable.from(
    sessions.changed,
    vscode.workspace.registerFileSystemProvider(SESSION_SCHEME, fileSystemOf(sessions), {
      isReadonly: true,
      isCaseSensitive: true,
    }),
    registerOutline(sessions),
    followEditors(sessions),
    vscode.commands.registerCommand('cairn.openSession', (...given: readonly unknown[]) =>
      openSession(given, store, sessions),
    ),
    registerCommand('openFileAtEdit', "The file can't be opened at this edit", () => openEditAtCursor(store, sessions)),
    { dispose: store.onChange(() => sessions.follow()) },
  )
}
