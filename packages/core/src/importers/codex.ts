/**
 * Codex: `sessions/YYYY/MM/DD/rollout-*.jsonl`, lines `{timestamp, type, payload}`. Usage is in
 * `token_count` events after each response. A subagent's rollout belongs to its parent's session; a
 * fork is a session of its own, whose copied requests keep the keys they have in the parent's file.
 */
import { isJsonObject, stringOf } from '../json.ts'
import { LINE_HANDLERS } from './codex-lines.ts'
import { CODEX, CodexSession } from './codex-session.ts'
import { NO_ENTRIES, type FileParser, type Importer, type ParserInput } from './importer.ts'
import { parseTime } from './line-values.ts'

const ROLLOUT = /(?:^|[/\\])rollout-[^/\\]*\.jsonl(?:\.gz|\.zst)?$/
const SIDECARS =
  /(?:^|[/\\])(?:history\.jsonl|session_index\.jsonl|[^/\\]+\.sqlite(?:-wal|-shm)?|auth\.json|config\.toml|models_cache\.json|version\.json)$/

/** The importer of Codex's rollouts. */
export const codexImporter: Importer = {
  agent: CODEX,
  workspaces: 'folder',
  transcriptFolders: ({ home, variables }) => {
    const root = stringOf(variables.CODEX_HOME) ?? `${home}/.codex`
    return [`${root}/sessions`, `${root}/archived_sessions`]
  },
  recognise: (path) => (ROLLOUT.test(path) ? 'transcript' : SIDECARS.test(path) ? 'sidecar' : 'unknown'),
  sniff: (line) =>
    isJsonObject(line) && typeof line.type === 'string' && LINE_HANDLERS.has(line.type) && isJsonObject(line.payload),
  format: () => 'lines',
  parser: (input) => createParser(input),
}

/**
 * Parses a rollout line by line; `state` continues where an earlier run stopped. Lines that are no JSON objects are
 * skipped.
 */
const createParser = ({ path, hasher, state }: ParserInput): FileParser => {
  const session = new CodexSession(path, hasher, state)
  return {
    parse: (value, context) => {
      if (!isJsonObject(value)) return { entries: NO_ENTRIES, skip: 'not a JSON object' }
      // The oldest rollouts have the items bare, without an envelope.
      const payload = isJsonObject(value.payload) ? value.payload : value
      const line = { payload, at: parseTime(value.timestamp), context }
      return LINE_HANDLERS.get(value.type)?.(session, line) ?? { session: session.facts, entries: NO_ENTRIES }
    },
    folder: () => session.folder,
    state: () => session.state(),
  }
}
