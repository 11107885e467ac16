/** The context gauge in the status bar: shown while a session is at work in the window's folders. */
import * as vscode from 'vscode'
import { createChangeWatch } from '../store/change-watch.ts'
import type { WindowEngine } from '../store/window-engine.ts'
import type { WindowStore } from '../store/window-store.ts'
import { gaugeItem, readGauge } from './context-gauge.ts'
import type { ContextGauge } from './context-gauge.ts'
import { showStatus } from './show-status.ts'

/** What the gauge needs of the window. */
export interface GaugeViewDeps {
  readonly store: Pick<WindowStore, 'onChange'>
  readonly engine: Pick<WindowEngine, 'engine'>
  readonly folders: () => Promise<readonly string[]>
}

/** Ages and whether the session is at work change without the store, ms. */
const EVERY_MS = 60_000

/**
 * Registers the status bar's item; dispose the result to remove it. Errors are not shown here: the usage item beside it
 * says what is wrong with the store.
 */
export const registerContextGauge = ({ store, engine, folders }: GaugeViewDeps): vscode.Disposable => {
  const item = vscode.window.createStatusBarItem('cairn.context', vscode.StatusBarAlignment.Right, 91)
  item.name = 'Cairn: context'
  let gauge: ContextGauge | undefined
  let isClosed = false

  const read = async (): Promise<ContextGauge | undefined> => {
    const loaded = await engine.engine()
    return loaded === undefined ? undefined : readGauge(loaded, await folders())
  }
  const show = (): void => {
    if (isClosed) return
    if (gauge === undefined) {
      item.hide()
      return
    }
    item.command = { command: 'cairn.openSession', title: 'Open the Session', arguments: [gauge.session.id] }
    showStatus(item, gaugeItem(gauge, Date.now()))
    item.show()
  }
  const watch = createChangeWatch({
    read: async () => {
      gauge = await read().catch(() => undefined)
      return gauge === undefined ? 'none' : JSON.stringify([gauge.session.id, gauge.session.updatedAt, gauge.context])
    },
    onChange: show,
  })
  const look = (): void => void watch.look()
  const timer = setInterval(() => void watch.look().then(show), EVERY_MS)
  timer.unref()
  look()
  return vscode.Disposable.from(
    item,
    { dispose: store.onChange(look) },
    vscode.workspace.onDidChangeWorkspaceFolders(look),
    {
      dispose: () => {
        isClosed = true
        clearInterval(timer)
      },
    },
  )
}
