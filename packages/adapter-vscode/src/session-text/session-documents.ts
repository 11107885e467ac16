/** Sessions as texts of the editor: read-only, folded at their tools, and kept up to date while they are open. */
import { CairnError } from '@cairn/core'
import * as vscode from 'vscode'
import { openEdit } from '../related/open-edit.ts'
import type { SessionEditor } from '../session-page/host/session-editor.ts'
import type { SessionNode } from '../sessions/session-node.ts'
import type { WindowStore } from '../store/window-store.ts'
import { registerCommand } from '../views/commands.ts'
import { addressQueryOf, nodeOfKind } from '../views/node-of-kind.ts'
import { entryAtLine } from './entry-lines.ts'
import { foldAllTools, foldAt, hasFocus } from './folding.ts'
import { revealEntry } from './reveal-entry.ts'
import { SESSION_SCHEME, sessionAddress } from './session-address.ts'
import { createSessionFile } from './session-file.ts'
import type { SessionFile } from './session-file.ts'
import type { Fold, Landmark } from './log-text.ts'

/**
 * The language of these documents, which the package's manifest assigns. Not Markdown, where a link in a transcript
 * could run a command.
 */
const LANGUAGE = 'cairn-session'

const FAILED = "The session can't be opened"

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

/** What the commands need of the window. */
interface SessionDocumentDeps {
  readonly store: WindowStore
  readonly sessions: OpenSessions
  readonly page: Pick<SessionEditor, 'show'>
}

/**
 * Returns an empty set of open sessions, which are read from the store. `fileOf` opens one, `get` is undefined for one
 * that is not open; `follow` reads on in all.
 */
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

/**
 * Refuses every write.
 * @throws FileSystemError always
 */
const isReadOnly = (): never => {
  throw vscode.FileSystemError.NoPermissions('Sessions are only read here.')
}

/**
 * Returns the sessions as a file system that can only be read. Files, not virtual documents: of a long virtual document
 * the editor replaces all when a line is added, and forgets what was folded and where it was read.
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

/** Registers folding and the outline of sessions; dispose the result to remove them. */
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

/** Returns a fold for the editor. Those of tools are regions, which one command folds all at once. */
const foldingRange = ({ kind, from, to }: Fold): vscode.FoldingRange =>
  new vscode.FoldingRange(from, to, kind === 'tool' ? vscode.FoldingRangeKind.Region : undefined)

/**
 * Returns a landmark as an item of the outline, named by its label or else "message", with an icon for messages and
 * another for what stands between them.
 */
const documentSymbol = ({ kind, label, from, to }: Landmark): vscode.DocumentSymbol =>
  new vscode.DocumentSymbol(
    label === '' ? 'message' : label,
    '',
    kind === 'message' ? vscode.SymbolKind.String : vscode.SymbolKind.Event,
    new vscode.Range(from, 0, to, 0),
    new vscode.Range(from, 0, from, 0),
  )

/** Whether tool calls are folded at first, by the settings. */
const foldsTools = (): boolean => vscode.workspace.getConfiguration('cairn').get<boolean>('sessions.foldTools', true)

/**
 * Folds tool calls that were added since the last call, if the setting says so; what the user opened stays open. While
 * another editor has the focus, they are kept for later.
 */
const foldArrivedTools = (uri: vscode.Uri, sessions: OpenSessions): void => {
  if (uri.scheme !== SESSION_SCHEME || !hasFocus(uri)) return
  const lines = sessions.get(uri)?.arrivedTools() ?? []
  if (foldsTools()) void foldAt(uri, lines)
}

/**
 * Follows the editors of sessions: keeps their language, folds new tool calls, forgets sessions that are closed.
 * Dispose the result to stop.
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

/** Returns a session's address. Rejects with `not-found` if it is not in the store. */
const addressOf = async (sessionId: string, store: WindowStore): Promise<vscode.Uri> => {
  const session = await (await store.store())?.sessions.get(sessionId)
  if (session === undefined) throw new CairnError('not-found', 'it is not in the store (any more).')
  return vscode.Uri.from(sessionAddress(session))
}

