/** What is known about a Codex session from the lines read so far: the parser's state. */
import { countOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import type { ItemMessage } from './codex-items.ts'
import { extendLineage, isInherited, lineageState, parseLineage, requestOwner, type Lineage } from './codex-lineage.ts'
import {
  contextTokensOf,
  countRecord,
  countTotal,
  ledgerState,
  parseLedger,
  type CountedUsage,
  type UsageLedger,
} from './codex-usage.ts'
import { baseName, optional } from './importer.ts'
import { textsIn } from './line-values.ts'
import { workspaceAt } from './workspace.ts'

/** The name under which Codex's sessions are stored. */
export const CODEX = 'codex'

/** Cursors in existing stores keep message ids under this key. */
const MESSAGE_IDS = 'said'

/** How many messages are remembered; a compaction keeps the last ones. */
const MAX_REMEMBERED_MESSAGES = 500

/** What a request is known by apart from its counters. */
interface RequestOrigin {
  /** Time, ms. */
  readonly at: number | null
  readonly model?: string
  readonly mode?: string
}

interface AbortedOutput extends RequestOrigin {
  readonly characters: number
}

/** A request that a line tells. */
export interface TokenRequest extends RequestOrigin {
  readonly callId: string
  /** Counters as Codex names them. */
  readonly usage: JsonObject
  /** Characters of its output that were seen. */
  readonly visible: number
}

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
  readonly ledger: UsageLedger
  /** The last input plus output counted, i.e. the size of the context. */
  readonly contextTokens: number
  /** Characters of output seen since the last request was counted, and the time of the newest (ms). */
  readonly visible: number
  readonly visibleAt: number | null
  /** The output of a turn that ended before its request was counted. */
  readonly aborted?: AbortedOutput
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

  /** What is known of the session at the line taken last; a new object whenever something changes. */
  get facts(): SessionFacts {
    return this.#facts
  }

  /** The model of the current turn; undefined before a line names one. */
  get model(): string | undefined {
    return this.#state.model
  }

  /** The provider that the rollout names; undefined before a line does. */
  get provider(): string | undefined {
    return this.#state.provider
  }

  /** The agent's mode in the current turn; undefined before a line names one. */
  get mode(): string | undefined {
    return this.#state.mode
  }

  /** The git branch that the rollout names; undefined where it names none. */
  get branch(): string | undefined {
    return this.#state.branch
  }

  /** The folder that the agent works in at the line taken last; undefined before a line names one. */
  get folder(): string | undefined {
    return this.#state.folder
  }

  /** Input and output tokens of the last request counted, which is the size of the context; 0 before the first. */
  get contextTokens(): number {
    return this.#state.contextTokens
  }

  /** Whether a title is still to be found; a subagent has that of its parent's session. */
  get needsTitle(): boolean {
    return !this.#state.titled && !this.isSubagent
  }

  /** Whether another session started this one; its requests count to that one. */
  get isSubagent(): boolean {
    return this.#state.lineage.parentThread !== undefined
  }

  /** The subagent whose rollout this is; undefined for a main conversation. */
  get subagent(): string | undefined {
    return this.isSubagent ? (this.#state.lineage.chain[0]?.id ?? this.#fileId) : undefined
  }

  /**
   * The workspace that a request made now counts to: the session's, or that of the folder which the agent has gone to.
   */
  get requestWorkspace(): string | undefined {
    const { workspace, folder } = this.#state
    return folder === undefined
      ? workspace
      : workspaceAt(workspace === undefined ? undefined : { first: workspace }, folder)
  }

  /**
   * Takes a `session_meta` line: the first is of the file's own session, later ones are of its ancestors. Later ones
   * only add to the lineage.
   */
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

  /**
   * Takes a `turn_context` line: the turn's model, mode and folder. Folders of turns that a fork copied don't count.
   */
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

  /** Sets the id of the turn that the following lines belong to; undefined where the line names none. */
  setTurn(turn: string | undefined): void {
    this.#update(optional('turn', turn))
  }

  /** Notes whether the session has a title; see `needsTitle`. */
  setTitled(titled: boolean): void {
    this.#update({ titled })
  }

  /** Whether a line of this time (ms) was copied from an ancestor. */
  isInherited(at: number | null): boolean {
    return isInherited(this.#state.lineage, this.#state.turn, at)
  }

  /** Counts characters of the model's output, made at this time (ms), until a request is counted. */
  addVisible(characters: number, at: number | null): void {
    this.#update({ visible: this.#state.visible + characters, visibleAt: at ?? this.#state.visibleAt })
  }

  /**
   * A turn is over, or another begins: output that no request was counted for is kept apart as that of an aborted one,
   * for the next count of tokens. Nothing where there is none, and for what a fork copied.
   */
  endTurn(at: number | null): void {
    const { visible, visibleAt, aborted, model, mode } = this.#state
    if (visible === 0 || this.isInherited(at)) return
    const output = aborted ?? {
      at: visibleAt ?? at,
      characters: 0,
      ...optional('model', model),
      ...optional('mode', mode),
    }
    this.#update({ aborted: { ...output, characters: output.characters + visible }, visible: 0 })
  }

  /**
   * Takes a `token_count`'s info, which also says how full the context is. Returns the requests that are told by it, in
   * order: first one that was missed, e.g. of an aborted turn, then the line's own; none when it only repeats.
   */
  countTokens(info: JsonObject, at: number | null): readonly TokenRequest[] {
    const inherited = this.isInherited(at)
    const { aborted } = this.#state
    const counted = countTotal(this.#state.ledger, info, {
      isInherited: inherited,
      isFirst: this.#state.lineage.chain.length <= 1,
      isAfterAbort: aborted !== undefined,
    })
    this.#update({ contextTokens: contextTokensOf(info.last_token_usage) })
    return this.#requests(counted, at, inherited)
  }

  /**
   * Takes a `token_usage_record`. Returns its request as a list, after one that was missed; empty if it is counted
   * already or another session's.
   */
  countRecord(payload: JsonObject, at: number | null): readonly TokenRequest[] {
    const { chain } = this.#state.lineage
    const thread = stringOf(payload.thread_id)
    const isOwn = thread === undefined ? !this.isInherited(at) : thread === (chain[0]?.id ?? this.#fileId)
    if (!isOwn) return []
    const counted = countRecord(this.#state.ledger, payload, chain.length <= 1)
    if (!counted.isRepeated) this.#update({ contextTokens: contextTokensOf(payload.usage) })
    return this.#requests(counted, at, false)
  }

  /**
   * The requests of a usage report: the missed one, which has the aborted output, then its own with the visible
   * characters since the last. Takes the new ledger into the state; the characters given to a request are no longer in
   * it. Inherited requests, of a parent session, have none.
   */
  #requests(
    { ledger, request, missing }: CountedUsage,
    at: number | null,
    inherited: boolean,
  ): readonly TokenRequest[] {
    const { visible, aborted, model, mode } = this.#state
    const here = { at, ...optional('model', model), ...optional('mode', mode) }
    const toRequest = (
      { key, usage }: { key: string; usage: JsonObject },
      origin: RequestOrigin,
      characters: number,
    ) => ({
      ...origin,
      callId: this.#callId(key, inherited),
      usage,
      visible: inherited ? 0 : characters,
    })
    const requests: TokenRequest[] = []
    // Without a request of its own, the output before an abort stands with what comes after it.
    let characters = visible + (missing === undefined ? (aborted?.characters ?? 0) : 0)
    if (missing !== undefined) {
      if (aborted === undefined) requests.push(toRequest(missing, here, 0))
      else {
        const { characters: seen, ...origin } = aborted
        requests.push(toRequest(missing, origin, seen))
      }
    }
    if (request !== undefined) {
      requests.push(toRequest(request, here, characters))
      characters = 0
    }
    const { aborted: _counted, ...state } = this.#state
    this.#state = requests.length === 0 ? { ...this.#state, ledger } : { ...state, ledger, visible: characters }
    return requests
  }

  /**
   * The id of a request with these counters, a hash with the session that made it; a copied request has the same id in
   * every file.
   */
  #callId(counters: string, isInherited: boolean): string {
    const owner = requestOwner(this.#state.lineage, this.#state.turn, isInherited) || this.#fileId
    return this.#hasher.sha256(`${owner}\n${counters}`).slice(0, 32)
  }

  /**
   * Remembers a message's id by its role and content, so that a compaction that repeats the message can name it. A
   * later message with the same content replaces it. Only the newest `MAX_REMEMBERED_MESSAGES` are kept.
   */
  remember(message: ItemMessage, id: string): void {
    const hash = this.#hashOf(message)
    const others = Object.entries(this.#state[MESSAGE_IDS]).filter(([known]) => known !== hash)
    this.#update({
      [MESSAGE_IDS]: Object.fromEntries([...others, [hash, id] as const].slice(-MAX_REMEMBERED_MESSAGES)),
    })
  }

  /** The id of a message with the same content that was remembered; undefined when there is none. */
  idOf(message: ItemMessage): string | undefined {
    return this.#state[MESSAGE_IDS][this.#hashOf(message)]
  }

  /** Everything as plain JSON, to go on at the next import (see the constructor). */
  state(): JsonValue {
    const { ledger, lineage, aborted, ...state } = this.#state
    return {
      ...state,
      ...ledgerState(ledger),
      ...optional('aborted', aborted === undefined ? undefined : { ...aborted }),
      lineage: lineageState(lineage),
    }
  }

  #update(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes }
  }

  /** Notes a change of folder; the workspace stays the first. Undefined changes nothing. */
  #moveTo(folder: string | undefined): void {
    if (folder === undefined || folder === this.#state.folder) return
    this.#update({ folder, workspace: this.#state.workspace ?? workspaceAt(undefined, folder) })
    this.#facts = sessionFacts(this.#state, this.#fileId)
  }

  #hashOf({ role, content }: ItemMessage): string {
    return this.#hasher.sha256(JSON.stringify([role, content])).slice(0, 16)
  }
}

