/**
 * Claude Code: `projects/<folder>/<session>.jsonl`, a line a content block or event. Subagents write
 * files of their own (`subagents/agent-*.jsonl`, older: beside the session) and are repeated in the
 * parent's `progress` lines; all of it belongs to the parent's session.
 */
import { isJsonObject, objectOf, stringOf } from '../json.ts'
import { LINE_HANDLERS } from './claude-code-lines.ts'
import { CLAUDE_CODE, ClaudeCodeSession } from './claude-code-session.ts'
import { NO_ENTRIES, type FileParser, type Importer, type ParserInput } from './importer.ts'

const SIDECARS =
  /(?:^|[/\\])(?:sessions-index\.json|[^/\\]+\.meta\.json|tool-results[/\\][^/\\]+|memory[/\\][^/\\]+\.md|MEMORY\.md|CLAUDE\.md|settings(?:\.local)?\.json)$/
const SESSION_FILE =
  /(?:^|[/\\])(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|agent-[^/\\]+)\.jsonl(?:\.gz|\.zst)?$/
/** Cursor names files alike, in a folder of its own. */
const OF_CURSOR = /(?:^|[/\\])\.cursor[/\\]/
const IN_PROJECT = /(?:^|[/\\])projects[/\\][^/\\]+[/\\]/

/** The importer of Claude Code's transcripts. */
export const claudeCodeImporter: Importer = {
  agent: CLAUDE_CODE,
  workspaces: 'folder',
  /** The folders of `CLAUDE_CONFIG_DIR` if set, otherwise both usual ones; none is checked for existence. */
  transcriptFolders: ({ home, variables }) => {
    const configured = stringOf(variables.CLAUDE_CONFIG_DIR)
    // Several folders may be given, separated by commas.
    const roots =
      configured === undefined
        ? [`${home}/.claude`, `${home}/.config/claude`]
        : configured
            .split(',')
            .map((root) => root.trim())
            .filter((root) => root !== '')
    return roots.map((root) => `${root}/projects`)
  },
  /** A subagent's and any other session file is a transcript by its path; Cursor's, in the same form, are not. */
  recognise: (path) => {
    if (OF_CURSOR.test(path)) return 'unknown'
    if (SESSION_FILE.test(path) && IN_PROJECT.test(path)) return 'transcript'
    return SIDECARS.test(path) ? 'sidecar' : 'unknown'
  },
  sniff: (line) =>
    isJsonObject(line) &&
    ((typeof line.sessionId === 'string' &&
      typeof line.type === 'string' &&
      ('uuid' in line || 'operation' in line || 'prNumber' in line || 'permissionMode' in line)) ||
      (line.type === 'summary' && typeof line.leafUuid === 'string') ||
      (line.type === 'file-history-snapshot' && typeof line.messageId === 'string')),
  format: () => 'lines',
  parser: (input) => createParser(input),
}

/**
 * Parses a transcript line by line; `state` continues where an earlier run stopped. Lines that are no JSON objects are
 * skipped.
 */
const createParser = ({ path, state }: ParserInput): FileParser => {
  const session = new ClaudeCodeSession(path, objectOf(state))
  return {
    /**
     * A line as entries. One of an unknown type gives none, and no session either before a line has confirmed it. A
     * title that was kept back goes out with the first line that names the session.
     */
    parse: (line, context) => {
      if (!isJsonObject(line)) return { entries: NO_ENTRIES, skip: 'not a JSON object' }
      session.follow(line)
      const parsed =
        LINE_HANDLERS.get(line.type)?.(session, line, context) ??
        (session.isConfirmed ? { session: session.facts, entries: NO_ENTRIES } : { entries: NO_ENTRIES })
      if (parsed.session === undefined) return parsed
      const title = session.takeKeptTitle()
      return title === undefined ? parsed : { ...parsed, session: { ...parsed.session, title } }
    },
    folder: () => session.folder,
    state: () => session.state(),
  }
}
