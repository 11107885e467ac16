/**
 * GitHub Copilot CLI: `session-state/<session>/events.jsonl`, lines `{type, data, id, timestamp, parentId, agentId?}`, and
 * beside it `workspace.yaml` with the session's folder, branch and name. A session goes on in the same file when it is
 * resumed, and its subagents' events stand between its own. Since 1.0.102 each request has a `session.usage_record`;
 * before, messages have their output and `session.shutdown` the session's totals.
 */
import { isJsonObject, objectOf, stringOf, type JsonValue } from '../json.ts'
import { LINE_HANDLERS } from './copilot-lines.ts'
import { COPILOT, CopilotSession } from './copilot-session.ts'
import { readWorkspaceFile } from './copilot-workspace-file.ts'
import { NO_ENTRIES, type FileParser, type Importer, type ParserInput } from './importer.ts'
import { parseTime } from './line-values.ts'

/** Early versions had a file for each session instead of a folder. */
const EVENTS = /[/\\]session-state[/\\](?:[^/\\]+[/\\]events|[^/\\]+)\.jsonl(?:\.gz|\.zst)?$/
/** What else a session's folder holds: what the agent was given, made and took away. Any of it may look like a transcript. */
const SIDECARS =
  /[/\\]session-state[/\\](?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[/\\].|[^/\\]+\.lock$)|(?:^|[/\\])workspace\.yaml$/i

/** Totals call the main conversation so. */
const MAIN = 'main'

/** The importer of Copilot CLI's sessions. */
export const copilotImporter: Importer = {
  agent: COPILOT,
  workspaces: 'folder',
  transcriptFolders: ({ home, variables }) => [
    `${stringOf(variables.COPILOT_HOME) ?? `${home}/.copilot`}/session-state`,
  ],
  recognise: (path) => (EVENTS.test(path) ? 'transcript' : SIDECARS.test(path) ? 'sidecar' : 'unknown'),
  sniff: (line) =>
    isJsonObject(line) &&
    typeof line.type === 'string' &&
    LINE_HANDLERS.has(line.type) &&
    isJsonObject(line.data) &&
    typeof line.id === 'string' &&
    'parentId' in line,
  format: () => 'lines',
  context: async (path, fileSystem) => ({ ...(await readWorkspaceFile(path, fileSystem)) }),
  parser: (input) => createParser(input),
}

/**
 * Parses a log of events line by line; `state` continues where an earlier run stopped. Lines that are no JSON objects
 * are skipped.
 */
const createParser = ({ path, state, context }: ParserInput): FileParser => {
  const session = new CopilotSession(path, objectOf(state), objectOf(context))
  return {
    /** A line as entries of the session; none for an unknown type. A line without an id gets one made of its text. */
    parse: (value, lineContext) => {
      if (!isJsonObject(value)) return { entries: NO_ENTRIES, skip: 'not a JSON object' }
      const data = objectOf(value.data)
      const line = {
        data,
        id: stringOf(value.id) ?? lineContext.identity(),
        at: parseTime(value.timestamp),
        subagent: subagentOf(value.agentId) ?? stringOf(data.parentToolCallId),
      }
      return LINE_HANDLERS.get(value.type)?.(session, line) ?? { session: session.facts, entries: NO_ENTRIES }
    },
    state: () => session.state(),
  }
}

/** Early versions named the call that had started the subagent instead, in the event's data. */
const subagentOf = (agent: JsonValue | undefined): string | undefined => (agent === MAIN ? undefined : stringOf(agent))
