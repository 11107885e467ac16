/**
 * Cline, Roo and Kilo: one folder for each task, with what the model is sent (`api_conversation_history.json`) and what
 * the user sees (`ui_messages.json`). Messages come from the first file, errors and requests with their recorded cost
 * from the second; both belong to one session, named by the folder. The second file also gives the messages that a
 * condensing removed from the first, and all messages where the first is missing.
 */
import { stringOf } from '../json.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import { parseTaskContext, readTaskContext } from './cline-context.ts'
import { displayParser } from './cline-display-parser.ts'
import { showsReply } from './cline-display.ts'
import { historyParser } from './cline-history.ts'
import { findSummarisedMessages } from './cline-summarised.ts'
import {
  optional,
  pathParts,
  type ImportAgent,
  type ImportEnvironment,
  type Importer,
  type ParserInput,
} from './importer.ts'
import { titleFrom } from './line-values.ts'
import { repositoryByPath } from './workspace.ts'

type ClineAgent = Extract<ImportAgent, 'cline' | 'roo' | 'kilo'>

const HISTORY = /(?:^|[/\\])api_conversation_history\.json$/
const DISPLAY = /(?:^|[/\\])(?:ui_messages|claude_messages)\.json$/
const SIDECARS =
  /(?:^|[/\\])(?:task_metadata|context_history|focus_chain[^/\\]*|history_item|taskHistory|_index|settings|environment_history|mcp_settings|cline_mcp_settings|custom_modes)\.(?:json|md|yaml)$|[/\\]checkpoints[/\\]/

/** The extension that a path belongs to, by the folder that the editor gives each; copies keep these names. */
const OWNERS: readonly (readonly [ClineAgent, RegExp])[] = [
  ['roo', /(?:^|[/\\])(?:rooveterinaryinc\.roo-(?:cline|code)|\.?roo(?:-(?:code|cline))?)[/\\]/i],
  ['kilo', /(?:^|[/\\])(?:kilocode\.kilo-code|\.?kilo(?:-?code)?)[/\\]/i],
]

const EXTENSION_FOLDERS: Readonly<Record<ClineAgent, string>> = {
  cline: 'saoudrizwan.claude-dev',
  roo: 'rooveterinaryinc.roo-cline',
  kilo: 'kilocode.kilo-code',
}

const EDITORS = ['Code', 'Code - Insiders', 'Cursor', 'Windsurf', 'VSCodium'] as const

/** The folders of tasks that an agent's extension has in each editor on this platform, whether they exist or not. */
const extensionFolders = (agent: ClineAgent, { home, platform, variables }: ImportEnvironment): readonly string[] => {
  const configuration =
    platform === 'win32'
      ? (stringOf(variables.APPDATA) ?? `${home}/AppData/Roaming`)
      : platform === 'darwin'
        ? `${home}/Library/Application Support`
        : (stringOf(variables.XDG_CONFIG_HOME) ?? `${home}/.config`)
  const storages = EDITORS.map((editor) => `${configuration}/${editor}/User/globalStorage`)
  const remote = [`${home}/.vscode-server/data/User/globalStorage`, `${home}/.cursor-server/data/User/globalStorage`]
  const folders = [...storages, ...remote].map((storage) => `${storage}/${EXTENSION_FOLDERS[agent]}/tasks`)
  return agent === 'cline' ? [...folders, `${home}/.cline/data/tasks`] : folders
}

/** Whose task it is, by the path; Cline's where that does not tell. */
const agentOfPath = (path: string): ClineAgent => OWNERS.find(([, pattern]) => pattern.test(path))?.[0] ?? 'cline'

const taskPath = (path: string): string => pathParts(path).at(-2) ?? 'unknown'

/**
 * The importer of Cline or one of its forks, whose files have the same form. Whose a file is, is told by its path
 * alone; with the agent given, any task's files are taken.
 */
const importerFor = (agent: ClineAgent): Importer => ({
  agent,
  shared: { agents: ['cline', 'roo', 'kilo'], taskOf: taskPath },
  workspaces: 'folder',
  transcriptFolders: (environment) => extensionFolders(agent, environment),
  recognise: (path, agentGiven = false) => {
    if (HISTORY.test(path) || DISPLAY.test(path))
      return agentGiven || agentOfPath(path) === agent ? 'transcript' : 'unknown'
    return SIDECARS.test(path) ? 'sidecar' : 'unknown'
  },
  // Recognised by name alone: the elements of both files look like those of other agents.
  sniff: () => false,
  format: () => 'elements',
  context: async (path, fileSystem) => {
    const { uses, workspace, title, hasHistory } = await readTaskContext(folderOf(path), fileSystem)
    const lost = HISTORY.test(path)
      ? await findSummarisedMessages(folderOf(path), fileSystem)
      : { messages: [], isWhole: true }
    return {
      uses: uses.map((use) => ({ ...use })),
      workspace,
      title,
      lost: lost.messages.map((message) => ({ ...message })),
      isWhole: lost.isWhole,
      display: DISPLAY.test(path) && !hasHistory ? await displayAlone(path, fileSystem) : 'beside',
    }
  },
  parser: (input) => (DISPLAY.test(input.path) ? displayParser : historyParser)(factsFor(agent, input), input),
})

/** Imports Cline's tasks; Roo and Kilo write the same files. */
export const clineImporter: Importer = importerFor('cline')
/** Imports Roo Code's tasks. */
export const rooImporter: Importer = importerFor('roo')
/** Imports Kilo Code's tasks. */
export const kiloImporter: Importer = importerFor('kilo')

/** `alone`: messages are taken from the display; `empty`: it shows no reply, so there is nothing to import. */
const displayAlone = async (path: string, fileSystem: Pick<FileSystem, 'read'>): Promise<'alone' | 'empty'> =>
  (await showsReply(path, fileSystem)) ? 'alone' : 'empty'

const folderOf = (path: string): string => path.replace(/[/\\][^/\\]*$/, '')

/**
 * The session's facts; its id in the store is that of the task's folder. A workspace inside a repository is that
 * repository.
 */
const factsFor = (agent: ClineAgent, input: ParserInput): SessionFacts => {
  const { workspace, title } = parseTaskContext(input.context)
  const externalId = taskPath(input.path)
  const named = title === undefined ? undefined : titleFrom(title)
  return {
    id: `${agent}:${externalId}`,
    agent,
    externalId,
    ...optional('workspace', workspace === undefined ? undefined : repositoryByPath(workspace)),
    ...optional('title', named),
  }
}
