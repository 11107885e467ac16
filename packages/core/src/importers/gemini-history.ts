/**
 * What Gemini CLI's own list of messages holds, and the log's entries for each. The agent rewrites the whole list when
 * it resumes or compresses a chat, then partly under new ids: what is in the log already is told by its text and calls.
 */
import { arrayOf, objectOf, stringOf, type JsonValue } from '../json.ts'
import { textsIn } from './line-values.ts'

/** How many messages, texts and calls are remembered: what the agent keeps stands near the end of the conversation. */
const MAX_REMEMBERED = 1_000

/** A message of a list that the agent wrote again. */
export interface ListedMessage {
  readonly id: string
  /** Its entries, those of an earlier message where it repeats one. */
  readonly entries: readonly string[]
  /** Whether it is in the log for the first time. */
  readonly isNew: boolean
}

/** Follows the list row by row. */
export class GeminiHistory {
  /** The log's entries of a message, by its id. */
  readonly #entries: Map<string, readonly string[]>
  /** The entry of a text, by the hash of author and text. */
  readonly #texts: Map<string, string>
  /** The message that made a call, by the call's id. */
  readonly #callers: Map<string, string>
  /** Ids of the messages that the agent's list holds, in order. */
  #listed: readonly string[]

  /** Starts with nothing, or goes on after `former`, what `state()` gave. */
  constructor(former: JsonValue | undefined) {
    const { entries, texts, callers, listed } = objectOf(former)
    this.#entries = new Map(
      arrayOf(entries).flatMap((pair) => {
        const [id, ...own] = textList(pair)
        return id === undefined ? [] : [[id, own]]
      }),
    )
    this.#texts = new Map(Object.entries(textsIn(texts)))
    this.#callers = new Map(Object.entries(textsIn(callers)))
    this.#listed = textList(listed)
  }

  /**
   * Notes that an entry of the log is of a message; `hash` is that of its text, where it has one. Only the newest 1,000
   * messages and texts are remembered.
   */
  add(id: string, entry: string, hash?: string): void {
    const known = this.#entries.get(id) ?? []
    if (!known.includes(entry)) keep(this.#entries, id, [...known, entry])
    if (hash !== undefined) keep(this.#texts, hash, entry)
  }

  /** Notes that a message stands at the end of the agent's list, unless it is in it. */
  list(id: string): void {
    if (!this.#listed.includes(id)) this.#listed = [...this.#listed, id].slice(-MAX_REMEMBERED)
  }

  /** Remembers which message made a tool call. Only the newest calls are remembered. */
  noteCaller(call: string, id: string): void {
    keep(this.#callers, call, id)
  }

  /** The id of the message that made a tool call; undefined for a call that is not known, or was forgotten. */
  callerOf(call: string): string | undefined {
    return this.#callers.get(call)
  }

  /** Ids of the log's entries that a message became, in order; empty for a message that is not known. */
  entriesOf(id: string): readonly string[] {
    return this.#entries.get(id) ?? []
  }

  /**
   * The log's entry that holds a text already, by the hash of author and text (`GeminiSession.hashOf`); undefined when
   * there is none.
   */
  entryWith(hash: string): string | undefined {
    return this.#texts.get(hash)
  }

  /** The chat starts again from an empty list; what it held comes back with the next one. */
  clear(): void {
    this.#listed = []
  }

  /**
   * Takes the list that the agent goes on with, in place of the former. `isNew` ones don't count as kept.
   * @returns the entries that stay in sight, where some of the former list left it; undefined where none did
   */
  replace(messages: readonly ListedMessage[]): readonly string[] | undefined {
    for (const { id, entries } of messages) keep(this.#entries, id, entries)
    const kept = new Set(messages.flatMap(({ entries, isNew }) => (isNew ? [] : entries)))
    const hasLost = this.#listed.some((id) => this.entriesOf(id).some((entry) => !kept.has(entry)))
    this.#listed = messages.map(({ id }) => id).slice(-MAX_REMEMBERED)
    return hasLost ? [...kept] : undefined
  }

  /** Takes a message and all after it out of the list; all messages where it is not in it. @returns the entries that stay */
  rewind(id: string): readonly string[] {
    const from = this.#listed.indexOf(id)
    this.#listed = this.#listed.slice(0, Math.max(0, from))
    return this.#listed.flatMap((each) => this.entriesOf(each))
  }

  /** Everything as plain JSON, for the constructor at the next import. */
  state(): JsonValue {
    return {
      entries: [...this.#entries].map(([id, own]) => [id, ...own]),
      texts: Object.fromEntries(this.#texts),
      callers: Object.fromEntries(this.#callers),
      listed: this.#listed,
    }
  }
}

const textList = (value: JsonValue | undefined): readonly string[] =>
  arrayOf(value).flatMap((item) => stringOf(item) ?? [])

/** Sets a value as the newest, and forgets the oldest where there are too many. */
const keep = <V>(map: Map<string, V>, key: string, value: V): void => {
  map.delete(key)
  map.set(key, value)
  const oldest = map.size > MAX_REMEMBERED ? map.keys().next().value : undefined
  if (oldest !== undefined) map.delete(oldest)
}
