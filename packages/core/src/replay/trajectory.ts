/** A recorded session as its requests: what came before each, and what the model answered. */
import { visibleCharacters } from '../messages.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import type { PaidRequest } from './paid.ts'

export interface Turn {
  /**
   * Time of the request, ms: when its reply began, as recorded; without a time of its own that of the entry
   * before it which has one, null where none has.
   */
  readonly at: number | null
  /** What the log took since the turn before, in order: its reply, results, the user's words. */
  readonly before: readonly LogEntry[]
  /** The same with what the recorded agent did to its context in between: its compactions, and their summaries. */
  readonly recorded: readonly LogEntry[]
  /** The reply's own entries. */
  readonly reply: readonly MessageEntry[]
  /** As recorded; where the record is partial or missing, estimated from the reply's characters. */
  readonly outputTokens: number
}

export interface Trajectory {
  readonly session: string
  readonly turns: readonly Turn[]
  /** All entries, numbered again with free numbers for a policy's decisions between them (see {@link STRIDE}). */
  readonly entries: readonly LogEntry[]
  /** How often the recorded agent changed its context before the last request: compactions, truncations, edits. */
  readonly recordedChanges: number
  /** The source line of an entry, by its number divided by {@link STRIDE}. */
  readonly lines: readonly number[]
}

/** What a replay needs of a session; lists are parallel to `entries` unless said otherwise. */
export interface TrajectorySource {
  readonly session: string
  readonly entries: readonly LogEntry[]
  /** The 0-based source line of each entry; absent: the entry's own number. */
  readonly lines?: readonly number[]
  /** The request that each entry is the reply of, where the record has one. */
  readonly requests?: readonly (RecordedOutput | undefined)[]
  /** The main conversation's requests in order of time, where it is not known which entries they belong to. */
  readonly requestsByTime?: readonly (RecordedOutput & { readonly at: number | null })[]
  readonly charactersPerToken: number
  /** The main conversation's requests with what was paid for them, where the record tells. */
  readonly paid?: readonly PaidRequest[]
}

export interface RecordedOutput {
  readonly outputTokens: number
}

/** Distance between the numbers of two entries; a replay's decisions take numbers between them. */
export const STRIDE = 16

interface OpenTurn {
  readonly at: number | null
  /** Where its reply begins: among the entries that every policy is given, and among all. */
  readonly start: number
  readonly recordedStart: number
  readonly reply: MessageEntry[]
  readonly response: string | undefined
  output: number | undefined
}

/**
 * The requests of a session, one for each assistant turn, in order; none for a session without replies. Messages of
 * subagents, summaries of compactions and what a program wrote in the assistant's name are left out.
 */
export const trajectoryOf = (source: TrajectorySource): Trajectory => {
  const builder = new TrajectoryBuilder(source)
  source.entries.forEach((entry, index) => builder.take(entry, index))
  return builder.result()
}

/** Numbers a session's entries again, and cuts them into turns. */
class TrajectoryBuilder {
  readonly #source: TrajectorySource
  /** What every policy is given. */
  readonly #shared: LogEntry[] = []
  /** The same with the recorded agent's own decisions. */
  readonly #entries: LogEntry[] = []
  readonly #lines: number[] = []
  readonly #turns: OpenTurn[] = []
  /** By an entry's number in the source: the number of the last replayed entry up to it, shared and of all. */
  readonly #numbers = new Map<number, number>()
  readonly #allNumbers = new Map<number, number>()
  #number = -1
  #allNumber = -1
  #at: number | null = null
  #lastRole: string | undefined

  constructor(source: TrajectorySource) {
    this.#source = source
  }

  /**
   * Takes the source's next entry. What the recorded agent decided goes to all entries only; what no policy is given
   * and is no such decision is left out. Notes the entry's new number, for later entries that refer to it.
   */
  take(given: LogEntry, index: number): void {
    const isShared = isReplayed(given)
    if (isShared || isDecision(given)) {
      this.#allNumber = this.#entries.length * STRIDE
      this.#entries.push(numbered(given, this.#allNumber, this.#allNumbers))
      this.#lines.push(this.#source.lines?.[index] ?? given.seq)
    }
    if (isShared) this.#takeShared(given, index)
    this.#numbers.set(given.seq, this.#number)
    this.#allNumbers.set(given.seq, this.#allNumber)
  }

  /**
   * The trajectory so far: a turn for each request, with what was added before it. Its output is what was recorded, or
   * else an estimate.
   */
  result(): Trajectory {
    const { session, requestsByTime = [], charactersPerToken } = this.#source
    const turns = this.#turns
    const byTime = outputsByTime(turns, requestsByTime)
    return {
      session,
      entries: this.#entries,
      lines: this.#lines,
      recordedChanges: this.#entries.slice(0, turns.at(-1)?.recordedStart ?? 0).filter(isChange).length,
      turns: turns.map((turn, index) => ({
        at: turn.at,
        before: this.#shared.slice(turns[index - 1]?.start ?? 0, turn.start),
        recorded: this.#entries.slice(turns[index - 1]?.recordedStart ?? 0, turn.recordedStart),
        reply: turn.reply,
        outputTokens: outputOf(turn.reply, turn.output ?? byTime[index], charactersPerToken),
      })),
    }
  }

