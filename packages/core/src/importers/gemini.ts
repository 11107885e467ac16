/**
 * Gemini CLI: `~/.gemini/tmp/<project>/chats/session-*.jsonl`, a header and then a row a change; a subagent's chat lies in
 * a folder named by its session. Older versions wrote a chat as one document, `session-*.json`, again at each change.
 */
import { isJsonObject, stringOf } from '../json.ts'
import { MESSAGES, readChatContext } from './gemini-context.ts'
import { isHeader, parseRow } from './gemini-lines.ts'
import { GEMINI, GeminiSession } from './gemini-session.ts'
import { NO_ENTRIES, type FileParser, type Importer, type ParserInput } from './importer.ts'

const CHAT = /[/\\]\.gemini[/\\]tmp[/\\][^/\\]+[/\\]chats[/\\](?:[^/\\]+[/\\])?[^/\\]+\.jsonl?(?:\.gz|\.zst)?$/
/** A document is known by its place alone: its first line says nothing. */
const DOCUMENT = /[/\\]chats[/\\]session-[^/\\]*\.json(?:\.gz|\.zst)?$/
const SIDECARS = /[/\\]\.gemini[/\\]|[/\\]\.project_root$/

const isDocument = (path: string): boolean => /\.json(?:\.gz|\.zst)?$/.test(path)

/** The importer of Gemini CLI's chats. */
export const geminiImporter: Importer = {
  agent: GEMINI,
  workspaces: 'folder',
  transcriptFolders: ({ home, variables }) => [`${stringOf(variables.GEMINI_CLI_HOME) ?? home}/.gemini/tmp`],
  recognise: (path) => {
    if (CHAT.test(path) || DOCUMENT.test(path)) return 'transcript'
    return SIDECARS.test(path) ? 'sidecar' : 'unknown'
  },
  sniff: (line) => isJsonObject(line) && isHeader(line) && typeof line.projectHash === 'string',
  sniffDocument: (head) => /"sessionId"\s*:\s*"/.test(head) && /"projectHash"\s*:\s*"/.test(head),
  format: (path) => (isDocument(path) ? 'elements' : 'lines'),
  arrayField: MESSAGES,
  context: (path, fileSystem) => readChatContext(path, isDocument(path), fileSystem),
  parser: (input) => createParser(input),
}

/**
 * Parses a session's rows one by one; `state` continues where an earlier run stopped. Rows that are no JSON objects are
 * skipped.
 */
const createParser = (input: ParserInput): FileParser => {
  const session = new GeminiSession(input, input.state)
  return {
    parse: (row, context) => {
      if (!isJsonObject(row)) return { entries: NO_ENTRIES, skip: 'not a JSON object' }
      const parsed = parseRow(session, row, context)
      return { ...parsed, session: session.takeFacts() }
    },
    state: () => session.state(),
  }
}
