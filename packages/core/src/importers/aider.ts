/**
 * Aider: `.aider.chat.history.md` in the folder where it was started, Markdown that holds all chats of that folder. It has
 * tokens, rounded to two or three digits, and the cost of each message. The log of `--analytics-log` has the same requests
 * without their chats; taken in too, they would count twice.
 */
import { stringOf } from '../json.ts'
import { AIDER, sectionParser } from './aider-parser.ts'
import { historyRecords } from './aider-records.ts'
import type { Importer } from './importer.ts'

const HISTORY = /(?:^|[/\\])\.aider\.chat\.history\.md$/
const SIDECARS =
  /(?:^|[/\\])\.aider\.(?:input\.history|llm\.history|conf\.yml|model\.[^/\\]*|tags\.cache[^/\\]*[/\\].*)$/

/** The importer of Aider's chat histories. */
export const aiderImporter: Importer = {
  agent: AIDER,
  workspaces: 'folder',
  // Histories lie in the projects, of which there is no list.
  transcriptFolders: ({ home, variables }) => [
    stringOf(variables.AIDER_CHAT_HISTORY_FILE) ?? `${home}/.aider.chat.history.md`,
  ],
  recognise: (path) => {
    if (HISTORY.test(path)) return 'transcript'
    return SIDECARS.test(path) ? 'sidecar' : 'unknown'
  },
  sniff: () => false,
  sniffDocument: (head) => /^# aider chat started at \d{4}-/m.test(head),
  format: () => 'records',
  records: historyRecords,
  parser: sectionParser,
}
