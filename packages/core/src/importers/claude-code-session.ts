/** What is known about a Claude Code session from the lines read so far: the parser's state. */
import { countOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import { createClaudeTasks, type ClaudeTasks } from './claude-tasks.ts'
import { baseName, optional, pathParts } from './importer.ts'
import { workspaceAt } from './workspace.ts'

/** The name under which Claude Code's sessions are stored. */
export const CLAUDE_CODE = 'claude-code'

/** How good a title is: the user's own beats the model's, then a summary, then the first request; a greeting has 0. */
export const TITLE_RANKS = { 'first-text': 1, summary: 2, 'ai-title': 3, 'custom-title': 4 } as const

interface State {
  readonly session: string
  /** Whether a line named the session or held one of its messages. A file of mere summaries has no such line. */
  readonly confirmed: boolean
  /** A title that came before the session's first line. */
  readonly pendingTitle?: string
  readonly workspace?: string
  readonly branch?: string
  readonly mode?: string
  readonly forkedFrom?: string
  readonly titleRank: number
}

/** Follows a file line by line; each line may change the session, its folder, branch, mode or origin. */
export class ClaudeCodeSession {
  #state: State
  #facts: SessionFacts
  #tasks: ClaudeTasks
  readonly #fileSubagent: string | undefined
  #folder: string | undefined

  /** Starts a file, or continues it after `former`, what `state()` gave when its earlier lines were parsed. */
  constructor(path: string, former: JsonObject) {
    const file = fileIdentity(path)
    this.#fileSubagent = file.subagent
    this.#state = {
      session: stringOf(former.session) ?? file.session,
      confirmed: former.confirmed === true,
      ...optional('pendingTitle', stringOf(former.pendingTitle)),
      titleRank: countOf(former.titleRank),
      ...optional('workspace', stringOf(former.workspace)),
      ...optional('branch', stringOf(former.branch)),
      ...optional('mode', stringOf(former.mode)),
      ...optional('forkedFrom', stringOf(former.forkedFrom)),
    }
    this.#facts = sessionFacts(this.#state)
    this.#tasks = createClaudeTasks(former.tasks)
  }

  /** What is known of the session at the line followed last; a new object whenever something changes. */
  get facts(): SessionFacts {
    return this.#facts
  }

  /** Where the agent works, as the newest line that names a folder says. */
  get folder(): string | undefined {
    return this.#folder
  }

  /** The task list that the session's tool calls keep; the same object for the whole file. */
  get tasks(): ClaudeTasks {
    return this.#tasks
  }

  /**
   * Whether a line has shown that the session is real: one with its id, or with a message. Until then its title waits
   * (`keepTitle`).
   */
  get isConfirmed(): boolean {
    return this.#state.confirmed
  }

  /** The rank of the best title so far; one of a lower rank is not to replace it. 0 before the first. */
  get titleRank(): number {
    return this.#state.titleRank
  }

  /** The agent's mode (plan, act, …) at the line followed last; undefined before a line names one. */
  get mode(): string | undefined {
    return this.#state.mode
  }

  /** The git branch that the newest line named; undefined before one does. */
  get branch(): string | undefined {
    return this.#state.branch
  }

  /**
   * Takes over what a line says about its session, before the line is parsed. The first folder is the session's
   * workspace; branch and mode follow the newest line, and a fork's origin is noted. A line with its id or a message
   * confirms the session; a line of another session begins that one.
   */
  follow(line: JsonObject): void {
    const id = stringOf(line.sessionId)
    if (id !== undefined && id !== this.#state.session) this.#begin(id)
    else if (!this.#state.confirmed && (id !== undefined || isJsonObject(line.message)))
      this.#state = { ...this.#state, confirmed: true }
    const folder = stringOf(line.cwd)
    this.#folder = folder ?? this.#folder
    if (folder !== undefined && this.#state.workspace === undefined)
      this.#changeFacts({ workspace: workspaceAt(undefined, folder) })
    const branch = branchOf(line)
    if (branch !== undefined && branch !== this.#state.branch) this.#changeFacts({ branch })
    const origin = stringOf(objectOf(line.forkedFrom).sessionId)
    if (origin !== undefined && origin !== this.#state.session && origin !== this.#state.forkedFrom)
      this.#changeFacts({ forkedFrom: origin })
    this.#followMode(stringOf(line.permissionMode))
  }

  /**
   * Notes the rank of a title and returns the session's facts with that title. The caller compares ranks; `facts`
   * itself stays without a title.
   */
  titled(title: string, rank: number): SessionFacts {
    this.#state = { ...this.#state, titleRank: rank }
    return { ...this.#facts, title }
  }

  /** Keeps a title until a line confirms the session, in place of one kept before; `takeKeptTitle` gives it. */
  keepTitle(title: string, rank: number): void {
    this.#state = { ...this.#state, titleRank: rank, pendingTitle: title }
  }

  /**
   * The title that `keepTitle` kept, once the session is confirmed, and only once; undefined before, after, and without
   * one.
   */
  takeKeptTitle(): string | undefined {
    const { pendingTitle, ...rest } = this.#state
    if (pendingTitle === undefined || !rest.confirmed) return undefined
    this.#state = rest
    return pendingTitle
  }

  /**
   * The subagent that wrote a line, by the line or else the file's name, `sidechain` where it has no name; undefined
   * for the main conversation.
   */
  subagentOf(line: JsonObject): string | undefined {
    return stringOf(line.agentId) ?? this.#fileSubagent ?? (line.isSidechain === true ? 'sidechain' : undefined)
  }

  /** The workspace of a request that was made in a folder; the session's own where the line names no folder. */
  workspaceOf(folder: string | undefined): string | undefined {
    const { workspace } = this.#state
    return folder === undefined
      ? workspace
      : workspaceAt(workspace === undefined ? undefined : { first: workspace }, folder)
  }

  /** Everything as plain JSON, to go on at the next import (see the constructor). */
  state(): JsonValue {
    return { ...this.#state, tasks: this.#tasks.state() }
  }

  /**
   * Begins another session of the file, which is confirmed. Of the former only the mode is kept, and a title that came
   * before its first entry; tasks and folder begin anew.
   */
  #begin(session: string): void {
    const former = this.#state
    const waiting = former.confirmed ? undefined : former.pendingTitle
    this.#state = {
      session,
      confirmed: true,
      titleRank: waiting === undefined ? 0 : former.titleRank,
      ...optional('mode', former.mode),
      ...optional('pendingTitle', waiting),
    }
    this.#facts = sessionFacts(this.#state)
    this.#tasks = createClaudeTasks(undefined)
    this.#folder = undefined
  }

  /** Changes the state and the facts made of it. */
  #changeFacts(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes }
    this.#facts = sessionFacts(this.#state)
  }

  /** Sets the mode by Claude Code's permissions; undefined changes nothing. */
  #followMode(permissions: string | undefined): void {
    if (permissions === undefined) return
    const mode = permissions === 'plan' ? 'plan' : 'act'
    if (mode !== this.#state.mode) this.#state = { ...this.#state, mode }
  }
}

/** The branch of a line; undefined for none, and for a detached head. */
const branchOf = (line: JsonObject): string | undefined => {
  const branch = stringOf(line.gitBranch)
  return branch === 'HEAD' ? undefined : branch
}

/** The session's facts as far as lines have told them. */
const sessionFacts = (state: State): SessionFacts => ({
  id: `${CLAUDE_CODE}:${state.session}`,
  agent: CLAUDE_CODE,
  externalId: state.session,
  ...optional('workspace', state.workspace),
  ...optional('branch', state.branch),
  ...optional('forkedFrom', state.forkedFrom === undefined ? undefined : `${CLAUDE_CODE}:${state.forkedFrom}`),
})

/**
 * The session by the file's name; for a subagent's file (`agent-*`) the subagent by its name, and the session of the
 * folder above `subagents`, else the name itself. Without a subagent for other files.
 */
const fileIdentity = (path: string): { readonly session: string; readonly subagent?: string } => {
  const parts = pathParts(path)
  const name = baseName(path)
  if (!name.startsWith('agent-')) return { session: name }
  const parent = parts.at(-2) === 'subagents' ? parts.at(-3) : undefined
  return { session: parent ?? name, subagent: name.slice('agent-'.length) }
}
