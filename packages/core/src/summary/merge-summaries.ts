/** Two summaries of one conversation become one: data with data, part by part. */
import { cutText } from './bounded-text.ts'
import { collaborationText, newerTask, withoutCollaborationMark } from './conversation.ts'
import {
  SUMMARY_LIMITS,
  commitKey,
  fileKey,
  lastItems,
  newestItems,
  toolCounts,
  type AgentText,
  type Commit,
  type Exchange,
  type LastItems,
  type NewestItems,
  type ThreadSummary,
  type UserText,
  assertSummary,
} from './thread-summary.ts'

/**
 * The summary of `older` followed by `newer`. Associative, with `emptySummary` neutral; the result stays within
 * `SUMMARY_LIMITS`.
 * @throws CairnError `invalid-input` for what is no summary
 */
export const mergeSummaries = (older: ThreadSummary, newer: ThreadSummary): ThreadSummary => {
  assertSummary(older, 'mergeSummaries')
  assertSummary(newer, 'mergeSummaries')
  const joint = jointExchange(older.openQuestion, newer.openAnswer)
  return {
    version: 1,
    madeAt: either(Math.max, older.madeAt, newer.madeAt),
    covered: {
      messages: older.covered.messages + newer.covered.messages,
      firstSeq: either(Math.min, older.covered.firstSeq, newer.covered.firstSeq),
      lastSeq: either(Math.max, older.covered.lastSeq, newer.covered.lastSeq),
      firstAt: either(Math.min, older.covered.firstAt, newer.covered.firstAt),
      lastAt: either(Math.max, older.covered.lastAt, newer.covered.lastAt),
    },
    currentTask: newerTask(older.currentTask, newer.currentTask),
    originalRequest: older.originalRequest ?? newer.originalRequest,
    requests: mergeRequests(older, newer),
    exchanges: mergeLast(older.exchanges, joint, newer.exchanges, SUMMARY_LIMITS.exchanges),
    openAnswer: hasDialogue(older) ? older.openAnswer : newer.openAnswer,
    openQuestion: hasDialogue(newer) ? newer.openQuestion : older.openQuestion,
    commits: mergeCommits(older.commits, newer.commits),
    filesEdited: mergeNewest(older.filesEdited, newer.filesEdited, fileKey, SUMMARY_LIMITS.files),
    filesRead: mergeNewest(older.filesRead, newer.filesRead, fileKey, SUMMARY_LIMITS.files),
    decisions: mergeLast(
      older.decisions,
      jointDecisions(older, newer, joint),
      newer.decisions,
      SUMMARY_LIMITS.decisions,
    ),
    tools: toolCounts([...older.tools.counts, ...newer.tools.counts], older.tools.otherCalls + newer.tools.otherCalls),
  }
}

/** A question of the agent with the user's answer, each cut to its limit; time and number are the answer's. */
export const createExchange = (question: AgentText, answer: UserText): Exchange => ({
  question: cutText(question.text, SUMMARY_LIMITS.exchangeCharacters),
  answer: cutText(answer.text, SUMMARY_LIMITS.exchangeCharacters),
  asked: question.asked,
  at: answer.at,
  seq: answer.seq,
})

/**
 * The exchange as a list of one decision, cut to the limits of decisions, when the agent asked; otherwise an empty
 * list.
 */
export const decisionsFrom = (exchange: Exchange): readonly Exchange[] =>
  exchange.asked
    ? [
        {
          ...exchange,
          question: cutText(withoutCollaborationMark(exchange.question), SUMMARY_LIMITS.decisionCharacters),
          answer: cutText(exchange.answer, SUMMARY_LIMITS.decisionCharacters),
        },
      ]
    : []

/**
 * The decision that the agent noted as settled and the user did not answer, as a list of one; otherwise an empty list.
 */
export const unansweredDecision = (open: AgentText | null): readonly Exchange[] =>
  open === null || collaborationText(open.text) === undefined
    ? []
    : decisionsFrom({ question: open.text, answer: '', asked: true, at: open.at, seq: open.seq })

/** Commits made in this conversation first, the rest after them, both in order. */
export const ownCommitsFirst = (commits: readonly Commit[]): readonly Commit[] => [
  ...commits.filter(({ made }) => made),
  ...commits.filter(({ made }) => !made),
]

/** The one of two times or numbers that `choose` gives; where one is null the other. */
const either = (
  choose: (left: number, right: number) => number,
  left: number | null,
  right: number | null,
): number | null => (left === null ? right : right === null ? left : choose(left, right))

/** A summary begins with the user's words or ends with the agent's or has an exchange, unless nobody said anything. */
const hasDialogue = ({ openAnswer, openQuestion, exchanges }: ThreadSummary): boolean =>
  openAnswer !== null || openQuestion !== null || exchanges.items.length > 0 || exchanges.dropped > 0

/**
 * The decisions that come of what the older part left open: that of the exchange which the newer part completes
 * (`joint`); else, if anything is said in the newer part, the one that stays without an answer. Mostly none.
 */
const jointDecisions = (
  older: ThreadSummary,
  newer: ThreadSummary,
  joint: readonly Exchange[],
): readonly Exchange[] => {
  if (joint.length > 0) return joint.flatMap(decisionsFrom)
  return hasDialogue(newer) ? unansweredDecision(older.openQuestion) : []
}

const jointExchange = (question: AgentText | null, answer: UserText | null): readonly Exchange[] =>
  question === null || answer === null ? [] : [createExchange(question, answer)]

const mergeLast = <T>(older: LastItems<T>, between: readonly T[], newer: LastItems<T>, limit: number): LastItems<T> =>
  lastItems([...older.items, ...between, ...newer.items], limit, older.dropped + newer.dropped)

/**
 * The requests of both, oldest first, the last `SUMMARY_LIMITS.requests`; the newer part's original request is one of
 * them if the older part has one of its own.
 */
const mergeRequests = (older: ThreadSummary, newer: ThreadSummary): LastItems<UserText> =>
  mergeLast(
    older.requests,
    older.originalRequest !== null && newer.originalRequest !== null ? [newer.originalRequest] : [],
    newer.requests,
    SUMMARY_LIMITS.requests,
  )

/** Merges two lists of newest items: those in both count once, and at most `limit` stay. */
const mergeNewest = <T>(
  older: NewestItems<T>,
  newer: NewestItems<T>,
  keyOf: (item: T) => string,
  limit: number,
): NewestItems<T> => {
  const samples = [older.sample, newer.sample].filter(({ length }) => length > 0)
  return newestItems([...newer.items, ...older.items], keyOf, limit, samples)
}

/** The commits of both, newest first, each once; at most `SUMMARY_LIMITS.commits`. */
const mergeCommits = (older: NewestItems<Commit>, newer: NewestItems<Commit>): NewestItems<Commit> => {
  const samples = [older.sample, newer.sample].filter(({ length }) => length > 0)
  return newestItems(ownCommitsFirst([...newer.items, ...older.items]), commitKey, SUMMARY_LIMITS.commits, samples)
}
