/**
 * "Set up agents": runs `cairn setup`, shows the change to each settings file in the editor's own comparison, and has it
 * written for the agents that are chosen once the user has said yes.
 */
import { homedir } from 'node:os'
import * as vscode from 'vscode'
import type { CairnCommand } from '../command/find-command.ts'
import { foundCommand } from '../command/window-command.ts'
import { localFolders } from '../store/open-projects.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { registerCommand } from '../views/commands.ts'
import { runSetup } from './run-setup.ts'
import { changedAgents, changedFiles, sameChanges, sidesOf } from './setup-answer.ts'
import type { SetupAnswer, SetupFile } from './setup-answer.ts'
import { setupReport, writtenFiles } from './setup-report.ts'

const SCHEME = 'cairn-setup'
const WRITE = 'Write'
const TITLE = 'Set up your agents'

/** Texts that are shown: both sides of each file, and the report. The editor asks for one by its address, and once only. */
interface ShownTexts {
  /** Forgets the former texts; those that come now have other addresses. */
  readonly renew: () => void
  /** Keeps a text; its address, with a name that tells its language. `what`: which of the texts of that name. */
  readonly keep: (name: string, what: string, text: string) => vscode.Uri
  readonly textOf: (uri: vscode.Uri) => string
}

/**
 * Returns the texts of the comparisons under way, none at first; a new round makes other addresses, so that an editor
 * does not show an old text. A text that is gone is ''.
 */
const createShownTexts = (): ShownTexts => {
  const texts = new Map<string, string>()
  let round = 0
  return {
    renew: () => {
      texts.clear()
      round += 1
    },
    keep: (name, what, text) => {
      const path = name.startsWith('/') ? name : `/${name}`
      const uri = vscode.Uri.from({ scheme: SCHEME, path, query: `${what}-${round}` })
      texts.set(uri.toString(), text)
      return uri
    },
    textOf: (uri) => texts.get(uri.toString()) ?? '',
  }
}

interface ChosenAgent extends vscode.QuickPickItem {
  readonly agent: string
}

/** Returns a file's address and those of both sides of its comparison, before and after, whose texts are kept. */
const comparisonOf = ({ path, diff }: SetupFile, texts: ShownTexts) => {
  const { before = '', after } = sidesOf(diff)
  const changed = texts.keep(path, 'after', after)
  return [changed, texts.keep(path, 'before', before), changed]
}

/** Opens the comparison of all files that would be changed. Texts that were shown before are forgotten. */
const showChanges = async (plan: SetupAnswer, texts: ShownTexts): Promise<void> => {
  texts.renew()
  const files = changedAgents(plan).flatMap(changedFiles)
  await vscode.commands.executeCommand(
    'vscode.changes',
    `${TITLE}: what would be written`,
    files.map((file) => comparisonOf(file, texts)),
  )
}

/** `1 file`, `2 files`. */
const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

/**
 * Asks which agents are to be set up; all are chosen at first. Undefined if the user cancels, empty if none is chosen.
 */
const chooseAgents = async (plan: SetupAnswer): Promise<readonly string[] | undefined> => {
  const items = changedAgents(plan).map((agent): ChosenAgent => {
    const files = changedFiles(agent)
    return {
      agent: agent.agent,
      label: neutraliseLine(agent.name),
      description: count(files.length, 'file', 'files'),
      detail: neutraliseLine(files.map(({ path }) => path).join(', ')),
      picked: true,
    }
  })
  const chosen = await vscode.window.showQuickPick(items, {
    title: `${TITLE}: the changes are shown below`,
    placeHolder: 'Nothing is written before you have said yes once more',
    canPickMany: true,
    // The comparison behind it can be read and scrolled meanwhile.
    ignoreFocusOut: true,
  })
  return chosen?.map(({ agent }) => agent)
}

/** Asks whether to write the files of these agents; false if the user cancels. */
const confirm = async (plan: SetupAnswer, agents: readonly string[]): Promise<boolean> => {
  const files = changedAgents(plan)
    .filter(({ agent }) => agents.includes(agent))
    .flatMap(changedFiles)
  const detail = `${files.map(({ path }) => neutraliseLine(path)).join('\n')}\n\nWhat they hold now is kept beside them.`
  const answer = await vscode.window.showWarningMessage(
    `Change ${count(files.length, 'file', 'files')}?`,
    { modal: true, detail },
    WRITE,
  )
  return answer === WRITE
}

/** Returns why there is nothing to write: why a file can't be changed, all done already, or no agent. */
const nothingToDo = ({ agents }: SetupAnswer): string => {
  const refused = agents.flatMap(({ files }) => files.filter(({ status }) => status === 'refused'))
  const [first] = refused.flatMap(({ notes }) => notes)
  if (first !== undefined) return neutraliseLine(first)
  return agents.some(({ found }) => found)
    ? 'Everything is set up already.'
    : 'No agent was found that has settings in your home folder. In a terminal, "cairn setup claude-code" sets one up all the same.'
}

/** Does `work` with a notification that it is under way; gives what it gives. */
const working = <T>(title: string, work: () => Promise<T>): Thenable<T> =>
  vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, work)

/**
 * Plans, shows the changes, has the user choose agents and confirm, writes theirs and opens a report. If a change to a
 * chosen agent's files is not as shown any more, it shows and asks again. If there is nothing to change or the user
 * cancels, a message says so and nothing is written. Rejects with `read-failed` as `runSetup` does.
 */
const setUp = async (command: CairnCommand, texts: ShownTexts): Promise<void> => {
  const folder = (vscode.workspace.isTrusted ? localFolders()[0] : undefined) ?? homedir()
  const run = { command, folder, variables: process.env }
  let plan = await working('Cairn: looking at your agents’ settings', () => runSetup(run))
  for (;;) {
    if (changedAgents(plan).length === 0) return void vscode.window.showInformationMessage(nothingToDo(plan))
    await showChanges(plan, texts)
    const agents = await chooseAgents(plan)
    if (agents === undefined || agents.length === 0 || !(await confirm(plan, agents)))
      return void vscode.window.showInformationMessage('Nothing was written.')
    // What is written is what was shown: an agent may have changed its settings meanwhile.
    const now = await working('Cairn: setting up', () => runSetup(run))
    if (!sameChanges(plan, now, agents)) {
      void vscode.window.showWarningMessage('A settings file has changed meanwhile; look at the changes again.')
      plan = now
      continue
    }
    const done = await working('Cairn: setting up', () => runSetup({ ...run, agents }))
    const report = await vscode.workspace.openTextDocument(texts.keep('Cairn setup.md', 'report', setupReport(done)))
    await vscode.window.showTextDocument(report)
    const written = writtenFiles(done).length
    return void vscode.window.showInformationMessage(`Cairn wrote ${count(written, 'file', 'files')}.`)
  }
}

/**
 * Registers the command. `bundled`: the `cairn` command inside of the extension, for where there is no other. Without a
 * command it says how to get one.
 */
export const registerSetup = (bundled: CairnCommand | undefined): vscode.Disposable => {
  const texts = createShownTexts()
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: texts.textOf,
    }),
    registerCommand('setUpAgents', "Agents can't be set up", async () => {
      const command = await foundCommand(bundled)
      if (command !== undefined) await setUp(command, texts)
    }),
  )
}
