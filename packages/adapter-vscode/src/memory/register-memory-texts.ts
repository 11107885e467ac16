/** Serves the texts of memory entries and notes to the editor; saving one keeps it. */
import { CairnError } from '@cairn/core'
import * as vscode from 'vscode'
import type { WindowEngine } from '../store/window-engine.ts'
import { MEMORY_TEXT_SCHEME, rememberedTextOf } from './memory-address.ts'
import { readRemembered, writeRemembered } from './remembered-text.ts'
import type { TextVersion } from './remembered-text.ts'

/** After a save, before the editor is told of another text, ms: it looks at the file once more at a save's end. */
const AFTER_SAVE_MS = 500

/**
 * Refuses to create, delete or rename files.
 * @throws FileSystemError always
 */
const notAllowed = (): never => {
  throw vscode.FileSystemError.NoPermissions(
    'What is remembered is added and forgotten by the commands of the view "Memory".',
  )
}

/**
 * Registers the texts as files that can be edited; dispose the result to remove them. `onSave` is called after one was
 * saved. Saving rejects as the store does; what is stored may differ from what was typed, and is read again then.
 */
export const registerMemoryTexts = (engine: WindowEngine, onSave: () => void): vscode.Disposable => {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>()
  /** Texts that were read again since their version began, by address: the editor takes a later time for another text. */
  const rereads = new Map<string, number>()
  const timers = new Set<NodeJS.Timeout>()

  /** Lets the editor read a file again whose text is another one than was saved. */
  const rereadSoon = (uri: vscode.Uri): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      const key = uri.toString()
      rereads.set(key, (rereads.get(key) ?? 0) + 1)
      changed.fire([{ type: vscode.FileChangeType.Changed, uri }])
    }, AFTER_SAVE_MS)
    timers.add(timer)
  }

  const versionOf = async (uri: vscode.Uri): Promise<TextVersion> => {
    const what = rememberedTextOf(uri.query)
    const loaded = what && (await engine.engine())
    const version = what && loaded && (await readRemembered(loaded, what))
    if (version === undefined) throw vscode.FileSystemError.FileNotFound(uri)
    return version
  }
  const encoded = ({ text }: TextVersion): Uint8Array => new TextEncoder().encode(text)
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    /** The time is that of the version, later after each reread, so that the editor notes a change. */
    stat: async (uri) => {
      const version = await versionOf(uri)
      const mtime = version.at + (rereads.get(uri.toString()) ?? 0)
      return { type: vscode.FileType.File, ctime: 0, mtime, size: encoded(version).byteLength }
    },
    readFile: async (uri) => encoded(await versionOf(uri)),
    writeFile: async (uri, content) => {
      const what = rememberedTextOf(uri.query)
      if (what === undefined) throw new CairnError('invalid-input', 'This is neither a memory entry nor a note.')
      const typed = new TextDecoder().decode(content)
      await writeRemembered(await engine.engineForWriting(), what, typed)
      // Secrets are replaced, "yesterday" becomes a date.
      if ((await versionOf(uri)).text !== typed) rereadSoon(uri)
      onSave()
    },
    readDirectory: () => [],
    createDirectory: notAllowed,
    delete: notAllowed,
    rename: notAllowed,
  }
  return vscode.Disposable.from(
    changed,
    { dispose: () => timers.forEach((timer) => clearTimeout(timer)) },
    vscode.workspace.registerFileSystemProvider(MEMORY_TEXT_SCHEME, provider, { isCaseSensitive: true }),
  )
}
