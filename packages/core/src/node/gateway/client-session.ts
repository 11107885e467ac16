/** Which agent a request is from, and in which of its sessions and folders: by its headers and by what its body says. */
import type { IncomingHttpHeaders } from 'node:http'
import { isUuid } from '../../incognito/incognito-record.ts'
import { parseJsonObject, stringOf } from '../../json.ts'
import { headerOf } from './headers.ts'
import type { ReadRequest } from './read-request.ts'

/** The agent of sessions of clients that don't tell which one they are. */
export const GATEWAY_AGENT = 'gateway'

export interface ClientSession {
  /** As importers name it. */
  readonly agent: 'claude-code' | 'codex' | typeof GATEWAY_AGENT
  /** The client's own id for the session; undefined: the conversation tells. */
  readonly externalId: string | undefined
  /** Where the agent works; undefined where it does not say. */
  readonly folder: string | undefined
  /** Who asks beside the main conversation. */
  readonly subagent: string | undefined
}

/**
 * Whose session a request belongs to, and its folder. Our own header `x-cairn-workspace` comes before the folder that
 * Claude Code and Codex tell; with `x-cairn-session` the session is that of the agent `gateway`, whoever asks, as for a
 * client that is not known. `read`: the body, where it could be read. Never throws.
 */
export const clientSession = (headers: IncomingHttpHeaders, read: ReadRequest | undefined): ClientSession => {
  const known = claudeCode(headers, read) ?? codex(headers, read)
  const folder = headerOf(headers, 'x-cairn-workspace') ?? known?.folder
  const named = headerOf(headers, 'x-cairn-session')?.slice(0, LONGEST_ID)
  if (known === undefined || named !== undefined)
    return { agent: GATEWAY_AGENT, externalId: named, folder, subagent: undefined }
  return { ...known, folder }
}

const LONGEST_ID = 200

/**
 * The session that Claude Code names, by a header or its user id; undefined if the request names none. A request
 * without tools counts as a subagent's (`request`).
 */
const claudeCode = (headers: IncomingHttpHeaders, read: ReadRequest | undefined): ClientSession | undefined => {
  const userId = read?.userId ?? ''
  const session =
    headerOf(headers, 'x-claude-code-session-id') ??
    stringOf(userId.startsWith('{') ? parseJsonObject(userId).session_id : undefined) ??
    /_session_([0-9a-f-]{36})$/i.exec(userId)?.[1]
  if (session === undefined || !isUuid(session)) return undefined
  return {
    agent: 'claude-code',
    externalId: session,
    folder: /^\s*(?:- )?(?:Primary w|W)orking directory: (\S.*?)\s*$/m.exec(read?.system ?? '')?.[1],
    // Titles and the like are asked for without tools.
    subagent: read?.hasTools === false ? 'request' : undefined,
  }
}

/** The session that Codex names; undefined if the request is not Codex's, or of no session. */
const codex = (headers: IncomingHttpHeaders, read: ReadRequest | undefined): ClientSession | undefined => {
  const client = headerOf(headers, 'originator') ?? headerOf(headers, 'user-agent') ?? ''
  if (!/^codex/i.test(client)) return undefined
  const session = ['session_id', 'session-id', 'conversation_id']
    .map((name) => headerOf(headers, name))
    .concat(read?.cacheKey)
    .find((id) => id !== undefined && isUuid(id))
  if (session === undefined) return undefined
  return {
    agent: 'codex',
    externalId: session,
    folder: read === undefined ? undefined : codexFolder(read),
    subagent: headerOf(headers, 'x-openai-subagent'),
  }
}

/** The folder that Codex tells in the first user message with one; undefined if none has. */
const codexFolder = ({ messages }: ReadRequest): string | undefined => {
  for (const { role, content } of messages)
    for (const block of role === 'user' ? content : []) {
      const folder = block.type === 'text' ? /<cwd>([^<\n]+)<\/cwd>/.exec(block.text)?.[1] : undefined
      if (folder !== undefined) return folder
    }
  return undefined
}
