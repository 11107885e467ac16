/** "Search…": a list that follows what is typed, over messages, sessions, memory and notes; what is chosen is opened. */
import * as vscode from 'vscode'
import type { WindowEngine } from '../store/window-engine.ts'
import { noteAddress } from '../memory/memory-address.ts'
import { registerCommand } from '../views/commands.ts'
import { livePick } from '../views/live-pick.ts'
import { answeredFrom, parseQuestion } from './search-question.ts'
import type { Searched } from './search-question.ts'
import { searchResults } from './search-results.ts'
import type { SearchResult, SearchTarget } from './search-results.ts'

/** What the search needs of the window. */
export interface SearchDeps {
  readonly engine: WindowEngine
  /** The window's projects, as the store names them. */
  readonly projects: () => Promise<readonly string[]>
  /** IANA name; where days begin. */
  readonly timeZone: string
}

/** A row of the list of results. */
interface ResultItem extends vscode.QuickPickItem {
  /** Undefined for a heading, and for a sentence. */
  readonly target: SearchTarget | undefined
}

const PLACEHOLDER = 'Words; narrow it by agent: role: file: branch: since: project: in:memory'

const HEADINGS: Readonly<Record<Searched, string>> = {
  messages: 'Messages',
  sessions: 'Sessions',
  memory: 'Memory',
  notes: 'Notes',
}
const ICONS: Readonly<Record<Searched, string>> = {
  messages: 'comment',
  sessions: 'comment-discussion',
  memory: 'lightbulb',
  notes: 'note',
}

/**
 * Returns the rows, with a heading before each kind. Results of one kind must be neighbours. Others get a heading
 * again.
 */
const itemsOf = (results: readonly SearchResult[]): readonly ResultItem[] =>
  results.flatMap(({ searched, label, description, detail, target }, index): readonly ResultItem[] => {
    const heading: ResultItem = {
      label: HEADINGS[searched],
      kind: vscode.QuickPickItemKind.Separator,
      target: undefined,
    }
    const item: ResultItem = {
      label,
      description,
      iconPath: new vscode.ThemeIcon(ICONS[searched]),
      target,
      ...(detail === undefined ? {} : { detail }),
    }
    return results[index - 1]?.searched === searched ? [item] : [heading, item]
  })

const NEEDS_WORDS: ResultItem = {
  label: 'Type words as well',
  description: 'messages, memory and notes are found by words',
  target: undefined,
}

/** Opens a result: a message at its place, a session, an entry or a note. */
const openTarget = async (target: SearchTarget): Promise<void> => {
  switch (target.kind) {
    case 'message':
      await vscode.commands.executeCommand('cairn.openSession', target.sessionId, target.seq)
      return
    case 'session':
      await vscode.commands.executeCommand('cairn.openSession', target.sessionId)
      return
    case 'entry':
      await vscode.commands.executeCommand('cairn.openMemoryEntry', target.id)
      return
    case 'note':
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.from(noteAddress(target.note)), { preview: true })
  }
}

/**
 * Shows the search, in the open folders or everywhere, as a button says, and everywhere without one if none is open;
 * opens the result that the user chooses. Without words it lists the sessions active last, or says that it needs some
 * if no sessions are searched. Lists nothing while there is no store.
 */
const search = async ({ engine, projects, timeZone }: SearchDeps): Promise<void> => {
  const open = await projects()
  let isEverywhere = open.length === 0
  const everywhere = { iconPath: new vscode.ThemeIcon('globe'), tooltip: 'Search in all projects' }
  const here = { iconPath: new vscode.ThemeIcon('folder-opened'), tooltip: 'Search in the open folders only' }
  const chosen = await livePick<ResultItem>({
    title: 'Search sessions and memory',
    placeholder: PLACEHOLDER,
    failed: "The search can't be done",
    buttons: () => (open.length === 0 ? [] : [isEverywhere ? here : everywhere]),
    onButton: () => {
      isEverywhere = !isEverywhere
    },
    search: async (typed) => {
      const loaded = await engine.engine()
      if (loaded === undefined) return []
      const now = Date.now()
      const scope = { projects: isEverywhere ? undefined : open, now }
      const question = parseQuestion(typed, timeZone, now)
      if (answeredFrom(question).length === 0) return [NEEDS_WORDS]
      return itemsOf(await searchResults(loaded, question, scope))
    },
  })
  if (chosen?.target !== undefined) await openTarget(chosen.target)
}

/** Registers the command; dispose the result to remove it. */
export const registerSearch = (deps: SearchDeps): vscode.Disposable =>
  registerCommand('search', "The search can't be done", () => search(deps))
