/** The usage of the current project in the status bar, and in a document. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import type { WindowEngine } from '../store/window-engine.ts'
import type { WindowStore } from '../store/window-store.ts'
import type { TranscriptWatch } from '../watching/transcript-watch.ts'
import { readBudgets } from './read-budgets.ts'
import { showStatus } from './show-status.ts'
import { noStore, statusItem, withWatchStatus } from './status-item.ts'
import { usageDocument } from './usage-document.ts'
import { createUsageFeed } from './usage-feed.ts'
import type { UsageState } from './usage-feed.ts'

const SCHEME = 'cairn'
/** The document's language. Not Markdown: names come from transcripts, and a link in one could run a command. */
const LANGUAGE = 'cairn-usage'
const DOCUMENT = vscode.Uri.from({ scheme: SCHEME, path: '/Usage' })

/** What the item needs of the window. */
export interface UsageViewDeps {
  readonly store: WindowStore
  readonly timeZone: string
  readonly folders: () => Promise<readonly string[]>
  readonly watch: Pick<TranscriptWatch, 'status' | 'onChange'>
  readonly engine: WindowEngine
}

/**
 * Registers the status bar's item, with today's cost and tokens and whether transcripts are followed, and the command
 * "Show usage", which opens a document. Dispose the result to remove them. What can't be read is told there.
 */
export const registerUsage = ({ store, timeZone, folders, watch, engine }: UsageViewDeps): vscode.Disposable => {
  const item = vscode.window.createStatusBarItem('cairn.usage', vscode.StatusBarAlignment.Right, 90)
  item.name = 'Cairn: usage'
  item.command = 'cairn.showUsage'
  const documentChanged = new vscode.EventEmitter<vscode.Uri>()

  let shown: UsageState = { kind: 'loading' }
  const showState = (): void => showStatus(item, withWatchStatus(statusItem(shown), watch.status()))
  const onState = (state: UsageState): void => {
    shown = state
    showState()
    documentChanged.fire(DOCUMENT)
  }
  // The address may change while the feed runs, so it is read again each time.
  const feed = createUsageFeed({
    connection: store,
    get location() {
      return store.location()
    },
    folders,
    budgets: (projects) => readBudgets({ store, engine, timeZone }, projects),
    timeZone,
    now: Date.now,
    onState,
  })

  const documentText = async (): Promise<string> => {
    try {
      const opened = await store.store()
      if (opened === undefined) return `# Cairn\n\n${noStore(store.location())}\n`
      return await usageDocument(opened.usage, {
        folders: await folders(),
        timeZone,
        now: Date.now(),
        location: store.location(),
      })
    } catch (error) {
      return `# Cairn\n\nThe usage can't be shown: ${messageOf(error)}\n`
    }
  }

  onState(shown)
  item.show()
  void feed.refresh()
  return vscode.Disposable.from(
    item,
    documentChanged,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: documentChanged.event,
      provideTextDocumentContent: documentText,
    }),
    vscode.commands.registerCommand('cairn.showUsage', async () => {
      const document = await vscode.workspace.openTextDocument(DOCUMENT)
      await vscode.languages.setTextDocumentLanguage(document, LANGUAGE)
      await vscode.window.showTextDocument(document, { preview: true })
      documentChanged.fire(DOCUMENT)
    }),
    { dispose: watch.onChange(showState) },
    { dispose: () => void feed.close() },
  )
}
