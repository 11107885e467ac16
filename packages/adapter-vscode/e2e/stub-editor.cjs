// Stands in for the editor's extension host: loads the extension of a folder with as much of the `vscode` module as it
// uses, and prints what it would show, a JSON document a line. Commands are read from stdin, one a line, as JSON: their
// name and arguments. `node stub-editor.cjs <extension folder> <opened folder> [settings as JSON]`
const Module = require('node:module')
const { readFile } = require('node:fs/promises')
const { join } = require('node:path')

const [extensionFolder, openedFolder, settingsText = '{}'] = process.argv.slice(2)
const settings = JSON.parse(settingsText)
const manifest = require(join(extensionFolder, 'package.json'))
const plain = (_key, value) => (typeof value === 'bigint' ? String(value) : value)
const print = (what) => process.stdout.write(`${JSON.stringify(what, plain)}\n`)

const statusItem = (id) => ({
  show: () => undefined,
  hide: () => print({ item: id, hidden: true }),
  dispose: () => undefined,
  set text(text) {
    this.shown = text
  },
  // The last that is set of a state, so the whole is printed here.
  set accessibilityInformation({ label }) {
    print({ item: id, status: this.shown, label, tooltip: this.tooltip?.parts[0] })
  },
})

const commands = new Map()
const providers = new Map()
const files = new Map()
const none = () => ({ dispose: () => undefined })
class Plain {
  constructor(...parts) {
    this.parts = parts
  }
}

class EventEmitter {
  listeners = []
  event = (listener) => (this.listeners.push(listener), none())
  fire(value) {
    for (const listener of this.listeners) listener(value)
  }
  dispose() {}
}

class Disposable {
  static from(...all) {
    return { dispose: () => all.forEach((one) => one.dispose()) }
  }
}

/** Shows what is unfolded, again after each change, as the editor does. */
const showTree = (provider) => {
  const show = async () => {
    const tops = await provider.getChildren()
    const rows = []
    for (const top of tops) {
      const { label, description, collapsibleState } = provider.getTreeItem(top)
      const below =
        collapsibleState === 2 ? (await provider.getChildren(top)).map((node) => provider.getTreeItem(node)) : []
      rows.push({
        label,
        description,
        sessions: below.map(({ label, description, command }) => ({ label, description, command })),
      })
    }
    print({ tree: rows })
  }
  provider.onDidChangeTreeData(() => void show())
}

/** Shows what is at the top of any other view, again after each change; what is below a node is asked for by `stub.children`. */
const below = new Map()
const showView = (view, provider) => {
  const items = async (node) =>
    (await provider.getChildren(node)).map((node) => {
      const { label, description, contextValue, command, accessibilityInformation } = provider.getTreeItem(node)
      return {
        label,
        description,
        contextValue,
        command: command?.command,
        spoken: accessibilityInformation?.label,
        node,
      }
    })
  const show = async () => print({ view, items: await items() })
  below.set(view, async (node, ticket) => print({ ticket, items: await items(node) }))
  provider.onDidChangeTreeData(() => void show())
  void show()
}

/** Views that are pages: `stub.page` opens one, `stub.post` says something as it; what it is told is printed. */
const webviewViews = new Map()
const openPage = (view) => {
  const listeners = []
  const webview = {
    cspSource: 'https://stub.example',
    asWebviewUri: (uri) => uri,
    onDidReceiveMessage: (listener) => (listeners.push(listener), none()),
    postMessage: (told) => print({ told }),
    set html(html) {
      print({ page: view, html })
    },
  }
  webviewViews.get(view).resolveWebviewView({ webview, onDidDispose: none })
  said.set(view, (message) => listeners.forEach((listener) => listener(message)))
}
const said = new Map()

/** Editors of the extension's own, as pages: one is opened where its scheme is; what it is told is printed. */
const customEditors = new Map()
const openCustom = async (uri) => {
  const { type, provider } = customEditors.get(uri.scheme)
  const listeners = []
  const webview = {
    cspSource: 'https://stub.example',
    asWebviewUri: (uri) => uri,
    onDidReceiveMessage: (listener) => (listeners.push(listener), none()),
    postMessage: (told) => print({ told }),
    set html(html) {
      print({ page: type, html, title: uri.path })
    },
  }
  const panel = { webview, visible: true, onDidChangeViewState: none, onDidDispose: none }
  said.set(type, (message) => listeners.forEach((listener) => listener(message)))
  await provider.resolveCustomEditor(await provider.openCustomDocument(uri), panel)
}

/** What the user will answer, the next first: nothing here waits for anybody. */
const answers = []
const asked = (what) => (print({ asked: what }), answers.shift())

