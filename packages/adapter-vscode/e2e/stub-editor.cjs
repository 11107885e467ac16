// Stands in for the editor's extension host: loads the extension of a folder with as much of the `vscode` module as it
// uses, and prints what it would show, a JSON document a line. `node stub-editor.cjs <extension folder> <opened folder>`
const Module = require('node:module')
const { join } = require('node:path')

const [extensionFolder, openedFolder] = process.argv.slice(2)
const print = (what) => process.stdout.write(`${JSON.stringify(what)}\n`)

const item = {
  show: () => undefined,
  dispose: () => undefined,
  set text(text) {
    this.shown = text
  },
  // The last that is set of a state, so the whole is printed here.
  set accessibilityInformation({ label }) {
    print({ status: this.shown, label })
  },
}

const commands = new Map()
const providers = new Map()
const none = () => ({ dispose: () => undefined })

const vscode = {
  Uri: { from: (parts) => ({ ...parts, toString: () => `${parts.scheme}:${parts.path}` }) },
  StatusBarAlignment: { Left: 1, Right: 2 },
  MarkdownString: class {
    constructor(value) {
      this.value = value
    }
  },
  ThemeColor: class {},
  EventEmitter: class {
    event = none
    fire() {}
    dispose() {}
  },
  window: { createStatusBarItem: () => item, showTextDocument: async (document) => print({ document: await document.text }) },
  workspace: {
    isTrusted: true,
    workspaceFolders: [{ uri: { scheme: 'file', fsPath: openedFolder } }],
    getConfiguration: () => ({ get: (_key, otherwise) => otherwise }),
    registerTextDocumentContentProvider: (scheme, provider) => (providers.set(scheme, provider), none()),
    openTextDocument: async (uri) => ({ text: providers.get(uri.scheme).provideTextDocumentContent(uri) }),
    onDidChangeConfiguration: none,
    onDidChangeWorkspaceFolders: none,
    onDidGrantWorkspaceTrust: none,
  },
  commands: { registerCommand: (name, run) => (commands.set(name, run), none()) },
  languages: { setTextDocumentLanguage: async () => undefined },
}

const load = Module._load
Module._load = (request, ...rest) => (request === 'vscode' ? vscode : load(request, ...rest))

const context = { subscriptions: [] }
require(join(extensionFolder, 'dist', 'extension.cjs')).activate(context)

process.stdin.setEncoding('utf8')
process.stdin.on('data', (line) => void commands.get(line.trim())())
process.stdin.on('end', () => {
  for (const one of context.subscriptions) one.dispose()
  // Whatever still runs now would keep the editor's window open.
  setTimeout(() => process.exit(3), 5_000).unref()
})
