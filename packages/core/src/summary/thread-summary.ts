/**
 * What is remembered of a conversation's trimmed part: facts, as data. It is made from messages, merged with other
 * summaries and rendered for a model; text is never parsed back into it. Every part is bounded, and what a bound
 * dropped is counted.
 */
import { CairnError } from '../errors.ts'
import { distinctCount, distinctSample, uniteSamples, type DistinctSample } from './distinct-count.ts'

/** Entries and characters (UTF-16 units) that a summary keeps at most. */
export const SUMMARY_LIMITS = {
  currentTaskCharacters: 4000,
  exchanges: 5,
  exchangeCharacters: 1000,
  /** Besides the original one. */
  requests: 7,
  requestCharacters: 300,
  commits: 15,
  subjectCharacters: 200,
  files: 30,
  pathCharacters: 400,
  decisions: 3,
  decisionCharacters: 250,
  tools: 200,
  toolNameCharacters: 100,
} as const

/** Where in the log something stands; null where it is not known. */
interface LogPosition {
  readonly at: number | null
  readonly seq: number | null
}

/** What a user wrote, within a number of characters. */
export interface UserText extends LogPosition {
  readonly text: string
}

/** What the agent said last before the user's turn; `asked` when it put a question. */
export interface AgentText extends LogPosition {
  readonly text: string
  readonly asked: boolean
}

/** What the agent said or asked, and what the user answered. Placed where the answer stands. */
export interface Exchange extends LogPosition {
  readonly question: string
  readonly answer: string
  readonly asked: boolean
}

/** A commit; `made` when git made it in this conversation. */
export interface Commit extends LogPosition {
  readonly hash: string
  readonly subject: string
  /** Made in this conversation; else only seen in the history. */
  readonly made: boolean
}

/** A file that was read or edited, and where last. */
export interface FileMention extends LogPosition {
  readonly path: string
}

/** How often a tool was called. */
export interface ToolCount {
  readonly name: string
  readonly calls: number
}

/** The end of a sequence, oldest first. */
export interface LastItems<T> {
  readonly items: readonly T[]
  readonly dropped: number
}

/** The newest so many different things, newest first. `dropped` is exact below 128 different ones, then an estimate. */
export interface NewestItems<T> {
  readonly items: readonly T[]
  readonly dropped: number
  /** Of all that was seen; empty as long as nothing was dropped. */
  readonly sample: DistinctSample
}

/** A summary of a conversation as data; two merge into one. */
export interface ThreadSummary {
  readonly version: 1
  /** When it was made, ms: the newest of what was merged. */
  readonly madeAt: number | null
  /** Messages that it stands for, with their first and last place in the log and time (ms). */
  readonly covered: {
    readonly messages: number
    readonly firstSeq: number | null
    readonly lastSeq: number | null
    readonly firstAt: number | null
    readonly lastAt: number | null
  }
  /** The newest message of the user. */
  readonly currentTask: UserText | null
  readonly originalRequest: UserText | null
  /** The user's messages after the original one. */
  readonly requests: LastItems<UserText>
  readonly exchanges: LastItems<Exchange>
  /** What the conversation begins with, if it is the user's: it answers what came before. */
  readonly openAnswer: UserText | null
  /** What the conversation ends with, if it is the agent's: what comes after may answer it. */
  readonly openQuestion: AgentText | null
  /** Made here before only seen; each newest first. */
  readonly commits: NewestItems<Commit>
  readonly filesEdited: NewestItems<FileMention>
  /** A file that was read and edited stands in both. */
  readonly filesRead: NewestItems<FileMention>
  /** Exchanges in which the agent put a question, shorter. */
  readonly decisions: LastItems<Exchange>
  /** By calls, descending, then by name. `otherCalls`: of tools beyond the limit of names. */
  readonly tools: { readonly counts: readonly ToolCount[]; readonly otherCalls: number }
}

const NO_LAST = { items: [], dropped: 0 } as const
const NO_NEWEST = { items: [], dropped: 0, sample: [] } as const

/** The summary of nothing: merged with any other, it leaves that one as it is. */
export const emptySummary: ThreadSummary = {
  version: 1,
  madeAt: null,
  covered: { messages: 0, firstSeq: null, lastSeq: null, firstAt: null, lastAt: null },
  currentTask: null,
  originalRequest: null,
  requests: NO_LAST,
  exchanges: NO_LAST,
  openAnswer: null,
  openQuestion: null,
  commits: NO_NEWEST,
  filesEdited: NO_NEWEST,
  filesRead: NO_NEWEST,
  decisions: NO_LAST,
  tools: { counts: [], otherCalls: 0 },
}

/** The last `limit` items of a sequence, and how many were left out, those of earlier bounds (`dropped`) included. */
export const lastItems = <T>(items: readonly T[], limit: number, dropped = 0): LastItems<T> => {
  const kept = items.slice(Math.max(0, items.length - limit))
  return { items: kept, dropped: dropped + items.length - kept.length }
}

/**
 * The first `limit` items with different keys of a list that is newest first, and an estimate of how many more there
 * were. `samples` are of what earlier bounds dropped.
 */
export const newestItems = <T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  limit: number,
  samples: readonly DistinctSample[] = [],
): NewestItems<T> => {
  const different = new Map<string, T>()
  for (const item of items) if (!different.has(keyOf(item))) different.set(keyOf(item), item)
  const sample = samples.reduce(uniteSamples, distinctSample([...different.keys()]))
  const wasBounded = different.size > limit || samples.some(({ length }) => length > 0)
  if (!wasBounded) return { items: [...different.values()], dropped: 0, sample: [] }
  const kept = [...different.values()].slice(0, limit)
  return { items: kept, dropped: Math.max(sample.length, distinctCount(sample)) - kept.length, sample }
}

/**
 * Counts of tool calls by name, most calls first, then by name. Of too many names the first by alphabet are kept, so
 * that any order of merging agrees; calls of the other names are counted together (`otherCalls`: of earlier bounds).
 */
export const toolCounts = (counts: readonly ToolCount[], otherCalls = 0): ThreadSummary['tools'] => {
  const byName = new Map<string, number>()
  for (const { name, calls } of counts) byName.set(name, (byName.get(name) ?? 0) + calls)
  const sorted = [...byName].sort(([left], [right]) => (left < right ? -1 : 1))
  const kept = sorted.slice(0, SUMMARY_LIMITS.tools).map(([name, calls]) => ({ name, calls }))
  const others = sorted.slice(SUMMARY_LIMITS.tools).reduce((sum, [, calls]) => sum + calls, otherCalls)
  // Stable, so ties stay in the order of names.
  return { counts: kept.sort((left, right) => right.calls - left.calls), otherCalls: others }
}

/**
 * The key by which commits are told apart: the first seven digits of the hash, as abbreviations differ in length and
 * git makes none shorter.
 */
export const commitKey = ({ hash }: Commit): string => hash.slice(0, 7)
/** The key by which files of a summary are told apart: the path as it was written, letter case included. */
export const fileKey = ({ path }: FileMention): string => path

/**
 * Throws `invalid-input`, which names the caller, for a value that is not a summary; only its outline is looked at. For
 * data from outside, use `parseThreadSummary`.
 */
export const assertSummary = (summary: ThreadSummary, caller: string): void => {
  const given: unknown = summary
  if (typeof given === 'object' && given !== null && 'version' in given && 'covered' in given) return
  throw new CairnError(
    'invalid-input',
    `${caller} needs a thread summary, as summariseMessages or parseThreadSummary give it.`,
  )
}
