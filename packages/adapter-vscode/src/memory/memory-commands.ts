/** The commands on memory and notes: add, open, edit, confirm, contradict, forget. */
import { CairnError, MEMORY_ENDS_BELOW } from '@cairn/core'
import type { Engine, MemoryEntry } from '@cairn/core'
import { headCommit } from '@cairn/core/node'
import * as vscode from 'vscode'
import type { WindowEngine } from '../store/window-engine.ts'
import { registerCommand } from '../views/commands.ts'
import { addressQueryOf, nodeOfKind } from '../views/node-of-kind.ts'
import { addMemory, addNote } from './add-memory.ts'
import { chooseEntry, chooseNote } from './choose-memory.ts'
import { MEMORY_SCHEME, MEMORY_TEXT_SCHEME, entryTextAddress, noteAddress, rememberedTextOf } from './memory-address.ts'
import type { MemoryDocuments } from './register-memory-documents.ts'
import { firstWords, percentText } from './memory-label.ts'
import type { MemoryNode } from './memory-node.ts'

/** What the commands need of the window. */
export interface MemoryCommandDeps {
  readonly engine: WindowEngine
  readonly documents: MemoryDocuments
  /** The window's projects, as the store names them. */
  readonly projects: () => Promise<readonly string[]>
  /** Called after something was changed. */
  readonly onChange: () => void
}

/** How long a sentence stands in the status bar, ms. */
const TOLD_MS = 5_000

/** Shows a sentence in the status bar for a few seconds. */
const tell = (sentence: string): void => void vscode.window.setStatusBarMessage(sentence, TOLD_MS)

/** Returns the engine. Rejects with `not-found` if nothing has been recorded yet. */
const loaded = async (engine: WindowEngine): Promise<Engine> => {
  const found = await engine.engine()
  if (found === undefined) throw new CairnError('not-found', 'nothing has been recorded yet.')
  return found
}

/** Asks the user in a modal dialog; false if they choose anything but `answer`. */
const isConfirmed = async (question: string, detail: string, answer: string): Promise<boolean> =>
  (await vscode.window.showWarningMessage(question, { modal: true, detail }, answer)) === answer

/**
 * Returns the entry that a menu, a document or an id names; otherwise asks for one, undefined if the user cancels. Rejects
 * with `not-found` if nothing has been recorded yet, or for an unknown id.
 */
const entryOf = async (deps: MemoryCommandDeps, given: unknown, question: string): Promise<MemoryEntry | undefined> => {
  const node = nodeOfKind<MemoryNode, 'entry'>(given, 'entry')
  if (node !== undefined) return node.entry
  const query = addressQueryOf(given, [MEMORY_SCHEME, MEMORY_TEXT_SCHEME])
  const what = query === undefined ? undefined : rememberedTextOf(query)
  const id = typeof given === 'string' ? given : what?.kind === 'entry' ? what.id : undefined
  const engine = await loaded(deps.engine)
  if (id !== undefined) return engine.memory.get(id)
  return chooseEntry(engine, await deps.projects(), question)
}

/** Opens an address in an editor, as a preview. */
const openText = async (address: ReturnType<typeof noteAddress>): Promise<void> => {
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.from(address), { preview: true })
}

/** Confirms an entry, and shows its new confidence. Does nothing if the user cancels. */
const confirm = async (deps: MemoryCommandDeps, given: unknown): Promise<void> => {
  const entry = await entryOf(deps, given, 'Confirm which memory?')
  if (entry === undefined) return
  const { confidence } = await (await loaded(deps.engine)).memory.confirm(entry.id)
  tell(`Cairn: confirmed, ${percentText(confidence)} sure`)
  deps.onChange()
}

/**
 * Contradicts an entry: replaces it by what the user types, or lowers its confidence if they leave that empty, which may
 * end it. Tells which. Does nothing if they cancel.
 */
