/** Asks for a new memory entry or note, and keeps it. */
import { CairnError, MEMORY_KINDS } from '@cairn/core'
import type { MemoryKind, Note } from '@cairn/core'
import { createWorkspaceResolver } from '@cairn/core/importers'
import { createFileSystem, headCommit } from '@cairn/core/node'
import * as vscode from 'vscode'
import { editorSelections } from '../chat/host/editor-context.ts'
import { chooseFolder } from '../store/choose-folder.ts'
import type { WindowEngine } from '../store/window-engine.ts'
import { counted } from '../text/format.ts'
import { KIND_MEANINGS, KIND_NAMES, firstWords } from './memory-label.ts'

const TITLE = 'Add Memory'

/** A row of the list of kinds. */
interface KindItem extends vscode.QuickPickItem {
  readonly memoryKind: MemoryKind
}

/**
 * Returns the project of the folder that contains the active document, or of the one the user chooses; undefined if
 * they cancel.
 */
const chooseProject = async (
  question: string,
): Promise<{ readonly folder: string; readonly project: string } | undefined> => {
  const folder = await chooseFolder(vscode.window.activeTextEditor?.document.uri, question)
  return folder === undefined
    ? undefined
    : { folder, project: await createWorkspaceResolver(createFileSystem())(folder) }
}

/**
 * Returns the lines that are selected in the active editor: `src/a.ts:3-5`.
 * @throws CairnError `usage` without a selection in a file
 */
const selectedLines = (folder: string): string => {
  const [selected] = editorSelections(folder)
  if (selected === undefined) throw new CairnError('usage', 'select some lines of a file first.')
  const { first, last } = selected.lines
  return `${selected.path}:${first}${last === first ? '' : `-${last}`}`
}

/** Returns the message for a blank text; undefined if the text is not blank. */
const notEmpty = (typed: string): string | undefined => (typed.trim() === '' ? 'A text is needed.' : undefined)

/**
 * Asks for kind and text, and remembers them; with `citesSelection` the selected lines are cited as evidence. A text that
 * is known already is confirmed instead; the user is told which. Resolves with false if they cancel. Rejects with
 * `usage` if nothing is selected to be cited, and as the store does.
 */
export const addMemory = async (engine: WindowEngine, citesSelection: boolean): Promise<boolean> => {
  const chosen = await chooseProject('Remember it of which folder?')
  if (chosen === undefined) return false
  const items: readonly KindItem[] = MEMORY_KINDS.map((kind) => ({
    label: KIND_NAMES[kind][0],
    description: KIND_MEANINGS[kind],
    memoryKind: kind,
  }))
  const picked = await vscode.window.showQuickPick(items, { title: TITLE, placeHolder: 'What kind of memory is it?' })
  if (picked === undefined) return false
  const example = citesSelection ? selectedLines(chosen.folder) : undefined
  const text = await vscode.window.showInputBox({
    title: TITLE,
    prompt: `Every later session of this project is told it.${example === undefined ? '' : ` Evidence: ${example}`}`,
    placeHolder: 'The API’s tests need a running Redis',
    validateInput: notEmpty,
    ignoreFocusOut: true,
  })
  if (text === undefined) return false
  const commit = await headCommit(chosen.project)
  const { memory } = await engine.engineForWriting()
  const { entry, outcome, redactions } = await memory.add({
    workspace: chosen.project,
    kind: picked.memoryKind,
    text,
    source: 'user',
    ...(example === undefined ? {} : { examples: [example] }),
    ...(commit === undefined ? {} : { commit }),
  })
  const secrets = redactions === 0 ? '' : ` ${counted(redactions, 'secret')} replaced before storage.`
  const what = outcome === 'added' ? 'Remembered' : 'That was known already; it is confirmed'
  const open = 'Open'
  // Not waited for: the notification stays until the user closes it.
  void vscode.window.showInformationMessage(`${what}: ${firstWords(entry.text)}${secrets}`, open).then((answer) => {
    if (answer === open) void vscode.commands.executeCommand('cairn.openMemoryEntry', entry.id)
  })
  return true
}

/**
 * Asks for a note's key and text, and stores it; if a note with the key exists, that note is returned unchanged.
 * Undefined if the user cancels. Rejects as the store does.
 */
export const addNote = async (engine: WindowEngine): Promise<Note | undefined> => {
  const chosen = await chooseProject('A note of which folder?')
  if (chosen === undefined) return undefined
  const key = await vscode.window.showInputBox({
    title: 'Add Note',
    prompt: 'What is it called?',
    placeHolder: 'release-steps',
    validateInput: notEmpty,
  })
  if (key === undefined) return undefined
  const { notes, store } = await engine.engineForWriting()
  const known = await store.notes.get(chosen.project, key)
  if (known !== undefined) return known
  const text = await vscode.window.showInputBox({
    title: `Add Note “${firstWords(key)}”`,
    prompt: 'What does it say? It opens in an editor then.',
    validateInput: notEmpty,
    ignoreFocusOut: true,
  })
  return text === undefined ? undefined : notes.set(chosen.project, key, text)
}
