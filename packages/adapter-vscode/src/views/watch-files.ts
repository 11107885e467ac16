/** Views that tell of the files of the window's folders. */
import * as vscode from 'vscode'

/** After the last change, before a view is told, ms: agents and builds change many files at once. */
const AFTER_FILES_MS = 1_000

/**
 * Calls `onChange` shortly after files outside of `.git` have changed, if `matters` returns true then. Files are watched
 * only once the view has been visible, and from then on. Dispose the result to stop.
 */
export const watchFiles = (
  view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
  matters: () => boolean,
  onChange: () => void,
): vscode.Disposable => {
  let timer: NodeJS.Timeout | undefined
  const soon = ({ path }: vscode.Uri): void => {
    if (!matters() || path.includes('/.git/')) return
    clearTimeout(timer)
    timer = setTimeout(onChange, AFTER_FILES_MS)
  }
  const watched: vscode.Disposable[] = []
  const watch = (isSeen: boolean): void => {
    if (!isSeen || watched.length > 0) return
    const watcher = vscode.workspace.createFileSystemWatcher('**/*')
    watched.push(watcher, watcher.onDidChange(soon), watcher.onDidCreate(soon), watcher.onDidDelete(soon))
  }
  watch(view.visible)
  return vscode.Disposable.from(
    view.onDidChangeVisibility(({ visible }) => watch(visible)),
    {
      dispose: () => {
        clearTimeout(timer)
        for (const each of watched) each.dispose()
      },
    },
  )
}
