/** Puts the parts of the extension together, and tells them when the store, a setting or a folder has changed. */
import * as vscode from 'vscode'
import { registerChat } from './chat/host/chat-view.ts'
import { provideCommand } from './command/bundled-command.ts'
import { registerCheckpointView } from './checkpoints/checkpoint-view.ts'
import { registerContextView } from './context-files/context-view.ts'
import { registerDashboard } from './dashboard/dashboard-command.ts'
import { registerEditorAgents } from './editor-agents/register-tools.ts'
import { registerImport } from './imports/import-command.ts'
import { registerMemoryView } from './memory/memory-view.ts'
import { registerFileSessions } from './related/file-sessions-command.ts'
import { registerRelatedFiles } from './related/related-command.ts'
import { registerSearch } from './search/search-command.ts'
import { registerEntryLinks } from './session-page/host/register-entry-links.ts'
import { registerSessionEditor } from './session-page/host/session-editor.ts'
import { registerSessionPicker } from './sessions/session-picker.ts'
import { registerSessionView } from './sessions/session-view.ts'
import { registerSetup } from './setup/setup-command.ts'
import { openProjects } from './store/open-projects.ts'
import { createWindowEngine } from './store/window-engine.ts'
import { createWindowStore } from './store/window-store.ts'
import { registerSessionDocuments } from './session-text/session-documents.ts'
import { registerContextGauge } from './usage/gauge-view.ts'
import { registerUsage } from './usage/usage-view.ts'
import { createWindowWatch, mayFollow } from './watching/window-watch.ts'

/** Returns the version in the package's manifest; '' if it has none. */
const extensionVersion = ({ extension }: vscode.ExtensionContext): string => {
  const manifest: unknown = extension.packageJSON
  const isObject = typeof manifest === 'object' && manifest !== null
  return isObject && 'version' in manifest && typeof manifest.version === 'string' ? manifest.version : ''
}

/** Returns the address of the bundle's own file; esbuild fills it in. */
const bundle = (): URL => new URL(import.meta.url)

/**
 * Starts all parts of the extension in a window; they end with `context.subscriptions`. Returns a function that only
 * stops following transcripts and then closes the store.
 */
export const openWindow = (context: vscode.ExtensionContext): (() => Promise<void>) => {
  const store = createWindowStore()
  const engine = createWindowEngine(store)
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const view = { store, timeZone, folders: openProjects }
  const log = vscode.window.createOutputChannel('Cairn')
  const bundled = provideCommand(context, log)
  const watch = createWindowWatch({ store, log, bundle: bundle() })
  const page = registerSessionEditor({ store, engine, extensionUri: context.extensionUri })

  context.subscriptions.push(
    log,
    registerUsage({ ...view, watch, engine }),
    registerContextGauge({ store, engine, folders: openProjects }),
    registerSessionView(view),
    registerSessionPicker(store),
    registerCheckpointView({ store, engine }),
    registerContextView({ store, engine, projects: openProjects }),
    registerMemoryView({ store, engine, projects: openProjects }),
    registerSearch({ engine, projects: openProjects, timeZone }),
    registerRelatedFiles(engine),
    registerFileSessions(store),
    page,
    registerEntryLinks(),
    registerSessionDocuments(store, page),
    registerChat({
      store,
      engine,
      secrets: context.secrets,
      memento: context.workspaceState,
      extensionUri: context.extensionUri,
    }),
    registerEditorAgents({ store, engine, bundled, version: extensionVersion(context) }),
    registerImport({ store, log, bundle: bundle(), onRunning: watch.pause }),
    registerDashboard({ store, secrets: context.secrets, bundled, mayFollow: () => mayFollow(store) }),
    registerSetup(bundled),
    vscode.commands.registerCommand('cairn.getStarted', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${context.extension.id}#start`, false),
    ),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('cairn.store')) store.reopen()
      if (change.affectsConfiguration('cairn.watch')) watch.lookAgain()
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => store.reopen()),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (!focused) return
      store.lookAgain()
      watch.lookAgain()
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => store.reopen()),
  )
  return async () => {
    await watch.close()
    await store.close()
  }
}
