/** Memory entries as documents of the editor: what they say, where that was seen, and what they said before. */
import { existsSync } from 'node:fs'
import { messageOf } from '@cairn/core'
import type { Engine } from '@cairn/core'
import * as vscode from 'vscode'
import type { WindowEngine } from '../store/window-engine.ts'
import type { WindowStore } from '../store/window-store.ts'
import { sessionAddress } from '../session-text/session-address.ts'
import { citedLocation } from './cited-location.ts'
import { MEMORY_SCHEME, entryAddress, rememberedTextOf } from './memory-address.ts'
import { entryDocument } from './memory-document.ts'
import type { EntryFacts, EntryLink } from './memory-document.ts'

/** Not Markdown: a link in an entry could run a command. */
const LANGUAGE = 'cairn-memory'

/** The documents of memory entries. */
export interface MemoryDocuments {
  /** Opens an entry. Rejects where it is not in the store. */
  open(id: string): Promise<void>
  /** Shows what is open again. */
  refresh(): void
  dispose(): void
}

/** Returns the facts of an entry, also of one that has ended. Rejects with `not-found` for an unknown id. */
const entryFacts = async ({ memory, store }: Pick<Engine, 'memory' | 'store'>, id: string): Promise<EntryFacts> => {
  const history = await memory.history(id)
  const newest = history.at(-1)
  const entry = newest === undefined || newest.validTo === null ? await memory.get(id) : newest.entry
  const session = entry.sessionId === null ? undefined : await store.sessions.get(entry.sessionId)
  return { entry, history, session }
}

/**
 * Returns where a link leads; undefined if there is nothing to open: a session that is not in the store, or a cited file
 * that is gone or outside the project.
 */
const linkTarget = ({ entry, session }: EntryFacts, { target }: EntryLink): vscode.Uri | undefined => {
  if (target.kind === 'session') return session === undefined ? undefined : vscode.Uri.from(sessionAddress(session))
  const location = citedLocation(entry.workspace, target.example)
  if (location === undefined || !existsSync(location.path)) return undefined
  return vscode.Uri.file(location.path).with({ fragment: `L${location.from + 1}` })
}

/**
 * Registers the documents; open ones are updated when the store changes. Dispose the result to remove them. Without
 * such an entry, or if it can't be read, the document says so.
 */
export const registerMemoryDocuments = (
  engine: WindowEngine,
  store: Pick<WindowStore, 'onChange'>,
): MemoryDocuments => {
  const changed = new vscode.EventEmitter<vscode.Uri>()

  const factsOf = async ({ query }: vscode.Uri): Promise<EntryFacts | undefined> => {
    const what = rememberedTextOf(query)
    const loaded = what?.kind === 'entry' ? await engine.engine() : undefined
    return what?.kind !== 'entry' || loaded === undefined ? undefined : entryFacts(loaded, what.id)
  }
  const textOf = async (uri: vscode.Uri): Promise<string> => {
    try {
      const facts = await factsOf(uri)
      return facts === undefined ? '# Cairn\n\nThere is no store with this entry.\n' : entryDocument(facts).text
    } catch (error) {
      return `# Cairn\n\nThe entry can't be shown: ${messageOf(error)}\n`
    }
  }
  const linksOf = async (uri: vscode.Uri): Promise<vscode.DocumentLink[]> => {
    const facts = await factsOf(uri)
    if (facts === undefined) return []
    return entryDocument(facts).links.flatMap((link) => {
      const target = linkTarget(facts, link)
      return target === undefined
        ? []
        : [new vscode.DocumentLink(new vscode.Range(link.line, link.from, link.line, link.to), target)]
    })
  }
  const refresh = (): void => {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === MEMORY_SCHEME) changed.fire(uri)
  }
  const registered = vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(MEMORY_SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: textOf,
    }),
    vscode.languages.registerDocumentLinkProvider(
      { scheme: MEMORY_SCHEME },
      { provideDocumentLinks: ({ uri }) => linksOf(uri) },
    ),
    { dispose: store.onChange(refresh) },
  )
  return {
    /** Opens an entry as a document, read anew. Rejects if nothing was recorded yet or there is no such entry. */
    open: async (id) => {
      const loaded = await engine.engine()
      if (loaded === undefined) throw new Error('nothing has been recorded yet.')
      const uri = vscode.Uri.from(entryAddress((await entryFacts(loaded, id)).entry))
      const document = await vscode.workspace.openTextDocument(uri)
      await vscode.languages.setTextDocumentLanguage(document, LANGUAGE)
      await vscode.window.showTextDocument(document, { preview: true })
      changed.fire(uri)
    },
    refresh,
    dispose: () => void registered.dispose(),
  }
}
