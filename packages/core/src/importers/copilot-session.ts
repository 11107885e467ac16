/** What is known about a Copilot CLI session from the events read so far: the parser's state. */
import { isUuid } from '../incognito/incognito-record.ts'
import { arrayOf, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import { CopilotUsage, type RequestOrigin } from './copilot-usage.ts'
import { baseName, optional, pathParts } from './importer.ts'
import { titleFrom } from './line-values.ts'
import { workspaceAt } from './workspace.ts'

/** The name under which Copilot CLI's sessions are stored. */
export const COPILOT = 'copilot'

/** How good a title is: the user's own beats the one that was made for the session, then the first request; a greeting has 0. */
export const TITLE_RANKS = { request: 1, made: 2, own: 3 } as const

/** Commands of the user's that run at the same time are few. */
const MAX_COMMANDS = 50

interface State {
  readonly session: string
  readonly workspace?: string
  readonly folder?: string
  readonly branch?: string
  readonly model?: string
  readonly mode?: string
  /** Another session's, where its events were copied into this one. */
  readonly forkedFrom?: string
  readonly titleRank: number
  /** The user's own name as it was last taken: a title that was given here since then stays. */
  readonly ownName?: string
  /** A name that is only the beginning of a message. */
  readonly copiedName?: string
  /** Calls that the user made past the model and that have no result yet. */
  readonly commands: readonly string[]
}

/** Follows the events; they change the session's folder, branch, model, mode and title. */
export class CopilotSession {
  readonly usage: CopilotUsage
  #state: State
  #facts: SessionFacts
  /** The name that `workspace.yaml` has, and whether the user gave it. */
  readonly #name: { readonly title: string | undefined; readonly isUsers: boolean }

  /** Starts a file, or continues it after `former`, what `state()` gave; `beside` is what `workspace.yaml` tells. */
  constructor(path: string, former: JsonObject, beside: JsonObject) {
    this.usage = new CopilotUsage(former.usage)
    this.#name = { title: titleFrom(stringOf(beside.name) ?? ''), isUsers: beside.isUserNamed === true }
    const folder = stringOf(former.folder) ?? rootOf({ cwd: beside.folder, gitRoot: beside.repository })
    const titleRank = typeof former.titleRank === 'number' ? former.titleRank : 0
    this.#state = {
      session: stringOf(former.session) ?? sessionOfPath(path),
      titleRank,
      commands: arrayOf(former.commands).filter((item) => typeof item === 'string'),
      ...optional('folder', folder),
      ...optional(
        'workspace',
        stringOf(former.workspace) ?? (folder === undefined ? undefined : workspaceAt(undefined, folder)),
      ),
      ...optional('branch', stringOf(former.branch) ?? stringOf(beside.branch)),
      ...optional('model', stringOf(former.model)),
      ...optional('mode', stringOf(former.mode)),
      ...optional('forkedFrom', stringOf(former.forkedFrom)),
      ...optional('ownName', stringOf(former.ownName)),
      ...optional('copiedName', stringOf(former.copiedName)),
    }
    this.#facts = sessionFacts(this.#state)
    const { title, isUsers } = this.#name
    if (!isUsers || title === undefined || title === this.#state.ownName) return
    this.#title(title, TITLE_RANKS.own)
    this.#state = { ...this.#state, ownName: title }
  }

  /** What is known of the session at the event taken last. */
  get facts(): SessionFacts {
    return this.#facts
  }

  /** The session's id: what `session.start` named, and the path's before that. */
  get id(): string {
    return this.#state.session
  }

  /** The agent's mode by our name for it; undefined before an event names one. */
  get mode(): string | undefined {
    return this.#state.mode
  }

  /** The model that the session is set to; undefined before an event names one. */
  get model(): string | undefined {
    return this.#state.model
  }

  /**
   * Takes `session.start`: folder, branch, model, and the session's id. Where the file's own id is another one, these
   * are copied events: the id told is then noted as the session that this one was forked from. Folder and branch of
   * `workspace.yaml` give way to what is told.
   */
  begin(data: JsonObject): void {
    const told = stringOf(data.sessionId) ?? this.#state.session
    // The events of a fork begin with those of the session that it comes from.
    const isFork = told !== this.#state.session && isUuid(this.#state.session)
    // What `workspace.yaml` told gives way: it has the folder where the session is now.
    const { workspace: _workspace, folder: _folder, branch: _branch, ...state } = this.#state
    const hasContext = rootOf(objectOf(data.context)) !== undefined
    this.#state = {
      ...(hasContext ? state : this.#state),
      ...(isFork ? { forkedFrom: told } : { session: told }),
    }
    this.moveTo(objectOf(data.context))
    this.setModel(stringOf(data.selectedModel))
  }

  /**
   * Takes the folder and branch that the session works in from now on; its workspace stays the first that was known. A
   * folder that is not told leaves the former one.
   */
  moveTo(context: JsonObject): void {
    const folder = rootOf(context)
    this.#state = {
      ...this.#state,
      ...optional('branch', stringOf(context.branch)),
      ...(folder === undefined ? {} : { folder, workspace: this.#state.workspace ?? workspaceAt(undefined, folder) }),
    }
    this.#facts = sessionFacts(this.#state, this.#facts.title)
  }

  /** Sets the model that following requests are made to; undefined leaves the known one. */
  setModel(model: string | undefined): void {
    this.#state = { ...this.#state, ...optional('model', model) }
  }

  /** Sets the mode by the agent's name for it (`interactive` is our `act`); undefined leaves the known one. */
  setMode(name: string | undefined): void {
    this.#state = { ...this.#state, ...optional('mode', name === 'interactive' ? 'act' : name) }
  }

  /** Takes a title, unless there is a better one. */
  setTitle(text: string, rank: number): void {
    this.#title(titleFrom(text), rank)
  }

  /**
   * Takes what the user asked for as a title; `isRequest` is false for a greeting. A name that the agent made goes
   * before it, unless that is only the beginning of a message.
   */
  setRequestTitle(words: string, isRequest: boolean): void {
    const asked = titleFrom(words)
    const made = this.#name.title
    // Until a name is made, the session has the beginning of its first message for one.
    if (made !== undefined && asked?.startsWith(made.replace(/(?:…|\.{3})$/, '').trimEnd()) === true)
      this.#state = { ...this.#state, copiedName: made }
    if (made !== undefined && made !== this.#state.copiedName) this.#title(made, TITLE_RANKS.made)
    else this.#title(asked, isRequest ? TITLE_RANKS.request : 0)
  }

  /**
   * Whether a call is one of the user's own, which {@link addCommand} announced; false without an id. Forgets the call:
   * asked again, it is false.
   */
  takeCommand(callId: string | undefined): boolean {
    const { commands } = this.#state
    if (callId === undefined || !commands.includes(callId)) return false
    this.#state = { ...this.#state, commands: commands.filter((command) => command !== callId) }
    return true
  }

  /** Announces the call of a command that the user ran past the model. Only the newest 50 are remembered. */
  addCommand(callId: string): void {
    this.#state = { ...this.#state, commands: [...this.#state.commands, callId].slice(-MAX_COMMANDS) }
  }

  /**
   * Where and how a request is made now: model, mode, branch, and the workspace of the folder. `at`: its time, ms;
   * `model` wins over the session's.
   */
  origin(at: number | null, model: string | undefined, subagent: string | undefined): RequestOrigin {
    const { folder, workspace, branch, mode } = this.#state
    const here =
      folder === undefined ? workspace : workspaceAt(workspace === undefined ? undefined : { first: workspace }, folder)
    return {
      at,
      model: model ?? this.#state.model ?? 'unknown',
      ...optional('mode', mode),
      ...optional('subagent', subagent),
      ...optional('branch', branch),
      ...optional('workspace', here),
    }
  }

  /** Everything as plain JSON, to go on at the next import (see the constructor). */
  state(): JsonValue {
    return { ...this.#state, usage: this.usage.state() }
  }

  /**
   * Takes a title unless a better one is known. Of equal rank the first stays, but greetings and the user's own titles
   * are replaced.
   */
  #title(title: string | undefined, rank: number): void {
    // Greetings give way to the next text, and the user may choose another name.
    const isReplaceable = rank === this.#state.titleRank && (rank === 0 || rank === TITLE_RANKS.own)
    if (title === undefined || !(rank > this.#state.titleRank || isReplaceable)) return
    this.#state = { ...this.#state, titleRank: rank }
    this.#facts = sessionFacts(this.#state, title)
  }
}

/**
 * The folder of the repository, or the working folder outside of one. git writes `/` on Windows, too. Undefined without
 * either.
 */
const rootOf = ({ cwd, gitRoot }: JsonObject): string | undefined => {
  const [folder, root] = [stringOf(cwd), stringOf(gitRoot)]
  return root !== undefined && folder?.includes('\\') === true ? root.replaceAll('/', '\\') : (root ?? folder)
}

/** The session's folder, or its file in early versions; of a file elsewhere its name. */
const sessionOfPath = (path: string): string => {
  const name = baseName(path)
  return name === 'events' ? (pathParts(path).at(-2) ?? name) : name
}

/** The session's facts; without a title none is told. */
const sessionFacts = ({ session, workspace, branch, forkedFrom }: State, title?: string): SessionFacts => ({
  id: `${COPILOT}:${session}`,
  agent: COPILOT,
  externalId: session,
  ...optional('workspace', workspace),
  ...optional('branch', branch),
  ...optional('title', title),
  ...optional('forkedFrom', forkedFrom === undefined ? undefined : `${COPILOT}:${forkedFrom}`),
})
