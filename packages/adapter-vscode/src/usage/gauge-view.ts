/** The context gauge in the status bar: shown while a session is at work in the window's folders. */
import { createModelCatalog } from '@cairn/core'
import type { ModelCatalog } from '@cairn/core'
import * as vscode from 'vscode'
import { createChangeWatch } from '../store/change-watch.ts'
import type { WindowStore } from '../store/window-store.ts'
import { gaugeItem, liveSession, readGauge } from './context-gauge.ts'
import type { ContextGauge, GaugeDeps } from './context-gauge.ts'
import { showStatus } from './show-status.ts'

export interface GaugeViewDeps {
  readonly store: WindowStore
  readonly folders: () => Promise<readonly string[]>
}

/** Ages and whether the session is at work change without the store, ms. */
const EVERY_MS = 60_000

/** Registers the item. What can't be read is not told here: the item beside it says what is wrong with the store. */
export const registerContextGauge = ({ store, folders }: GaugeViewDeps): vscode.Disposable => {
  const item = vscode.window.createStatusBarItem('cairn.context', vscode.StatusBarAlignment.Right, 91)
  item.name = 'Cairn: context'
  let catalog: Promise<ModelCatalog> | undefined
  let isClosed = false

  const loadCatalog = (): Promise<ModelCatalog> => {
    // The price list is loaded only once a session is at work.
    catalog ??= createModelCatalog()
    return catalog
  }
  const read = async (): Promise<ContextGauge | undefined> => {
    const opened = await store.store()
    const projects = await folders()
    if (opened === undefined || (await liveSession(opened, projects, Date.now())) === undefined) return undefined
    const known = await loadCatalog()
    const factsOf: GaugeDeps['factsOf'] = (model, provider) => known.facts(model, provider)
    return readGauge({ store: opened, projects, factsOf, now: Date.now() })
  }
  const refresh = async (): Promise<void> => {
    const gauge = await read().catch(() => undefined)
    if (isClosed) return
    if (gauge === undefined) {
      item.hide()
      return
    }
    item.command = { command: 'cairn.openSession', title: 'Open the Session', arguments: [gauge.session.id] }
    showStatus(item, gaugeItem(gauge, Date.now()))
    item.show()
  }
  /** The session at work and how far it is: its requests are read only when there may be a new one. */
  const watch = createChangeWatch({
    read: async () => {
      const opened = await store.store()
      const session = opened && (await liveSession(opened, await folders(), Date.now()))
      return session === undefined ? 'none' : JSON.stringify([session.id, session.requests, session.updatedAt])
    },
    onChange: () => void refresh(),
  })
  const timer = setInterval(() => void refresh(), EVERY_MS)
  timer.unref()
  void watch.look()
  return vscode.Disposable.from(
    item,
    { dispose: store.onChange(() => void watch.look()) },
    vscode.workspace.onDidChangeWorkspaceFolders(() => void refresh()),
    {
      dispose: () => {
        isClosed = true
        clearInterval(timer)
      },
    },
  )
}