/**
 * The session's facts; a subagent's are those of its parent, without folder and branch.
 * @param fallback the id if the transcript names none
 */
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

/** A parser's state; what is missing or damaged is as at the beginning. */
const parseState = (value: JsonValue | undefined): State => {
  const object = objectOf(value)
  return {
    lineage: parseLineage(object.lineage),
    titled: object.titled === true,
    contextTokens: countOf(object.contextTokens),
    visible: countOf(object.visible),
    visibleAt: timeOf(object.visibleAt),
    ledger: parseLedger(object),
    [MESSAGE_IDS]: textsIn(object[MESSAGE_IDS]),
    ...optional('workspace', stringOf(object.workspace)),
    ...optional('folder', stringOf(object.folder)),
    ...optional('branch', stringOf(object.branch)),
    ...optional('model', stringOf(object.model)),
    ...optional('provider', stringOf(object.provider)),
    ...optional('mode', stringOf(object.mode)),
    ...optional('turn', stringOf(object.turn)),
    ...optional('aborted', isJsonObject(object.aborted) ? parseAborted(object.aborted) : undefined),
  }
}

/** The aborted output in a parser's state; what is damaged is null or 0. */
const parseAborted = (value: JsonObject): AbortedOutput => ({
  at: timeOf(value.at),
  characters: countOf(value.characters),
  ...optional('model', stringOf(value.model)),
  ...optional('mode', stringOf(value.mode)),
})

const timeOf = (value: JsonValue | undefined): number | null => (typeof value === 'number' ? value : null)
