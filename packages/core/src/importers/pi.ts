/** Pi: `~/.pi/agent/sessions/<folder>/<time>_<session>.jsonl`; a header, then one line for each entry of its tree. */
import { isJsonObject, stringOf } from '../json.ts'
import { NO_ENTRIES, type FileParser, type Importer, type ParserInput } from './importer.ts'
import { LINE_HANDLERS, MESSAGE_TYPES } from './pi-lines.ts'
import { PI, PiSession } from './pi-session.ts'

/** The importer of pi's sessions. */
export const piImporter: Importer = {
  agent: PI,
  workspaces: 'folder',
  transcriptFolders: ({ home, variables }) => [
    `${stringOf(variables.PI_CODING_AGENT_DIR) ?? `${home}/.pi/agent`}/sessions`,
  ],
  recognise: (path) =>
    /[/\\]\.pi[/\\]agent[/\\](?:sessions[/\\])?.*\.jsonl(?:\.gz|\.zst)?$/.test(path) ? 'transcript' : 'unknown',
  sniff: (line) =>
    isJsonObject(line) && line.type === 'session' && typeof line.id === 'string' && typeof line.cwd === 'string',
  format: () => 'lines',
  parser: (input) => createParser(input),
}

/**
 * Parses a session line by line; `state` continues where an earlier run stopped. Lines that are no JSON objects are
 * skipped.
 */
const createParser = ({ path, state }: ParserInput): FileParser => {
  const session = new PiSession(path, state)
  return {
    parse: (line, context) => {
      if (!isJsonObject(line)) return { entries: NO_ENTRIES, skip: 'not a JSON object' }
      const id = stringOf(line.id) ?? context.identity()
      if (line.type !== 'session') session.follow(id, MESSAGE_TYPES.has(line.type))
      return LINE_HANDLERS.get(line.type)?.(session, line, id) ?? { session: session.facts, entries: NO_ENTRIES }
    },
    folder: () => session.folder,
    state: () => session.state(),
  }
}
