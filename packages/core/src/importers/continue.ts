/**
 * Continue: `~/.continue/sessions/<session>.json`, one document a session, rewritten at each change by the command
 * line and by the editors' extensions; `sessions.json` lists them.
 */
import { isJsonObject, stringOf } from '../json.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import { HISTORY, parseFieldsBeside, readSessionContext, type FieldsBeside } from './continue-context.ts'
import { historyItems } from './continue-items.ts'
import { baseName, optional, type Importer } from './importer.ts'
import { titleFrom } from './line-values.ts'
import { workspaceAt } from './workspace.ts'

/** The name under which Continue's sessions are stored. */
const CONTINUE = 'continue'

const SIDECARS = /(?:^|[/\\])sessions[/\\]sessions\.json$|[/\\]\.continue[/\\](?!sessions[/\\][^/\\]+\.json)/
const SESSION = /[/\\]\.continue[/\\]sessions[/\\][^/\\]+\.json(?:\.gz|\.zst)?$/

/** The importer of Continue's sessions. */
export const continueImporter: Importer = {
  agent: CONTINUE,
  workspaces: 'folder',
  transcriptFolders: ({ home, variables }) => [
    `${stringOf(variables.CONTINUE_GLOBAL_DIR) ?? `${home}/.continue`}/sessions`,
  ],
  /** By path: a sidecar, or a session below Continue's folder; any session if the user named the agent. */
  recognise: (path, agentGiven = false) => {
    if (SIDECARS.test(path)) return 'sidecar'
    return SESSION.test(path) || (agentGiven && /[/\\]sessions[/\\][^/\\]+\.json$/.test(path))
      ? 'transcript'
      : 'unknown'
  },
  sniff: (line) => isJsonObject(line) && typeof line.sessionId === 'string' && Array.isArray(line.history),
  sniffDocument: (head) =>
    [/"sessionId"\s*:\s*"/, /"workspaceDirectory"\s*:/, /"history"\s*:\s*\[/].every((mark) => mark.test(head)),
  format: () => 'elements',
  arrayField: HISTORY,
  context: (path, fileSystem) => readSessionContext(path, fileSystem),
  parser: ({ path, context, hasher }) => {
    const known = parseFieldsBeside(context)
    return historyItems(factsOf(known, path), known, hasher)
  },
}

/**
 * The session's facts, its id from the file's name if the file has none. A folder inside a repository is that
 * repository.
 */
const factsOf = ({ session, title, folder }: FieldsBeside, path: string): SessionFacts => {
  const externalId = session ?? baseName(path)
  return {
    id: `${CONTINUE}:${externalId}`,
    agent: CONTINUE,
    externalId,
    ...optional('workspace', folder === undefined ? undefined : workspaceAt(undefined, folder)),
    ...optional('title', title === undefined ? undefined : titleFrom(title)),
  }
}