/** A list that follows what is typed: `stub.type` types, `stub.pick` takes the item of a label, or presses its button. */
let quickPick
const createQuickPick = () => {
  const events = Object.fromEntries(
    ['ChangeValue', 'TriggerButton', 'TriggerItemButton', 'Accept', 'Hide'].map((name) => [name, new EventEmitter()]),
  )
  let shown = []
  const made = {
    value: '',
    selectedItems: [],
    events,
    ...Object.fromEntries(Object.entries(events).map(([name, { event }]) => [`onDid${name}`, event])),
    get items() {
      return shown
    },
    set items(items) {
      shown = items
      print({
        picks: made.title,
        typed: made.value,
        items: items.map(({ label, description, detail, kind }) => ({ label, description, detail, kind })),
      })
    },
    show: () => (quickPick = made),
    hide: () => events.Hide.fire(),
    dispose: () => undefined,
  }
  return made
}
const typeInto = (text) => {
  quickPick.value = text
  quickPick.events.ChangeValue.fire(text)
}
const pick = (label, pressesButton) => {
  const item = quickPick.items.find((each) => each.label === label)
  if (pressesButton) return quickPick.events.TriggerItemButton.fire({ item, button: item.buttons[0] })
  quickPick.selectedItems = [item]
  quickPick.events.Accept.fire()
}
const pressButton = (index) => quickPick.events.TriggerButton.fire(quickPick.buttons[index])

/** As the editor reads either side of a comparison. */
const contentOf = async (uri) => {
  if (uri === undefined) return undefined
  if (uri.scheme === 'file') return readFile(uri.fsPath, 'utf8')
  const [file, document] = [files.get(uri.scheme), providers.get(uri.scheme)]
  if (file !== undefined) return new TextDecoder().decode(await file.readFile(uri))
  return document.provideTextDocumentContent(uri)
}

const run = {
  'vscode.open': (uri, options) => (customEditors.has(uri.scheme) ? openCustom(uri) : openFile(uri, options)),
  'vscode.openWith': (uri, _editor, options) => openFile(uri, options),
  'vscode.diff': async (before, now, title) =>
    print({ diff: title, before: await contentOf(before), now: await contentOf(now) }),
  'vscode.changes': async (title, resources) =>
    print({
      changes: title,
      sides: await Promise.all(
        resources.map(async ([, before, now]) => [(await contentOf(before)) ?? null, (await contentOf(now)) ?? null]),
      ),
    }),
  setContext: (key, value) => print({ context: key, value }),
}

/** As the editor opens a file: it asks what the file is, then for what stands in it. */
const openFile = async (uri, { selection } = {}) => {
  if (uri.scheme === 'file') return print({ opened: uri.fsPath, lines: selection?.parts })
  const provider = files.get(uri.scheme)
  await provider.stat(uri)
  print({ document: new TextDecoder().decode(await provider.readFile(uri)) })
}

/** As the editor saves what was typed into a file that an extension serves. */
const save = async (parts, text) => {
  const uri = uriOf(parts)
  try {
    await files.get(uri.scheme).writeFile(uri, new TextEncoder().encode(text), { create: false, overwrite: true })
    print({ saved: text })
  } catch (error) {
    print({ notSaved: error.message })
  }
}

const uriOf = (parts) => ({ ...parts, toString: () => `${parts.scheme}:${parts.path}?${parts.query ?? ''}` })

