/** What is known about a Codex session from the lines read so far: the parser's state. */
import { countOf, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import type { ItemMessage } from './codex-items.ts'
import { extendLineage, isInherited, lineageState, parseLineage, requestOwner, type Lineage } from './codex-lineage.ts'
import { baseName, optional } from './importer.ts'
import { textsIn } from './line-values.ts'
import { workspaceAt } from './workspace.ts'

/** The name under which Codex's sessions are stored. */
export const CODEX = 'codex'

/** Cursors in existing stores keep message ids under this key. */
const MESSAGE_IDS = 'said'

/** How many messages are remembered; a compaction keeps the last ones. */
const MAX_REMEMBERED_MESSAGES = 500

interface State {
  readonly lineage: Lineage
  readonly workspace?: string
  readonly folder?: string
  readonly branch?: string
  readonly model?: string
  readonly provider?: string
  readonly mode?: string
  readonly turn?: string
  readonly titled: boolean
  /** Counters of the last `token_count`, to recognise one that only repeats them. */
  readonly lastTotal?: string
  /** The last input plus output counted, i.e. the size of the context. */
  readonly contextTokens: number
  /** Characters of output seen since the last `token_count`. */
  readonly visible: number
  /** Ids of messages by their hash, except the model's: a compaction repeats the messages that it keeps. */
  readonly [MESSAGE_IDS]: Readonly<Record<string, string>>
}

/** Follows a rollout line by line; lines change the session's lineage, folder, model, mode and turn. */
export class CodexSession {
  #state: State
  #facts: SessionFacts
  readonly #hasher: Hasher
  /** The session's id as the file's name has it, until the lines name it. */
  readonly #fileId: string

  /** Starts a file, or continues it after `former`, what `state()` gave when its earlier lines were parsed. */
  constructor(path: string, hasher: Hasher, former: JsonValue | undefined) {
    this.#hasher = hasher
    this.#fileId =
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(baseName(path))?.[0] ?? baseName(path)
    this.#state = parseState(former)
    this.#facts = sessionFacts(this.#state, this.#fileId)
  }

  get facts(): SessionFacts {
    return this.#facts
  }

  get model(): string | undefined {
    return this.#state.model
  }

  get provider(): string | undefined {
    return this.#state.provider
  }

  get mode(): string | undefined {
    return this.#state.mode
  }

  get branch(): string | undefined {
    return this.#state.branch
  }

  get contextTokens(): number {
    return this.#state.contextTokens
  }

  /** Whether a title is still to be found; a subagent has that of its parent's session. */
  get needsTitle(): boolean {
    return !this.#state.titled && !this.isSubagent
  }

  get isSubagent(): boolean {
    return this.#state.lineage.parentThread !== undefined
  }

  /** The subagent whose rollout this is; undefined for a main conversation. */
  get subagent(): string | undefined {
    return this.isSubagent ? (this.#state.lineage.chain[0]?.id ?? this.#fileId) : undefined
  }

  /** The workspace of a request that is made now. */
  get requestWorkspace(): string | undefined {
    const { workspace, folder } = this.#state
    return folder === undefined
      ? workspace
      : workspaceAt(workspace === undefined ? undefined : { first: workspace }, folder)
  }

  /** Takes a `session_meta` line: the first is of the file's own session, later ones are of its ancestors. */
  addMeta(payload: JsonObject, at: number | null): void {
    const isFirst = this.#state.lineage.chain.length === 0
    this.#update({ lineage: extendLineage(this.#state.lineage, payload, at) })
    if (isFirst) {
      this.#update({
        ...optional('branch', stringOf(objectOf(payload.git).branch)),
        ...optional('provider', stringOf(payload.model_provider)),
      })
      this.#moveTo(stringOf(payload.cwd))
    }
    this.#facts = sessionFacts(this.#state, this.#fileId)
  }

  /** Takes a `turn_context` line: the turn's model, mode and folder. */
  startTurn(payload: JsonObject): void {
    const mode = stringOf(objectOf(payload.collaboration_mode).mode)
    this.#update({
      ...optional('turn', stringOf(payload.turn_id)),
      ...optional('model', stringOf(payload.model)),
      ...optional('mode', mode === undefined ? undefined : mode === 'plan' ? 'plan' : 'act'),
    })
    // The turns that a fork copied have the parent's folder.
    if (!this.isInherited(null)) this.#moveTo(stringOf(payload.cwd))
  }

  setTurn(turn: string | undefined): void {
    this.#update(optional('turn', turn))
  }

  setTitled(titled: boolean): void {
    this.#update({ titled })
  }

  /** Whether a line of this time (ms) was copied from an ancestor. */
  isInherited(at: number | null): boolean {
    return isInherited(this.#state.lineage, this.#state.turn, at)
  }

  /** Counts characters of the model's output, until the next `token_count`. */
  addVisible(characters: number): void {
    this.#update({ visible: this.#state.visible + characters })
  }

  /**
   * Takes a `token_count`: its running total as a text (`hasTotal` is false where the line has none), and the tokens of
   * the context. Gives the characters of output since the last one, or undefined when this one only repeats it.
   */
  countTokens(total: string, hasTotal: boolean, contextTokens: number): number | undefined {
    const { visible, lastTotal } = this.#state
    const isRepeated = hasTotal && lastTotal === total
    this.#update({ lastTotal: total, visible: isRepeated ? visible : 0, contextTokens })
    return isRepeated ? undefined : visible
  }

  /** The key of a request with these counters; a copied request has the same key in every file. */
  callId(counters: string, isInherited: boolean): string {
    const owner = requestOwner(this.#state.lineage, this.#state.turn, isInherited) || this.#fileId
    return this.#hasher.sha256(`${owner}\n${counters}`).slice(0, 32)
  }

  /** Remembers a message's id, so that a compaction that repeats the message can name it. */
  remember(message: ItemMessage, id: string): void {
    const hash = this.#hashOf(message)
    const others = Object.entries(this.#state[MESSAGE_IDS]).filter(([known]) => known !== hash)
    this.#update({
      [MESSAGE_IDS]: Object.fromEntries([...others, [hash, id] as const].slice(-MAX_REMEMBERED_MESSAGES)),
    })
  }

  /** The id of a message that was remembered. */
  idOf(message: ItemMessage): string | undefined {
    return this.#state[MESSAGE_IDS][this.#hashOf(message)]
  }

  state(): JsonValue {
    return { ...this.#state, lineage: lineageState(this.#state.lineage) }
  }

  #update(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes }
  }

  #moveTo(folder: string | undefined): void {
    if (folder === undefined || folder === this.#state.folder) return
    this.#update({ folder, workspace: this.#state.workspace ?? workspaceAt(undefined, folder) })
    this.#facts = sessionFacts(this.#state, this.#fileId)
  }

  #hashOf({ role, content }: ItemMessage): string {
    return this.#hasher.sha256(JSON.stringify([role, content])).slice(0, 16)
  }
}

