/** The extension: puts the usage of the current project into the status bar and into a document. Only this file knows the editor. */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { CairnError, messageOf } from '@cairn/core'
import type { Store } from '@cairn/core'
import { createWorkspaceResolver } from '@cairn/core/importers'
import { createFileSystem } from '@cairn/core/node'
import { openStore } from '@cairn/storage-prisma'
import * as vscode from 'vscode'
import { unsupportedHost } from './store/host-support.ts'
import { shownAddress, storeAddress } from './store/store-address.ts'
import { noStore, statusItem } from './usage/status-item.ts'
import type { StatusItem } from './usage/status-item.ts'
import { usageDocument } from './usage/usage-document.ts'
import { createUsageFeed } from './usage/usage-feed.ts'
import type { UsageFeed, UsageState } from './usage/usage-feed.ts'

const SCHEME = 'cairn'
const DOCUMENT = vscode.Uri.from({ scheme: SCHEME, path: '/Usage.md' })

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const currentAddress = (): string => {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath
  return storeAddress({
    setting: vscode.workspace.getConfiguration('cairn').get('store', ''),
    variables: process.env,
    platform: process.platform,
    home: homedir(),
    // A cloned repository must not choose which database is opened.
    workspace: vscode.workspace.isTrusted ? folder : undefined,
    readText,
  })
}

const openIfThere = async (address: string): Promise<Store | undefined> => {
  const unsupported = unsupportedHost(process.versions)
  if (unsupported !== undefined) throw new CairnError('unsupported', unsupported)
  if (address.startsWith('file:') && !existsSync(address.slice('file:'.length))) return undefined
  return openStore(address)
}

/** The open folders as importers name projects: a work tree counts as its repository. */
const openProjects = (): Promise<readonly string[]> => {
  const repositoryOf = createWorkspaceResolver(createFileSystem())
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file')
  return Promise.all(folders.map(({ uri }) => repositoryOf(uri.fsPath)))
}

const show = (item: vscode.StatusBarItem, { text, tooltip, label, isWarning }: StatusItem): void => {
  item.text = text
  // Not trusted: no commands, no HTML, whatever stands in it.
  item.tooltip = new vscode.MarkdownString(tooltip)
  item.accessibilityInformation = { label }
  item.backgroundColor = isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined
}

/** Called by VS Code once it has started. */
export const activate = (context: vscode.ExtensionContext): void => {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const item = vscode.window.createStatusBarItem('cairn.usage', vscode.StatusBarAlignment.Right, 90)
  item.name = 'Cairn: usage'
  item.command = 'cairn.showUsage'
  const documentChanged = new vscode.EventEmitter<vscode.Uri>()
  let feed: UsageFeed | undefined

  const onState = (state: UsageState): void => {
    show(item, statusItem(state))
    documentChanged.fire(DOCUMENT)
  }

  /** Again from the start: another store, or another folder. */
  const restart = async (): Promise<void> => {
    const before = feed
    const address = currentAddress()
    onState({ kind: 'loading' })
    feed = createUsageFeed({ open: () => openIfThere(address), location: shownAddress(address), folders: openProjects, timeZone, now: Date.now, onState })
    await before?.close()
    await feed.refresh()
  }

  const documentText = async (): Promise<string> => {
    const location = shownAddress(currentAddress())
    const store = feed?.store()
    if (store === undefined) return `# Cairn\n\n${noStore(location)}\n`
    try {
      return await usageDocument(store.usage, { folders: await openProjects(), timeZone, now: Date.now(), location })
    } catch (error) {
      return `# Cairn\n\nThe usage can't be shown: ${messageOf(error)}\n`
    }
  }

  const restartSafely = (): void => {
    restart().catch((error: unknown) => {
      onState({ kind: 'failed', sentence: messageOf(error) })
    })
  }

  context.subscriptions.push(
    item,
    documentChanged,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, { onDidChange: documentChanged.event, provideTextDocumentContent: documentText }),
    vscode.commands.registerCommand('cairn.showUsage', async () => {
      await feed?.refresh()
      const document = await vscode.workspace.openTextDocument(DOCUMENT)
      await vscode.languages.setTextDocumentLanguage(document, 'markdown')
      await vscode.window.showTextDocument(document, { preview: true })
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('cairn.store')) restartSafely()
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(restartSafely),
    vscode.workspace.onDidGrantWorkspaceTrust(restartSafely),
    { dispose: () => void feed?.close() },
  )
  item.show()
  restartSafely()
}
