/** What is known about a chat of Gemini CLI from the lines read so far: the parser's state. */
import { objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import { parseChatContext, type ChatContext } from './gemini-context.ts'
import { GeminiHistory } from './gemini-history.ts'
import { baseName, optional, pathParts, type ParserInput } from './importer.ts'
import { titleFrom } from './line-values.ts'
import { workspaceAt } from './workspace.ts'

/** The name under which Gemini CLI's sessions are stored. */
export const GEMINI = 'gemini'

/** How good a title is: the agent's summary beats the first request; a greeting has 0. */
export const TITLE_RANKS = { greeting: 0, request: 1, summary: 2 } as const
export type TitleRank = (typeof TITLE_RANKS)[keyof typeof TITLE_RANKS]

interface State {
  readonly session: string
  readonly subagent?: string
  readonly workspace?: string
  readonly titleRank: TitleRank
}

/** Follows a chat row by row. */
export class GeminiSession {
  readonly #path: string
  readonly #hasher: Hasher
  readonly #context: ChatContext
  #state: State
  #facts: SessionFacts
  #history: GeminiHistory
  #title: string | undefined

  /**
   * Starts a file, or continues it after `former`, what `state()` gave when its earlier lines were parsed. In a
   * document, whose header `context` has, it begins with that.
   */
  constructor({ path, hasher, context }: ParserInput, former: JsonValue | undefined) {
    const known = objectOf(former)
    this.#path = path
    this.#hasher = hasher
    this.#context = parseChatContext(context)
    this.#state = {
      session: stringOf(known.session) ?? parentSession(path) ?? baseName(path),
      titleRank: rankOf(known.titleRank),
      ...optional(
        'subagent',
        stringOf(known.subagent) ?? (parentSession(path) === undefined ? undefined : baseName(path)),
      ),
      ...optional('workspace', stringOf(known.workspace) ?? folderOf(this.#context)),
    }
    this.#history = new GeminiHistory(known.history)
    this.#facts = sessionFacts(this.#state)
    if (this.#context.header !== undefined) this.begin(this.#context.header)
  }

  /** The subagent whose chat this is; undefined for a main conversation. */
  get subagent(): string | undefined {
    return this.#state.subagent
  }

  /** The agent's own list of messages, as far as the rows have told it. */
  get history(): GeminiHistory {
    return this.#history
  }

  /** Whether the folder that the chat works in is known. */
  get hasWorkspace(): boolean {
    return this.#state.workspace !== undefined
  }

  /**
   * Takes a header: the chat's id, kind, project and title. It comes again when the agent goes on with the chat: the
   * agent's list is then empty, and what is known of texts stays. A header of another session starts with an empty
   * history and no title.
   */
  begin(header: JsonObject): void {
    const { session: before, titleRank, workspace: known } = this.#state
    const own = stringOf(header.sessionId)
    const parent = header.kind === 'main' ? undefined : parentSession(this.#path)
    const session = parent ?? own ?? before
    const isSubagent = header.kind === 'subagent' || parent !== undefined
    const subagent = (parent === undefined ? undefined : own) ?? baseName(this.#path)
    const workspace = known ?? this.#folderWithHash(stringOf(header.projectHash))
    if (session === before) this.#history.clear()
    else this.#history = new GeminiHistory(undefined)
    this.#change({
      session,
      titleRank: session === before ? titleRank : TITLE_RANKS.greeting,
      ...optional('subagent', isSubagent ? subagent : undefined),
      ...optional('workspace', workspace),
    })
    if (typeof header.summary === 'string') this.setTitle(header.summary, TITLE_RANKS.summary)
  }

  /** Takes the folder that the chat works in, where nothing else tells it. */
  setWorkspace(folder: string): void {
    if (!this.hasWorkspace) this.#change({ ...this.#state, workspace: workspaceAt(undefined, folder) })
  }

  /**
   * Takes a title made of a text if there is none but a greeting's, or if it is a summary's: the first request and the
   * newest summary stay. Nothing for a blank text, or of a subagent.
   */
  setTitle(text: string, rank: TitleRank): void {
    const title = titleFrom(text)
    // Greetings give way to the first request, and an older summary to the newer one.
    const isBetter = this.#state.titleRank === TITLE_RANKS.greeting || rank === TITLE_RANKS.summary
    if (title === undefined || !isBetter || this.subagent !== undefined) return
    this.#state = { ...this.#state, titleRank: rank }
    this.#title = title
  }

  /** The session's facts, with the title if it is new since the last call; the next call gives it no more. */
  takeFacts(): SessionFacts {
    const title = this.#title
    this.#title = undefined
    return title === undefined ? this.#facts : { ...this.#facts, title }
  }

  /** A hash that is the same for the same text of the same author. */
  hashOf(author: string, text: string): string {
    return this.#hasher.sha256(`${author}\n${text}`).slice(0, 16)
  }

  /** A document is read from its start each time, so nothing of it need be kept. */
  state(): JsonValue {
    return this.#context.header === undefined ? { ...this.#state, history: this.#history.state() } : null
  }

  /** The workspace among the known folders whose hash names the project; undefined if none has it. */
  #folderWithHash(hash: string | undefined): string | undefined {
    const folder =
      hash === undefined ? undefined : this.#context.folders.find((each) => this.#hasher.sha256(each) === hash)
    return folder === undefined ? undefined : workspaceAt(undefined, folder)
  }

  /** Sets the state and the facts made of it. */
  #change(state: State): void {
    this.#state = state
    this.#facts = sessionFacts(state)
  }
}

const rankOf = (value: JsonValue | undefined): TitleRank =>
  value === TITLE_RANKS.summary || value === TITLE_RANKS.request ? value : TITLE_RANKS.greeting

const folderOf = ({ folder }: ChatContext): string | undefined =>
  folder === undefined ? undefined : workspaceAt(undefined, folder)

/** The id of the parent session: a subagent's chat lies in a folder of that name. Undefined for other chats. */
const parentSession = (path: string): string | undefined => {
  const parts = pathParts(path)
  const folder = parts.at(-2)
  return parts.at(-3) === 'chats' && folder !== 'chats' ? folder : undefined
}

/** The session's facts; its title comes later. */
const sessionFacts = ({ session, workspace }: State): SessionFacts => ({
  id: `${GEMINI}:${session}`,
  agent: GEMINI,
  externalId: session,
  ...optional('workspace', workspace),
})