const sessionFacts = (state: State, fallback: string): SessionFacts => {
  const { lineage } = state
  const own = lineage.chain[0]?.id ?? fallback
  const externalId = lineage.parentThread ?? own
  // A subagent's folder and branch are not its parent session's.
  if (lineage.parentThread !== undefined) return { id: `${CODEX}:${externalId}`, agent: CODEX, externalId }
  return {
    id: `${CODEX}:${externalId}`,
    agent: CODEX,
    externalId,
    ...optional('workspace', state.workspace),
    ...optional('branch', state.branch),
    ...optional('forkedFrom', lineage.forkedFrom === undefined ? undefined : `${CODEX}:${lineage.forkedFrom}`),
  }
}

const parseState = (value: JsonValue | undefined): State => {
  const object = objectOf(value)
  return {
    lineage: parseLineage(object.lineage),
    titled: object.titled === true,
    contextTokens: countOf(object.contextTokens),
    visible: countOf(object.visible),
    [MESSAGE_IDS]: textsIn(object[MESSAGE_IDS]),
    ...optional('workspace', stringOf(object.workspace)),
    ...optional('folder', stringOf(object.folder)),
    ...optional('branch', stringOf(object.branch)),
    ...optional('model', stringOf(object.model)),
    ...optional('provider', stringOf(object.provider)),
    ...optional('mode', stringOf(object.mode)),
    ...optional('turn', stringOf(object.turn)),
    ...optional('lastTotal', stringOf(object.lastTotal)),
  }
}