  /** Takes an entry that every policy sees, with the next number. */
  #takeShared(given: LogEntry, index: number): void {
    this.#number = this.#allNumber
    const entry = numbered(given, this.#number, this.#numbers)
    this.#at = entry.at ?? this.#at
    this.#shared.push(entry)
    if (entry.kind !== 'message') return
    if (entry.role === 'assistant') this.#takeReply(entry, index)
    this.#lastRole = entry.role
  }

  /** Adds a message to its turn's reply; of several recorded outputs the largest counts. */
  #takeReply(entry: MessageEntry, index: number): void {
    const turn = this.#turnOf(entry)
    turn.reply.push(entry)
    const recorded = this.#source.requests?.[index]?.outputTokens
    if (recorded !== undefined) turn.output = Math.max(turn.output ?? 0, recorded)
  }

  /**
   * The turn that a part of a reply belongs to: that of its response, or of the assistant's message right before it. A
   * new turn is begun where neither is so.
   */
  #turnOf({ responseId }: MessageEntry): OpenTurn {
    const open = this.#turns.at(-1)
    const isSame = responseId === undefined ? this.#lastRole === 'assistant' : open?.response === responseId
    if (open !== undefined && isSame) return open
    const turn: OpenTurn = {
      at: this.#at,
      start: this.#shared.length - 1,
      recordedStart: this.#entries.length - 1,
      reply: [],
      output: undefined,
      response: responseId,
    }
    this.#turns.push(turn)
    return turn
  }
}

/**
 * An entry with its number in the replay; the entries that it refers to get their numbers, too. An unknown one is −1.
 */
const numbered = (given: LogEntry, seq: number, numbers: ReadonlyMap<number, number>): LogEntry => {
  switch (given.kind) {
    case 'rewind':
      return { ...given, seq, toSeq: numbers.get(given.toSeq) ?? -1 }
    case 'truncation':
      return {
        ...given,
        seq,
        fromSeq: (numbers.get(given.fromSeq - 1) ?? -1) + 1,
        toSeq: numbers.get(given.toSeq) ?? -1,
      }
    case 'rewrite':
      return {
        ...given,
        seq,
        changes: given.changes.map((change) => ({ ...change, seq: numbers.get(change.seq) ?? -1 })),
        ...(given.insertions === undefined
          ? {}
          : {
              insertions: given.insertions.map(({ before, ...insertion }) =>
                before === undefined ? insertion : { ...insertion, before: numbers.get(before) ?? -1 },
              ),
            }),
      }
    default:
      return { ...given, seq }
  }
}

/** Whether an entry is a change of the context by the recorded agent, or a summary that it put there. */
const isDecision = (entry: LogEntry): boolean =>
  isChange(entry) || (entry.kind === 'message' && entry.subagent === undefined && entry.origin === 'summary')

/** Whether an entry is a decision that changed what was sent: a compaction, truncation, rewrite or edit. */
export const isChange = ({ kind }: Pick<LogEntry, 'kind'>): boolean =>
  kind === 'compaction' || kind === 'truncation' || kind === 'rewrite' || kind === 'edit'

/** Whether every policy is given an entry: not the recorded session's own changes of its context, and its summaries. */
const isReplayed = (entry: LogEntry): boolean => {
  switch (entry.kind) {
    case 'message':
      return (
        entry.subagent === undefined &&
        entry.origin !== 'summary' &&
        !(entry.role === 'assistant' && entry.origin === 'meta')
      )
    case 'compaction':
    case 'truncation':
    case 'rewrite':
    case 'edit':
      return false
    default:
      return true
  }
}

/**
 * For each turn the largest output of the requests made from its time up to the next turn's, undefined if there were
 * none. Where a time is missing, requests and turns are paired in order if there are as many of both.
 */
const outputsByTime = (
  turns: readonly Pick<OpenTurn, 'at'>[],
  requests: readonly { readonly at: number | null; readonly outputTokens: number }[],
): readonly (number | undefined)[] => {
  if (requests.some(({ at }) => at === null) || turns.some(({ at }) => at === null)) {
    return requests.length === turns.length ? requests.map(({ outputTokens }) => outputTokens) : []
  }
  const outputs: (number | undefined)[] = []
  let next = 0
  turns.forEach(({ at }, index) => {
    const until = turns[index + 1]?.at ?? Number.POSITIVE_INFINITY
    for (; next < requests.length; next++) {
      const request = requests[next]
      // Of turns at one time each takes one request.
      if (request?.at == null || (request.at >= until && !(request.at === at && outputs[index] === undefined))) break
      if (request.at >= (at ?? 0)) outputs[index] = Math.max(outputs[index] ?? 0, request.outputTokens)
    }
  })
  return outputs
}

/** The output in tokens: as recorded, or estimated where the record is under half of what the visible output needs. */
const outputOf = (reply: readonly MessageEntry[], recorded: number | undefined, charactersPerToken: number): number => {
  const characters = reply.reduce((sum, { content }) => sum + visibleCharacters(content), 0)
  const needed = Math.ceil(characters / charactersPerToken)
  return recorded !== undefined && recorded * 2 >= needed ? recorded : needed
}
