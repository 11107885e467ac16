/** Files that the editor only reads, such as those of a checkpoint: what one holds never changes. */
import * as vscode from 'vscode'

/** Contents that are kept: an editor asks twice for each side of a comparison. */
const KEPT = 8

/**
 * Refuses every write.
 * @throws FileSystemError always
 */
const isReadOnly = (): never => {
  throw vscode.FileSystemError.NoPermissions('This is only read here.')
}

/**
 * Serves read-only files of a scheme; dispose the result to stop. `read` returns a file's content, undefined if there
 * is none; an error of it is shown in the editor. The last `KEPT` are kept, so that a file is not read again; it never
 * changes.
 */
export const registerReadOnlyFiles = (
  scheme: string,
  read: (uri: vscode.Uri) => Promise<Uint8Array | undefined>,
): vscode.Disposable => {
  const kept = new Map<string, Promise<Uint8Array>>()

  const load = async (uri: vscode.Uri): Promise<Uint8Array> => {
    const content = await read(uri)
    if (content === undefined) throw vscode.FileSystemError.FileNotFound(uri)
    return content
  }
  const contentOf = (uri: vscode.Uri): Promise<Uint8Array> => {
    const key = uri.toString()
    const content = kept.get(key) ?? load(uri)
    kept.delete(key)
    kept.set(key, content)
    content.catch(() => kept.delete(key))
    const oldest = kept.size > KEPT ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    return content
  }

  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>()
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => ({
      type: vscode.FileType.File,
      ctime: 0,
      mtime: 0,
      size: (await contentOf(uri)).byteLength,
      permissions: vscode.FilePermission.Readonly,
    }),
    readFile: contentOf,
    readDirectory: () => [],
    createDirectory: isReadOnly,
    writeFile: isReadOnly,
    delete: isReadOnly,
    rename: isReadOnly,
  }
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerFileSystemProvider(scheme, provider, { isReadonly: true, isCaseSensitive: true }),
  )
}
