/**
 * Cline, Roo and Kilo: a folder a task, with the model's history (`api_conversation_history.json`) and
 * the display's (`ui_messages.json`). Messages come from the first, requests with their recorded cost
 * and errors from the second; both give entries to one session, named by the folder. What a condensing took out of
 * the first is taken from the second, and all messages where the first is missing.
 */
import { countOf, isJsonObject, objectOf, parseJsonObject, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { nanoFromUsd } from '../money.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import { contentBlocks, onlyToolResults } from './anthropic-content.ts'
import { parseEnvironment, readTaskContext, parseTaskContext, modelUseAt } from './cline-context.ts'
import { createShownMessages, displayContent, NO_REPLY_SHOWN } from './cline-display.ts'
import {
  summarisedBlock,
  parseSummarisedMessages,
  findSummarisedMessages,
  summarisedUntil,
} from './cline-summarised.ts'
import {
  NO_ENTRIES,
  optional,
  pathParts,
  type FileParser,
  type ImportAgent,
  type ImportEnvironment,
  type Importer,
  type LineContext,
  type ParsedLine,
  type ParserInput,
} from './importer.ts'
import { isProgramContent, isRequest, userAuthoredText } from '../user-words/user-words.ts'
import { parseTime, titleFrom } from './line-values.ts'
import { todoWrites } from './todo-writes.ts'
import { repositoryByPath } from './workspace.ts'

type ClineAgent = Extract<ImportAgent, 'cline' | 'roo' | 'kilo'>

const HISTORY = /(?:^|[/\\])api_conversation_history\.json$/
const DISPLAY = /(?:^|[/\\])(?:ui_messages|claude_messages)\.json$/
const SIDECARS =
  /(?:^|[/\\])(?:task_metadata|context_history|focus_chain[^/\\]*|history_item|taskHistory|_index|settings|environment_history|mcp_settings|cline_mcp_settings|custom_modes)\.(?:json|md|yaml)$|[/\\]checkpoints[/\\]/

/** Which extension a path belongs to, by the folder that the editor gives each; the names are used in copies, too. */
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

const agentOfPath = (path: string): ClineAgent => OWNERS.find(([, pattern]) => pattern.test(path))?.[0] ?? 'cline'

const taskPath = (path: string): string => pathParts(path).at(-2) ?? 'unknown'

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
      display: DISPLAY.test(path) && !hasHistory ? await displayContent(path, fileSystem) : 'beside',
    }
  },
  parser: (input) => (DISPLAY.test(input.path) ? displayParser(agent, input) : historyParser(agent, input)),
})

/** Imports Cline's tasks; Roo and Kilo write the same files. */
export const clineImporter: Importer = importerFor('cline')
/** Imports Roo Code's tasks. */
export const rooImporter: Importer = importerFor('roo')
/** Imports Kilo Code's tasks. */
export const kiloImporter: Importer = importerFor('kilo')

const folderOf = (path: string): string => path.replace(/[/\\][^/\\]*$/, '')

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

const historyParser = (agent: ClineAgent, input: ParserInput): FileParser => {
  const facts = factsFor(agent, input)
  const { uses } = parseTaskContext(input.context)
  let titled = facts.title !== undefined || objectOf(input.state).titled === true
  let title: string | undefined
  const occurrences = new Map<string, number>()
  /** What an earlier import has read before it was lost is in the session already. */
  const knownUntil = summarisedUntil(input.earlier)
  const { lost: all, isWhole } = objectOf(input.context)
  const lost = parseSummarisedMessages(all).filter((message) => message.at > knownUntil)
  let newestAt = -Infinity

  /** What a summary stands for, before the entry that takes it out of view. */
  const lostUntil = (at: number | null): readonly EntryWrite[] => {
    const before = lost.findIndex((message) => at === null || message.at >= at)
    return lost.splice(0, before === -1 ? lost.length : before).flatMap((message): readonly EntryWrite[] => {
      const stamp = `ui:${message.at}:${message.kind}`
      const earlier = occurrences.get(stamp) ?? 0
      occurrences.set(stamp, earlier + 1)
      const id = earlier === 0 ? stamp : `${stamp}.${earlier}`
      const { model, mode } = modelUseAt(uses, message.at)
      const { role } = message
      const content = [summarisedBlock(message)]
      const write: EntryWrite = {
        entry: {
          kind: 'message',
          id,
          at: message.at,
          role,
          content,
          ...optional('model', role === 'assistant' ? model : undefined),
          ...optional('mode', mode),
          ...(message.isProgram ? { origin: 'meta' as const } : {}),
        },
        externalId: id,
      }
      return role === 'assistant' ? [write, ...todoWrites(id, message.at, content)] : [write]
    })
  }

  const parse = (value: JsonValue, context: LineContext): ParsedLine => {
    if (!isJsonObject(value)) return { entries: NO_ENTRIES, skip: 'not a JSON object' }
    const at = parseTime(value.ts)
    if (at !== null && value.isSummary !== true) newestAt = Math.max(newestAt, at)
    const content = contentBlocks(value.content)
    const use = modelUseAt(uses, at)
    const assistant = value.role === 'assistant'
    // Ids come with newer versions only, and saved messages get marks later on (condensed, truncated), so
    // the text does not identify them: time and role do, with a count for those that share both.
    const stamp = stringOf(value.id) ?? (at === null ? context.identity() : `${at}:${assistant ? 'assistant' : 'user'}`)
    const before = occurrences.get(stamp) ?? 0
    occurrences.set(stamp, before + 1)
    const id = before === 0 ? stamp : `${stamp}.${before}`
    const words =
      assistant || titled || value.isSummary === true ? undefined : userAuthoredText({ role: 'user', content })
    if (words !== undefined) {
      title = titleFrom(words) ?? title
      // Greetings give way to the first request.
      titled = title !== undefined && isRequest(words)
    }
    const model = stringOf(objectOf(value.modelInfo).modelId) ?? use.model
    const mode = stringOf(objectOf(value.modelInfo).mode) ?? use.mode
    const entries: EntryWrite[] = []
    if (value.isSummary === true) {
      for (const entry of lostUntil(at)) entries.push(entry)
      entries.push({
        entry: { kind: 'compaction', at, trigger: 'condense' },
        externalId: `${id}.compaction`,
      })
    }
    entries.push({
      entry: {
        kind: 'message',
        id,
        at,
        role: assistant ? 'assistant' : onlyToolResults(content) ? 'tool' : 'user',
        content,
        ...optional('model', assistant ? model : undefined),
        ...optional('mode', mode),
        ...(value.isSummary === true
          ? { origin: 'summary' as const }
          : !assistant && isProgramContent(content)
            ? { origin: 'meta' as const }
            : {}),
      },
      externalId: id,
    })
    if (assistant && value.isSummary !== true) entries.push(...todoWrites(id, at, content))
    return { session: title === undefined ? facts : { ...facts, title }, entries }
  }
  const time = (at: number): number | null => (at === -Infinity ? null : at)
  return {
    parse,
    state: () => ({ titled, summarisedUntil: time(knownUntil), reading: isWhole === true ? time(newestAt) : null }),
  }
}

