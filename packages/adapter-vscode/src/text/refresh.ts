/** Views whose texts grow old. */
import * as vscode from 'vscode'

/** Time between two refreshes, ms: ages are told in minutes. */
const EVERY_MS = 60_000

/** Calls back every minute while the view is seen, as ages are part of it. */
export const refreshWhileSeen = (view: { readonly visible: boolean }, refresh: () => void): vscode.Disposable => {
  const timer = setInterval(() => {
    if (view.visible) refresh()
  }, EVERY_MS)
  timer.unref()
  return vscode.Disposable.from({ dispose: () => clearInterval(timer) })
}