const contradict = async (deps: MemoryCommandDeps, given: unknown): Promise<void> => {
  const entry = await entryOf(deps, given, 'Contradict which memory?')
  if (entry === undefined) return
  const typed = await vscode.window.showInputBox({
    title: `Contradict “${firstWords(entry.text)}”`,
    prompt: 'What is true instead? Left empty, the entry is only less sure.',
  })
  if (typed === undefined) return
  const replacement = typed.trim() === '' ? undefined : typed
  const commit = replacement === undefined ? undefined : await headCommit(entry.workspace)
  const { memory } = await loaded(deps.engine)
  const { confidence } = await memory.contradict(entry.id, replacement, commit === undefined ? {} : { commit })
  tell(
    replacement !== undefined
      ? 'Cairn: replaced; the former entry stays in its history'
      : confidence < MEMORY_ENDS_BELOW
        ? 'Cairn: contradicted, and ended: nobody is sure of it any more'
        : `Cairn: contradicted, ${percentText(confidence)} sure`,
  )
  deps.onChange()
}

/** Forgets an entry, if the user says yes to a question; its history stays. Does nothing otherwise. */
const forget = async (deps: MemoryCommandDeps, given: unknown): Promise<void> => {
  const entry = await entryOf(deps, given, 'Forget which memory?')
  if (entry === undefined) return
  const detail = `${firstWords(entry.text, 300)}\n\nSessions are not told it any more. Its history stays in the store.`
  if (!(await isConfirmed('Forget this?', detail, 'Forget'))) return
  await (await loaded(deps.engine)).memory.forget(entry.id)
  tell('Cairn: forgotten; its history stays')
  deps.onChange()
}

/**
 * Deletes a note, if the user says yes to a question; what it said before can still be read as of then. Does nothing
 * otherwise. `given` may be a node of the tree; else it asks which. Rejects with `not-found` if there is no note.
 */
const deleteNote = async (deps: MemoryCommandDeps, given: unknown): Promise<void> => {
  const engine = await loaded(deps.engine)
  const note =
    nodeOfKind<MemoryNode, 'note'>(given, 'note')?.note ??
    (await chooseNote(engine, await deps.projects(), 'Delete which note?'))
  if (note === undefined) return
  const detail = 'It is no longer found. What it said until now stays in the store: cairn note get --as-of shows it.'
  if (!(await isConfirmed(`Delete the note “${firstWords(note.key)}”?`, detail, 'Delete'))) return
  await engine.notes.delete(note.workspace, note.key)
  tell('Cairn: the note is deleted')
  deps.onChange()
}

/** Registers the commands of the view "Memory"; dispose the result to remove them. */
export const registerMemoryCommands = (deps: MemoryCommandDeps): vscode.Disposable => {
  const { engine, documents, projects, onChange } = deps
  return vscode.Disposable.from(
    registerCommand('addMemory', 'Nothing was remembered', async () => {
      if (await addMemory(engine, false)) onChange()
    }),
    registerCommand('rememberSelection', 'Nothing was remembered', async () => {
      if (await addMemory(engine, true)) onChange()
    }),
    registerCommand('openMemoryEntry', "The entry can't be opened", async (given) => {
      const entry = await entryOf(deps, given, 'Open which memory?')
      if (entry !== undefined) await documents.open(entry.id)
    }),
    registerCommand('editMemory', "The entry can't be edited", async (given) => {
      const entry = await entryOf(deps, given, 'Edit which memory?')
      if (entry !== undefined) await openText(entryTextAddress(entry))
    }),
    registerCommand('confirmMemory', 'Nothing was confirmed', (given) => confirm(deps, given)),
    registerCommand('contradictMemory', 'Nothing was contradicted', (given) => contradict(deps, given)),
    registerCommand('forgetMemory', 'Nothing was forgotten', (given) => forget(deps, given)),
    registerCommand('addNote', 'No note was made', async () => {
      const note = await addNote(engine)
      if (note === undefined) return
      onChange()
      await openText(noteAddress(note))
    }),
    registerCommand('openNote', "The note can't be opened", async (given) => {
      const note =
        nodeOfKind<MemoryNode, 'note'>(given, 'note')?.note ??
        (await chooseNote(await loaded(engine), await projects(), 'Open which note?'))
      if (note !== undefined) await openText(noteAddress(note))
    }),
    registerCommand('deleteNote', 'Nothing was deleted', (given) => deleteNote(deps, given)),
  )
}