const displayParser = (agent: ClineAgent, input: ParserInput): FileParser => {
  const facts = factsFor(agent, input)
  const { uses } = parseTaskContext(input.context)
  const { display } = objectOf(input.context)
  const occurrences = new Map<string, number>()
  let titled = facts.title !== undefined
  let title: string | undefined
  const shown = createShownMessages(uses)

  const request = (line: JsonObject, at: number | null, context: LineContext): readonly EntryWrite[] => {
    const told = parseJsonObject(stringOf(line.text) ?? '')
    const usage = {
      inputTokens: countOf(told.tokensIn),
      cacheReadTokens: countOf(told.cacheReads),
      cacheWrite5mTokens: countOf(told.cacheWrites),
      cacheWrite1hTokens: 0,
      outputTokens: countOf(told.tokensOut),
    }
    const tokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWrite5mTokens + usage.outputTokens
    const recorded =
      typeof told.cost === 'number' && Number.isFinite(told.cost) && told.cost >= 0 ? told.cost : undefined
    // Still running, or cancelled before the provider told anything.
    if (tokens === 0 && (recorded === undefined || recorded === 0)) return NO_ENTRIES
    const stamp = at === null ? context.identity() : String(at)
    const before = occurrences.get(stamp) ?? 0
    occurrences.set(stamp, before + 1)
    const ordinal = before === 0 ? stamp : `${stamp}.${before}`
    const environment = parseEnvironment(stringOf(told.request) ?? '')
    const use = modelUseAt(uses, at)
    const info = objectOf(line.modelInfo)
    const model = stringOf(info.modelId) ?? environment?.model ?? use.model ?? 'unknown'
    const mode = stringOf(info.mode) ?? environment?.mode ?? use.mode
    const provider = stringOf(info.providerId) ?? use.provider
    // Inner calls that an aggregate row stands for (deleted_api_reqs) were made by whatever model was in use.
    return [
      {
        entry: { kind: 'model', at, model, ...optional('provider', provider), ...optional('mode', mode) },
        externalId: `request:${ordinal}`,
        request: {
          callId: `${facts.externalId}:${ordinal}`,
          at,
          model,
          ...usage,
          ...optional('provider', provider),
          ...optional('mode', mode),
          ...optional('workspace', facts.workspace),
          costNano: recorded !== undefined && recorded > 0 ? nanoFromUsd(recorded) : null,
          costState: recorded !== undefined && recorded > 0 ? 'recorded' : 'unpriced',
        },
      },
    ]
  }

  const parse = (value: JsonValue, context: LineContext): ParsedLine => {
    if (display === 'empty') return { entries: NO_ENTRIES, ...(context.number === 1 ? { skip: NO_REPLY_SHOWN } : {}) }
    if (!isJsonObject(value)) return { session: facts, entries: NO_ENTRIES, skip: 'not a JSON object' }
    const at = parseTime(value.ts)
    const message = display === 'alone' ? shown(value, at) : undefined
    if (message !== undefined) {
      const first = message.entry.kind === 'message' ? message.entry.content[0] : undefined
      if (!titled && first?.type === 'text') title = titleFrom(first.text)
      titled ||= title !== undefined
      return { session: title === undefined ? facts : { ...facts, title }, entries: [message] }
    }
    if (value.say === 'api_req_started' || value.say === 'deleted_api_reqs')
      return { session: facts, entries: request(value, at, context) }
    const failed =
      value.say === 'error' ||
      value.say === 'diff_error' ||
      value.ask === 'api_req_failed' ||
      value.say === 'api_req_retry_delayed'
    const text = stringOf(value.text)
    if (!failed || value.partial === true || text === undefined) return { session: facts, entries: NO_ENTRIES }
    return {
      session: facts,
      entries: [{ entry: { kind: 'notice', at, level: 'error', text }, externalId: context.identity() }],
    }
  }
  // The whole file is read again after each change, so nothing needs to be remembered.
  return { parse, state: () => null }
}
