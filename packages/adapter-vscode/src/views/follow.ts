/** Views that keep up with time and with the store, while they are seen. */
import * as vscode from 'vscode'
import type { ChangeWatch } from '../store/change-watch.ts'
import type { WindowStore } from '../store/window-store.ts'

/** Time between two refreshes, ms: ages are told in minutes. */
const EVERY_MS = 60_000

/** Calls `refresh` every minute while the view is visible, as it shows ages. Dispose the result to stop. */
export const refreshWhileSeen = (view: { readonly visible: boolean }, refresh: () => void): vscode.Disposable => {
  const timer = setInterval(() => {
    if (view.visible) refresh()
  }, EVERY_MS)
  timer.unref()
  return vscode.Disposable.from({ dispose: () => clearInterval(timer) })
}

/**
 * Lets the watch look after each change of the store while the view is visible, and whenever it becomes visible.
 * Dispose the result to stop.
 */
export const followWhileSeen = (
  view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
  store: Pick<WindowStore, 'onChange'>,
  watch: ChangeWatch,
): vscode.Disposable =>
  vscode.Disposable.from(
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) void watch.look()
    }),
    {
      dispose: store.onChange(() => {
        if (view.visible) void watch.look()
      }),
    },
  )
