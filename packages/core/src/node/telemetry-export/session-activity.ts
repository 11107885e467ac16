/** What the spans of a session need of its log, taken in one pass: turns, replies, tool calls and when they happened. */
import { createHash } from 'node:crypto'
import { textOfBlock, type ContentBlock, type ToolCallBlock } from '../../messages.ts'
import { createPendingCalls } from '../../pending-calls.ts'
import type { LogEntry, MessageEntry } from '../../session-log.ts'
import { classifySpeech, userAuthoredText } from '../../user-words/user-words.ts'

export interface LoggedTurn {
  /** The same whenever the log is read, and of no other turn of the session. */
  readonly id: string
  /** ms; null where the log does not say. */
  readonly at: number | null
  /** The latest time in it, ms. */
  endAt: number | null
  /** What the person wrote; undefined where a program began it, or texts are left out. */
  readonly text: string | undefined
}

/** A reply of a model, which may be in several messages. */
export interface LoggedReply {
  readonly turn: number
  readonly responseId: string
  /** What the model wrote, in the form of the conventions; none where texts are left out. */
  readonly parts: object[]
}

export interface LoggedCall {
  /** Unique within the session. */
  readonly key: string
  readonly id: string
  readonly name: string
  /** ms; null where the log does not say. */
  readonly at: number | null
  /** Of the reply that it is part of, as requests are found by; undefined where the log does not say. */
  readonly reply: string | undefined
  /** Undefined where texts are left out; so is the result's. */
  readonly argumentsText: string | undefined
  /** Undefined until it is there. */
  result: { readonly at: number | null; readonly isError: boolean; readonly text: string | undefined } | undefined
}

export interface SessionActivity {
  /** At least one, if there is any message. */
  readonly turns: readonly LoggedTurn[]
  /** By the hash that their request has, if its id is the reply's. */
  readonly replies: ReadonlyMap<string, LoggedReply>
  readonly calls: readonly LoggedCall[]
  /** When messages came that a model was to answer, ms, ascending; by subagent, '' for the main conversation. */
  readonly inputTimes: ReadonlyMap<string, readonly { readonly at: number }[]>
}

/** What is made of a text before it is kept; undefined: texts are left out. */
export type ShownText = ((text: string) => string) | undefined

/** The hash that a request of an agent is stored under, by the id of the call. */
const requestHash = (agent: string, callId: string): string =>
  createHash('sha256').update(`${agent}\0${callId}`).digest('hex').slice(0, 32)

/** Takes the entries of an agent's session in their order. */
export class ActivityReader {
  readonly #agent: string
  readonly #shown: ShownText
  readonly #turns: LoggedTurn[] = []
  readonly #replies = new Map<string, LoggedReply>()
  readonly #calls: LoggedCall[] = []
  readonly #openCalls = createPendingCalls<LoggedCall>()
  readonly #inputTimes = new Map<string, { readonly at: number }[]>()

  constructor(agent: string, shown: ShownText) {
    this.#agent = agent
    this.#shown = shown
  }

  /** What was read so far; times of input are put in order. */
  activity(): SessionActivity {
    for (const times of this.#inputTimes.values()) times.sort((left, right) => left.at - right.at)
    return { turns: this.#turns, replies: this.#replies, calls: this.#calls, inputTimes: this.#inputTimes }
  }

  /**
   * Takes the session's next entry, in the order of the log: notes turns, replies, calls and times of input. Entries
   * that are no messages are passed over.
   */
  take(entry: LogEntry): void {
    if (entry.kind !== 'message') return
    const turn = this.#turnOf(entry)
    const { at, role, subagent = '' } = entry
    this.#openCalls.begin(role)
    const logged = this.#turns[turn]
    if (logged !== undefined && at !== null) logged.endAt = Math.max(logged.endAt ?? at, at)
    if (role === 'assistant') this.#takeReply(entry, turn)
    else if (at !== null) {
      const times = this.#inputTimes.get(subagent)
      if (times === undefined) this.#inputTimes.set(subagent, [{ at }])
      else times.push({ at })
    }
    this.#takeResults(entry)
  }

  /**
   * Index of the turn that a message is in, which is the last. A person's words in the main conversation begin one,
   * with them as its text; before any, the first message begins one without a text.
   */
  #turnOf(entry: MessageEntry): number {
    const speech = entry.subagent === undefined ? classifySpeech(entry) : 'none'
    const isAsked = speech === 'task' || speech === 'assent'
    if (isAsked || this.#turns.length === 0) {
      const text = isAsked ? this.#shown?.(userAuthoredText(entry) ?? '') : undefined
      this.#turns.push({ id: entry.id, at: entry.at, endAt: entry.at, text })
    }
    return this.#turns.length - 1
  }

  /**
   * Notes a reply by its response id, with its parts if texts are wanted, and its calls, which wait for their results.
   * Two calls of one id in a message get different keys.
   */
  #takeReply({ id, responseId, content, at }: MessageEntry, turn: number): void {
    const hash = responseId === undefined ? undefined : requestHash(this.#agent, responseId)
    if (hash !== undefined && responseId !== undefined) {
      const reply = this.#replies.get(hash) ?? { turn, responseId, parts: [] }
      this.#replies.set(hash, reply)
      if (this.#shown !== undefined) reply.parts.push(...partsOf(content, this.#shown))
    }
    const keys = new Set<string>()
    for (const [index, block] of content.entries()) {
      if (block.type !== 'tool_call') continue
      const known = `${id}:${block.id}`
      const key = keys.has(known) ? `${known}:${index}` : known
      keys.add(key)
      const call: LoggedCall = {
        key,
        id: block.id,
        name: block.name,
        at,
        reply: hash,
        argumentsText: this.#shown?.(argumentsOf(block)),
        result: undefined,
      }
      this.#calls.push(call)
      this.#openCalls.add(block.id, call)
    }
  }

  /** Gives each result to the call that waits for it; others are ignored. */
  #takeResults({ content, at }: MessageEntry): void {
    for (const block of content) {
      if (block.type !== 'tool_result') continue
      const call = this.#openCalls.answer(block.callId)
      if (call === undefined) continue
      call.result = { at, isError: block.isError === true, text: this.#shown?.(textOfBlock(block)) }
    }
  }
}

const argumentsOf = ({ input }: ToolCallBlock): string => (typeof input === 'string' ? input : JSON.stringify(input))

/**
 * A reply's parts in the form of the convention for generative AI, their texts as `shown` returns them. Other blocks
 * are left out.
 */
const partsOf = (content: readonly ContentBlock[], shown: (text: string) => string): readonly object[] =>
  content.flatMap((block): object[] => {
    if (block.type === 'text') return [{ type: 'text', content: shown(block.text) }]
    if (block.type === 'thinking') return [{ type: 'reasoning', content: shown(block.text) }]
    if (block.type !== 'tool_call') return []
    const { id, name } = block
    return [{ type: 'tool_call', id, name, arguments: shown(argumentsOf(block)) }]
  })