const vscode = {
  Uri: {
    from: uriOf,
    file: (fsPath) => uriOf({ scheme: 'file', path: fsPath, fsPath }),
    parse: (whole) => ({ whole }),
    joinPath: (uri, ...parts) => uriOf({ ...uri, path: [uri.path, ...parts].join('/') }),
  },
  StatusBarAlignment: { Left: 1, Right: 2 },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  ProgressLocation: { Notification: 15 },
  FoldingRangeKind: { Region: 3 },
  FileSystemError: {
    FileNotFound: () => new Error('FileNotFound'),
    NoPermissions: (message) => new Error(message),
  },
  FileType: { File: 1 },
  FilePermission: { Readonly: 1 },
  FileChangeType: { Changed: 1 },
  ConfigurationTarget: { Global: 1 },
  MarkdownString: Plain,
  ThemeColor: Plain,
  ThemeIcon: class extends Plain {
    static File = new Plain('file')
  },
  Range: Plain,
  QuickPickItemKind: { Separator: -1 },
  TabInputText: Plain,
  TabInputCustom: Plain,
  TreeItem: class {
    constructor(label, collapsibleState = 0) {
      Object.assign(this, { label, collapsibleState })
    }
  },
  EventEmitter,
  Disposable,
  window: {
    tabGroups: { all: [], activeTabGroup: {} },
    onDidChangeWindowState: none,
    onDidChangeActiveTextEditor: none,
    createStatusBarItem: statusItem,
    createOutputChannel: () => ({
      appendLine: (line) => print({ log: line }),
      show: () => undefined,
      dispose: () => undefined,
    }),
    createTreeView: (id, { treeDataProvider }) => {
      if (id === 'cairn.sessions') showTree(treeDataProvider)
      // After the part that makes it has its view, as in the editor.
      else setImmediate(() => showView(id, treeDataProvider))
      return { visible: true, onDidExpandElement: none, onDidChangeVisibility: none, dispose: () => undefined }
    },
    registerFileDecorationProvider: none,
    registerUriHandler: ({ handleUri }) => (commands.set('stub.uri', handleUri), none()),
    registerCustomEditorProvider: (type, provider) => {
      const { selector } = manifest.contributes.customEditors.find(({ viewType }) => viewType === type)
      for (const { filenamePattern } of selector)
        customEditors.set(filenamePattern.slice(0, filenamePattern.indexOf(':')), { type, provider })
      return none()
    },
    registerWebviewViewProvider: (view, provider) => {
      webviewViews.set(view, provider)
      return none()
    },
    showInputBox: async ({ title }) => asked(title),
    createQuickPick,
    setStatusBarMessage: (message) => print({ message }),
    showQuickPick: async (offered, { title, canPickMany }) => {
      const items = await offered
      print({ picks: title, items: items.map(({ label, description, detail }) => ({ label, description, detail })) })
      const answer = asked(title)
      if (canPickMany && answer !== undefined) return items.filter(({ label }) => answer.includes(label))
      return items.find(({ label }) => label === answer)
    },
    showWarningMessage: async (message, { detail } = {}) =>
      detail === undefined ? print({ warning: message }) : asked(`${message}\n${detail}`),
    showTextDocument: async (document) => print({ document: await document.text }),
    showInformationMessage: async (message) => print({ message }),
    showErrorMessage: async (message) => print({ error: message }),
    withProgress: (_options, task) => task({ report: () => undefined }, { onCancellationRequested: none }),
  },
  workspace: {
    isTrusted: settings.trusted !== false,
    textDocuments: [],
    createFileSystemWatcher: () => ({ onDidChange: none, onDidCreate: none, onDidDelete: none, ...none() }),
    fs: { readFile: async (uri) => new TextEncoder().encode(await contentOf(uri)) },
    getWorkspaceFolder: ({ fsPath }) =>
      fsPath?.startsWith(openedFolder) ? { uri: { scheme: 'file', fsPath: openedFolder } } : undefined,
    workspaceFolders: [{ uri: { scheme: 'file', fsPath: openedFolder } }],
    getConfiguration: () => ({ get: (key, otherwise) => settings[key] ?? otherwise }),
    registerFileSystemProvider: (scheme, provider) => (files.set(scheme, provider), none()),
    registerTextDocumentContentProvider: (scheme, provider) => (providers.set(scheme, provider), none()),
    openTextDocument: async (uri) => ({ uri, text: providers.get(uri.scheme).provideTextDocumentContent(uri) }),
    onDidChangeConfiguration: none,
    onDidChangeWorkspaceFolders: none,
    onDidGrantWorkspaceTrust: none,
    onDidOpenTextDocument: none,
    onDidChangeTextDocument: none,
    onDidCloseTextDocument: none,
  },
  commands: {
    registerCommand: (name, run) => (commands.set(name, run), none()),
    executeCommand: async (name, ...args) => (run[name] ?? commands.get(name))?.(...args),
  },
  env: {
    uriScheme: 'vscode',
    clipboard: { writeText: async (copied) => print({ copied }) },
    openExternal: async (uri) => print({ external: uri.whole }),
  },
  languages: {
    getDiagnostics: () => [],
    setTextDocumentLanguage: async () => undefined,
    registerFoldingRangeProvider: none,
    registerDocumentSymbolProvider: none,
    registerDocumentLinkProvider: none,
  },
}

const load = Module._load
Module._load = (request, ...rest) => (request === 'vscode' ? vscode : load(request, ...rest))

const memento = new Map()
const secrets = new Map()
const context = {
  subscriptions: [],
  secrets: {
    get: async (key) => secrets.get(key),
    store: async (key, value) => void secrets.set(key, value),
    delete: async (key) => void secrets.delete(key),
  },
  extension: { id: 'cairn.cairn-vscode' },
  extensionUri: uriOf({ scheme: 'file', path: extensionFolder, fsPath: extensionFolder }),
  globalStorageUri: vscode.Uri.file(join(openedFolder, '..', 'global storage')),
  environmentVariableCollection: { clear: () => undefined, append: (name, value) => print({ variable: name, value }) },
  workspaceState: {
    get: (key) => memento.get(key),
    update: async (key, value) => void (value === undefined ? memento.delete(key) : memento.set(key, value)),
  },
}
const extension = require(join(extensionFolder, 'dist', 'extension.cjs'))
void extension.activate(context).then(() => print({ activated: true }))

let typed = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (text) => {
  const lines = (typed + text).split('\n')
  typed = lines.pop()
  for (const line of lines) {
    const { command, args } = JSON.parse(line)
    if (command === 'stub.answer') answers.push(...args)
    else if (command === 'stub.commands') print({ commands: [...commands.keys()] })
    else if (command === 'stub.page') openPage(args[0])
    else if (command === 'stub.post') said.get(args[0])(args[1])
    else if (command === 'stub.type') typeInto(args[0])
    else if (command === 'stub.pick') pick(...args)
    else if (command === 'stub.press') pressButton(args[0])
    else if (command === 'stub.save') void save(...args)
    else if (command === 'stub.children') void below.get(args[0])(args[1], args[2])
    else void commands.get(command)(...args)
  }
})
process.stdin.on('end', () => {
  for (const one of context.subscriptions) one.dispose()
  void extension.deactivate()
  // Whatever still runs now would keep the editor's window open.
  setTimeout(() => process.exit(3), 5_000).unref()
})
