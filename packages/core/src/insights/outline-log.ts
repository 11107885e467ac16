/** What the outline of a session needs of its log, taken in one pass; small beside the log, and it grows with it. */
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { classifySpeech, userAuthoredText } from '../user-words/user-words.ts'

/** A turn or a subagent as the log tells it. */
export interface LoggedPart {
  readonly seq: number
  readonly at: number | null
  /** The latest time in it. */
  endAt: number | null
  toolCalls: number
  errors: number
}

export interface LoggedTurn extends LoggedPart {
  readonly text: string
  /** A person's words began it. */
  readonly isAsked: boolean
}

export interface LoggedSubagent extends LoggedPart {
  readonly name: string
  /** Index of the turn that the log was in. */
  readonly turn: number
}

/** A reply of the main conversation; it may be in several messages. */
interface LoggedReply {
  /** Its first message. */
  readonly seq: number
  /** Index of its turn. */
  readonly turn: number
}

/** Something that changed what the model is sent. */
export interface LoggedChange {
  readonly kind: 'compaction' | 'cleared-results' | 'rewrite' | 'truncation'
  readonly seq: number
  readonly at: number | null
  readonly about: string
  /** Of a compaction, tokens in the context before it; null where the log does not say. */
  readonly tokensBefore: number | null
}

/** What was taken of a log so far. */
export interface OutlineLog {
  readonly turns: readonly LoggedTurn[]
  readonly subagents: ReadonlyMap<string, LoggedSubagent>
  /** By the times of their messages, ms; of two at the same time the first. */
  readonly repliesByTime: ReadonlyMap<number, LoggedReply>
  /**
   * By the time, ms, of a log's note that a request was made with some model: the first reply since the note before. Of
   * agents that count a response's tokens after it, so that request and reply have different times.
   */
  readonly notedReplies: ReadonlyMap<number, LoggedReply>
  /** Those without any time, in order. */
  readonly undatedReplies: readonly LoggedReply[]
  readonly changes: readonly LoggedChange[]
}

export interface OutlineLogFold {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  readonly log: OutlineLog
}

const LONGEST_TEXT = 200

/** A person's words on one line, cut to `LONGEST_TEXT` characters. */
const briefOf = (text: string): string => {
  const line = text
    .slice(0, LONGEST_TEXT * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT).toWellFormed().trimEnd()}…` : line
}

const later = (left: number | null, right: number | null): number | null =>
  left === null || right === null ? (left ?? right) : Math.max(left, right)

/**
 * Collects the replies of the main conversation by what their requests are found by: their time, the log's note of a
 * request, or neither. The lists grow with each call.
 */
const createReplies = () => {
  const repliesByTime = new Map<number, LoggedReply>()
  const notedReplies = new Map<number, LoggedReply>()
  const undatedReplies: LoggedReply[] = []
  const replies = new Map<string, LoggedReply>()
  /** The first reply since the last note of a request. */
  let unnoted: LoggedReply | undefined
  return {
    repliesByTime,
    notedReplies,
    undatedReplies,
    /** Takes the next message of a reply. @param turn index of the turn that is open */
    addReply: ({ id, responseId, seq, at }: MessageEntry, turn: number): void => {
      const key = responseId ?? id
      const known = replies.get(key)
      const reply = known ?? { seq, turn }
      if (known === undefined) {
        replies.set(key, reply)
        unnoted ??= reply
        if (at === null) undatedReplies.push(reply)
      }
      if (at !== null && !repliesByTime.has(at)) repliesByTime.set(at, reply)
    },
    /** Takes the log's note of a request: what came since the note before is its reply. */
    noteRequest: (at: number | null): void => {
      if (at !== null && unnoted !== undefined) notedReplies.set(at, unnoted)
      unnoted = undefined
    },
  }
}

/**
 * Begins the fold over an empty log. `step` takes entry after entry, in order; `log` is what was taken so far, and
 * changes with each step. A person's task or assent begins a turn; messages before the first one are a turn, too.
 */
export const createOutlineLogFold = (): OutlineLogFold => {
  const turns: LoggedTurn[] = []
  const subagents = new Map<string, LoggedSubagent>()
  const { addReply, noteRequest, ...replies } = createReplies()
  const changes: LoggedChange[] = []

  const begin = ({ seq, at }: LogEntry, text: string, isAsked: boolean): LoggedTurn => {
    const turn = { seq, at, endAt: at, toolCalls: 0, errors: 0, text, isAsked }
    turns.push(turn)
    return turn
  }
  /**
   * The part that an entry belongs to: the current turn, a new one for a task or an assent, or its subagent's. Begins
   * what is not there yet.
   */
  const partOf = (entry: MessageEntry): LoggedPart => {
    const { subagent, seq, at } = entry
    if (subagent === undefined) {
      const speech = classifySpeech(entry)
      if (speech === 'task' || speech === 'assent') return begin(entry, briefOf(userAuthoredText(entry) ?? ''), true)
      return turns.at(-1) ?? begin(entry, '', false)
    }
    const known = subagents.get(subagent)
    if (known !== undefined) return known
    if (turns.length === 0) begin(entry, '', false)
    const part = { seq, at, endAt: at, toolCalls: 0, errors: 0, name: subagent, turn: turns.length - 1 }
    subagents.set(subagent, part)
    return part
  }
  return {
    log: { turns, subagents, ...replies, changes },
    step: (entry) => {
      if (entry.kind === 'model') {
        noteRequest(entry.at)
        return
      }
      if (entry.kind === 'message') {
        const part = partOf(entry)
        part.endAt = later(part.endAt, entry.at)
        for (const block of entry.content) {
          if (block.type === 'tool_call') part.toolCalls += 1
          else if (block.type === 'tool_result' && block.isError === true) part.errors += 1
        }
        if (entry.role === 'assistant' && entry.subagent === undefined) addReply(entry, turns.length - 1)
        return
      }
      const change = changeOf(entry)
      if (change !== undefined) changes.push(change)
    },
  }
}

/**
 * What an entry changed of what the model is sent: a compaction, cleared results, a rewrite or a truncation; undefined
 * for any other entry.
 */
const changeOf = (entry: LogEntry): LoggedChange | undefined => {
  const { seq, at } = entry
  switch (entry.kind) {
    case 'compaction':
      // What agents say of the context whose results they clear is an estimate that requests contradict.
      return entry.partial === true
        ? { kind: 'cleared-results', seq, at, about: entry.trigger, tokensBefore: null }
        : { kind: 'compaction', seq, at, about: entry.trigger, tokensBefore: entry.tokensBefore ?? null }
    case 'rewrite':
      return { kind: 'rewrite', seq, at, about: `${entry.policy}: ${entry.trigger}`, tokensBefore: null }
    case 'truncation':
      return { kind: 'truncation', seq, at, about: entry.reason, tokensBefore: null }
    default:
      return undefined
  }
}
