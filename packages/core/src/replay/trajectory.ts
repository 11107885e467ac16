/** A recorded session as the requests that it was: what came before each, and what the model answered. */
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
  /** All entries, numbered anew with room for a policy's decisions between them (see {@link STRIDE}). */
  readonly entries: readonly LogEntry[]
  /** How often the recorded agent changed its context before the last request: compactions, truncations, edits. */
  readonly recordedChanges: number
  /** The source line of an entry, by its number divided by {@link STRIDE}. */
  readonly lines: readonly number[]
}

/** What a replay needs of a session; by the entries' places where not said otherwise. */
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

/** Distance of two entries' numbers: a replay's decisions take numbers between, so that entries keep theirs. */
export const STRIDE = 16

interface OpenTurn {
  readonly at: number | null
  /** Where its reply begins, among the entries of all policies and among all. */
  readonly start: number
  readonly recordedStart: number
  readonly reply: MessageEntry[]
  readonly response: string | undefined
  output: number | undefined
}

/** The requests of a session, one an assistant turn; sidechains and recorded compact summaries are left out. */
export const trajectoryOf = (source: TrajectorySource): Trajectory => {
  /** What every policy is given; and all, with the agent's own decisions. */
  const shared: LogEntry[] = []
  const entries: LogEntry[] = []
  const lines: number[] = []
  const turns: OpenTurn[] = []
  /** By an entry's place in the source: the number of the last replayed entry up to it. */
  const numbers = new Map<number, number>()
  const allNumbers = new Map<number, number>()
  let number = -1
  let allNumber = -1
  let at: number | null = null
  let lastRole: string | undefined

  const takeReply = (entry: MessageEntry, index: number): void => {
    const open = turns.at(-1)
    const isSame =
      open !== undefined &&
      (entry.responseId === undefined ? lastRole === 'assistant' : open.response === entry.responseId)
    const turn = isSame
      ? open
      : {
          at,
          start: shared.length - 1,
          recordedStart: entries.length - 1,
          reply: [],
          output: undefined,
          response: entry.responseId,
        }
    if (!isSame) turns.push(turn)
    turn.reply.push(entry)
    const recorded = source.requests?.[index]?.outputTokens
    if (recorded !== undefined) turn.output = Math.max(turn.output ?? 0, recorded)
  }

  source.entries.forEach((given, index) => {
    const isShared = isReplayed(given)
    if (isShared || isDecision(given)) {
      const seq = entries.length * STRIDE
      entries.push(numbered(given, seq, allNumbers))
      lines.push(source.lines?.[index] ?? given.seq)
      allNumber = seq
    }
    if (isShared) {
      number = allNumber
      const entry = numbered(given, number, numbers)
      at = entry.at ?? at
      shared.push(entry)
      if (entry.kind === 'message') {
        if (entry.role === 'assistant') takeReply(entry, index)
        lastRole = entry.role
      }
    }
    numbers.set(given.seq, number)
    allNumbers.set(given.seq, allNumber)
  })

  const byTime = outputsByTime(turns, source.requestsByTime ?? [])
  return {
    session: source.session,
    entries,
    lines,
    recordedChanges: entries.slice(0, turns.at(-1)?.recordedStart ?? 0).filter(isChange).length,
    turns: turns.map((turn, index) => ({
      at: turn.at,
      before: shared.slice(turns[index - 1]?.start ?? 0, turn.start),
      recorded: entries.slice(turns[index - 1]?.recordedStart ?? 0, turn.recordedStart),
      reply: turn.reply,
      outputTokens: outputOf(turn.reply, turn.output ?? byTime[index], source.charactersPerToken),
    })),
  }
}

/** An entry under its number in the replay, with what it names by the others' numbers. */
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

/** What the recorded agent did to its context, and the summaries that it put there. */
const isDecision = (entry: LogEntry): boolean =>
  isChange(entry) || (entry.kind === 'message' && entry.subagent === undefined && entry.origin === 'summary')

/** A decision that changes what was sent. */
export const isChange = ({ kind }: Pick<LogEntry, 'kind'>): boolean =>
  kind === 'compaction' || kind === 'truncation' || kind === 'rewrite' || kind === 'edit'

/** What other policies are not given: the recorded session's own decisions about its context, and its summaries. */
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

/** For each turn the output of the requests made from its time up to the next turn's. Without times, as many requests as turns are taken one by one. */
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

/** A record under half of what the visible output needs is not the whole. */
const outputOf = (reply: readonly MessageEntry[], recorded: number | undefined, charactersPerToken: number): number => {
  const characters = reply.reduce((sum, { content }) => sum + visibleCharacters(content), 0)
  const needed = Math.ceil(characters / charactersPerToken)
  return recorded !== undefined && recorded * 2 >= needed ? recorded : needed
}
