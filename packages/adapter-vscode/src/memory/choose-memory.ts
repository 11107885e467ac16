/** Asks which entry or note of the window's projects a command is about. */
import { CairnError } from '@cairn/core'
import type { Engine, MemoryEntry, Note } from '@cairn/core'
import * as vscode from 'vscode'
import { projectName } from '../usage/project-usage.ts'
import { KIND_NAMES, firstWords, percentText } from './memory-label.ts'

/** A row of a list, with what it stands for. */
interface Choice<Value> extends vscode.QuickPickItem {
  readonly value: Value
}

/**
 * Returns what the user chose of the items; undefined if they cancel. Rejects with `not-found` and the sentence `none`
 * if there are no items.
 */
const choose = async <Value>(
  items: readonly Choice<Value>[],
  title: string,
  none: string,
): Promise<Value | undefined> => {
  if (items.length === 0) throw new CairnError('not-found', none)
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true })
  return chosen?.value
}

/** Returns the project's name with a separator before it; '' if there is only one project. */
const projectText = (project: string, projects: readonly string[]): string =>
  projects.length > 1 ? ` · ${projectName([project]) ?? project}` : ''

/** Asks for an entry of the projects; undefined if the user cancels. Rejects with `not-found` if they have none. */
export const chooseEntry = async (
  { store }: Pick<Engine, 'store'>,
  projects: readonly string[],
  title: string,
): Promise<MemoryEntry | undefined> => {
  const lists = await Promise.all(projects.map((project) => store.memory.list(project)))
  const items = lists.flat().map((entry) => ({
    label: firstWords(entry.text),
    description: `${KIND_NAMES[entry.kind][0]} · ${percentText(entry.confidence)}${projectText(entry.workspace, projects)}`,
    value: entry,
  }))
  return choose(items, title, 'nothing is remembered of the open folders.')
}

/** Asks for a note of the projects; undefined if the user cancels. Rejects with `not-found` if they have none. */
export const chooseNote = async (
  { store }: Pick<Engine, 'store'>,
  projects: readonly string[],
  title: string,
): Promise<Note | undefined> => {
  const lists = await Promise.all(projects.map((project) => store.notes.list(project)))
  const items = lists.flat().map((note) => ({
    label: firstWords(note.key),
    description: `${firstWords(note.text)}${projectText(note.workspace, projects)}`,
    value: note,
  }))
  return choose(items, title, 'there is no note of the open folders.')
}