/**
 * Opens a session, at an entry if one is given, in the editor that the user has chosen for sessions, by default its
 * page. Without an id it asks for one. Rejects with `not-found` if the session is not in the store.
 */
const openSession = async (
  [sessionId, seq]: readonly unknown[],
  { store, sessions, page }: SessionDocumentDeps,
): Promise<void> => {
  if (typeof sessionId !== 'string') {
    await vscode.commands.executeCommand('cairn.pickSession')
    return
  }
  const uri = await addressOf(sessionId, store)
  const isNew = !isInTab(uri)
  if (typeof seq === 'number') page.show(uri, seq)
  await vscode.commands.executeCommand('vscode.open', uri, { preview: true })
  // The user may have chosen the editor of texts for sessions.
  if (hasFocus(uri)) await arrangeText(uri, sessions, isNew, seq)
}

/**
 * Folds the tool calls of a text that was just opened, and scrolls to the entry if one is given. `isNew`: only then are
 * they folded.
 */
const arrangeText = async (uri: vscode.Uri, sessions: OpenSessions, isNew: boolean, seq: unknown): Promise<void> => {
  // An editor that was open before keeps its folds.
  if (isNew && foldsTools()) {
    sessions.fileOf(uri).arrivedTools()
    await foldAllTools(uri)
  }
  if (typeof seq === 'number') await revealEntry(uri, seq, () => sessions.get(uri)?.shown())
}

/**
 * Returns the id of the session that a menu or a command passes (an id, an address, or a node of the tree), otherwise
 * that of the active tab; undefined if there is none.
 */
const sessionIdOf = (given: unknown): string | undefined => {
  if (typeof given === 'string') return given
  const node = nodeOfKind<SessionNode, 'session'>(given, 'session')
  if (node !== undefined) return node.session.id
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {}
  const open = input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? input.uri : undefined
  return addressQueryOf(given, [SESSION_SCHEME]) ?? addressQueryOf(open, [SESSION_SCHEME])
}

/**
 * Opens a session as a text, at an entry if one is given; without an argument the session of the active editor. Rejects
 * with `usage` if no session is named or open, `not-found` if it is not in the store.
 */
const openAsText = async (
  [given, seq]: readonly unknown[],
  { store, sessions }: SessionDocumentDeps,
): Promise<void> => {
  const sessionId = sessionIdOf(given)
  if (sessionId === undefined) throw new CairnError('usage', 'open a session first.')
  const uri = await addressOf(sessionId, store)
  const isNew = !isInTab(uri)
  // The second keeps the text in memory for minutes, so that going back and forth is fast.
  await Promise.all([
    vscode.commands.executeCommand('vscode.openWith', uri, 'default', { preview: true }),
    vscode.workspace.openTextDocument(uri),
  ])
  if (hasFocus(uri)) await arrangeText(uri, sessions, isNew, seq)
}

/**
 * Opens the file that the message at the cursor edited. Rejects with `usage` if the active editor shows no session, or if
 * the cursor is on no such message.
 */
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
 * Registers sessions as read-only texts with an outline, and the commands that open one as a page or as a text; open
 * ones follow the store. Dispose the result to remove them.
 */
export const registerSessionDocuments = (store: WindowStore, page: Pick<SessionEditor, 'show'>): vscode.Disposable => {
  const sessions = createOpenSessions(store)
  const deps = { store, sessions, page }
  return vscode.Disposable.from(
    sessions.changed,
    vscode.workspace.registerFileSystemProvider(SESSION_SCHEME, fileSystemOf(sessions), {
      isReadonly: true,
      isCaseSensitive: true,
    }),
    registerOutline(sessions),
    followEditors(sessions),
    registerCommand('openSession', FAILED, (...given) => openSession(given, deps)),
    registerCommand('openSessionAsText', FAILED, (...given) => openAsText(given, deps)),
    registerCommand('openFileAtEdit', "The file can't be opened at this edit", () => openEditAtCursor(store, sessions)),
    { dispose: store.onChange(() => sessions.follow()) },
  )
}
