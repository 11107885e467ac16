/**
 * CLIO: `<project>/.clio/sessions/<session>.json`, one document with the messages (`history`), all messages that there ever
 * were (`yarn`), and the tokens of each request (`billing`). It is rewritten at each change, so what is new in it is
 * found by the messages' ids. It holds no word of what the provider cached.
 */
import { isJsonObject } from '../json.ts'
import { CLIO, clioParser } from './clio-messages.ts'
import { clioRecords } from './clio-records.ts'
import type { Importer } from './importer.ts'

const SESSION_FILE = /(?:^|[/\\])\.clio[/\\]sessions[/\\][^/\\]+\.json$/
const SIDECARS = /(?:^|[/\\])\.clio[/\\]/

/** The importer of CLIO's sessions. */
export const clioImporter: Importer = {
  agent: CLIO,
  workspaces: 'folder',
  // Sessions lie in the projects; only those of the home folder itself have a usual place.
  transcriptFolders: ({ home }) => [`${home}/.clio/sessions`],
  recognise: (path) => (SESSION_FILE.test(path) ? 'transcript' : SIDECARS.test(path) ? 'sidecar' : 'unknown'),
  sniff: (document) =>
    isJsonObject(document) &&
    Array.isArray(document.history) &&
    typeof document.working_directory === 'string' &&
    ('yarn' in document || 'stm' in document),
  format: () => 'records',
  records: clioRecords,
  parser: () => clioParser,
}
