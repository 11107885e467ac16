/**
 * The engine's part that expands the mentions in a text: files and git come from the caller, sessions and memory from
 * the store.
 */
import { CairnError } from '../errors.ts'
import { assertName, assertText } from '../input.ts'
import type { ContentBlock } from '../messages.ts'
import type { Memory } from '../memory/memory.ts'
import type { Store } from '../ports/store.ts'
import { redact } from '../redaction/index.ts'
import { modelHistory } from '../session/model-history.ts'
import type { ModelMessage } from '../session/model-history.ts'
import { expandMentions } from '../sources/mentions/expand-mentions.ts'
import { visibleName } from '../sources/mentions/delimited.ts'
import type { ExpandedText, MentionLimits, MentionSources, NamedText } from '../sources/mentions/mention-sources.ts'
import type { EngineSessions } from './sessions.ts'

export interface MentionInput extends Pick<MentionSources, 'files' | 'git' | 'problems' | 'selections'>, MentionLimits {
  readonly workspace: string
  /** The session meant by `@session`; default: the newest of the workspace. */
  readonly sessionId?: string
}

export interface EngineMentions {
  /**
   * Expands a text and its mentions into a message's content, with secrets replaced. Reads files and git, writes
   * nothing. Rejects with `invalid-input`, and if the store fails.
   */
  expand(text: string, input: MentionInput): Promise<ExpandedText>
}

interface MentionParts {
  readonly store: Pick<Store, 'sessions'>
  readonly sessions: Pick<EngineSessions, 'find' | 'log'>
  readonly memory: Pick<Memory, 'section'>
}

/**
 * Creates the engine's part for mentions, which reads from the caller's files and from the store. See {@link
 * EngineMentions}. Secrets in what is sent are replaced. `@session` without an id is the session of the call, else the
 * workspace's newest. Rejects with `invalid-input` for what is no text or workspace.
 */
export const createEngineMentions = ({ store, sessions, memory }: MentionParts): EngineMentions => ({
  /** The text with its mentions expanded, secrets replaced; `sessionId` is what `@session` without an id means. */
  expand: async (text, { workspace, sessionId, ...input }) => {
    assertText(text, 'The text')
    assertName(workspace, 'The workspace')
    const expanded = await expandMentions(
      text,
      {
        ...input,
        session: (id) => sessionText(id ?? sessionId, workspace, store, sessions),
        memory: async () => (await memory.section(workspace)).text,
      },
      input,
    )
    return { ...expanded, content: expanded.content.map(withoutSecrets) }
  },
})

const withoutSecrets = (block: ContentBlock): ContentBlock =>
  (block.type === 'text' || block.type === 'file') && block.text !== undefined
    ? { ...block, text: redact(block.text).text }
    : block

/**
 * The text of a session by id, or of the workspace's newest if `id` is undefined, a line for each text, call and file;
 * `refused` says why there is none. Rejects for other errors than an unknown or ambiguous id.
 */
const sessionText = async (
  id: string | undefined,
  workspace: string,
  { sessions: stored }: Pick<Store, 'sessions'>,
  sessions: MentionParts['sessions'],
): Promise<NamedText | { readonly refused: string }> => {
  try {
    const found = id === undefined ? (await stored.list({ workspace, limit: 1 })).sessions[0] : await sessions.find(id)
    if (found === undefined) return { refused: await noSessionText(stored) }
    const messages = modelHistory(await sessions.log(found.id))
    return { name: found.title ?? found.externalId, text: messages.flatMap(messageLines).join('\n') }
  } catch (error) {
    if (!CairnError.is(error)) throw error
    if (error.code === 'ambiguous') return { refused: `Nothing is sent for @session:${id}: ${error.message}` }
    if (error.code !== 'not-found') throw error
    const hasSessions = (await stored.list({ limit: 1 })).sessions.length > 0
    return {
      refused: hasSessions
        ? `The session ${visibleName(id ?? '')} is not in the store; nothing of it is sent.`
        : await noSessionText(stored),
    }
  }
}

/** Why `@session` means nothing, and how sessions get in. */
const noSessionText = async (stored: Store['sessions']): Promise<string> =>
  (await stored.list({ limit: 1 })).sessions.length > 0
    ? 'The store holds no session of this project, so @session sends nothing; cairn import takes in new ones, and @session:<id> names one of another project.'
    : 'The store holds no session yet, so @session sends nothing; cairn import takes in what agents left on this machine.'

/**
 * The texts, tool calls and files of a message, a line each, with its role; of a tool the name alone, of a file the
 * path. Reasoning, images and tool results are left out.
 */
const messageLines = ({ role, content }: ModelMessage): readonly string[] =>
  content.flatMap((block): readonly string[] => {
    if (block.type === 'text') return [`${role}: ${block.text}`]
    if (block.type === 'tool_call') return [`${role} calls ${block.name}`]
    return block.type === 'file' ? [`${role} attaches ${block.path}`] : []
  })
