/** From messages to a summary: what was asked, decided, committed, read, edited and run. One pass, nothing guessed. */
import type { ContentBlock, ToolCallBlock, ToolResultBlock } from '../messages.ts'
import { cleanText, cutText, oneLine } from './bounded-text.ts'
import {
  agentMessageText,
  collaborationText,
  endsWithQuestion,
  newerTask,
  userQuestion,
  resultText,
  resultsByCall,
  seqRange,
  userMessageText,
  type ConversationMessage,
  type FileOperationsOf,
} from './conversation.ts'
import { commitsIn } from './git-commits.ts'
import { decisionsFrom, createExchange, ownCommitsFirst, unansweredDecision } from './merge-summaries.ts'
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
  type FileMention,
  type ThreadSummary,
  type UserText,
} from './thread-summary.ts'

/** What summarising needs to know of calls. */
export interface SummariseOptions {
  readonly fileOperations: FileOperationsOf
  /** When the summary is made, ms. */
  readonly at: number | null
  /** Calls of an earlier part, counted there, whose results stand in this one. */
  readonly earlierCalls?: readonly ToolCallBlock[]
}

/**
 * The summary of a part of a conversation. Messages with an `origin` (summaries, and what the agent's
 * program wrote) do not count as the user's. Summaries of two parts merge to the summary of the whole as long as no call
 * is separated from its result; `earlierCalls` gives the calls of an earlier part whose results come in this one.
 */
export const summariseMessages = (
  messages: readonly ConversationMessage[],
  options: SummariseOptions,
): ThreadSummary => {
  const facts = new SummaryFacts(resultsByCall(messages, options.earlierCalls), options)
  for (const message of messages) facts.add(message)
  return { ...facts.result(), madeAt: options.at, covered: coverageOf(messages) }
}

interface Position {
  readonly at: number | null
  readonly seq: number | null
}

/** Gathers what a summary holds, message by message. */
class SummaryFacts {
  readonly #results: ReadonlyMap<ToolCallBlock, ToolResultBlock>
  readonly #fileOperations: FileOperationsOf
  readonly #earlierCalls: ReadonlyMap<string, ToolCallBlock>
  readonly #requests: UserText[] = []
  readonly #exchanges: Exchange[] = []
  readonly #decisions: Exchange[] = []
  readonly #commits: Commit[] = []
  readonly #edited: FileMention[] = []
  readonly #read: FileMention[] = []
  /** How often each tool was called. */
  readonly #tools = new Map<string, number>()
  /** By a call's id: what it asks the user. */
  readonly #asking = new Map<string, AgentText>()
  #currentTask: UserText | null = null
  #openAnswer: UserText | null = null
  #openQuestion: AgentText | null = null

  constructor(
    results: ReadonlyMap<ToolCallBlock, ToolResultBlock>,
    { fileOperations, earlierCalls = [] }: SummariseOptions,
  ) {
    this.#results = results
    this.#fileOperations = fileOperations
    this.#earlierCalls = new Map(earlierCalls.map((call) => [call.id, call]))
  }

  /** Takes the conversation's next message. In the order of the log. */
  add(message: ConversationMessage): void {
    const position = { at: message.at ?? null, seq: seqRange(message)[0] }
    for (const block of message.content) this.#addBlock(block, position)
    const spokenText = agentMessageText(message)
    if (spokenText !== undefined) this.#addAgentText(spokenText, position)
    const wanted = userMessageText(message)
    if (wanted !== undefined) this.#addUserText(wanted, position)
  }

  /** The facts so far; the newest come first in lists of files and commits, the oldest in the others. */
  result(): Omit<ThreadSummary, 'madeAt' | 'covered'> {
    return {
      version: 1,
      currentTask: this.#currentTask,
      originalRequest: this.#requests[0] ?? null,
      requests: lastItems(this.#requests.slice(1), SUMMARY_LIMITS.requests),
      exchanges: lastItems(this.#exchanges, SUMMARY_LIMITS.exchanges),
      openAnswer: this.#openAnswer,
      openQuestion: this.#openQuestion,
      commits: newestItems(ownCommitsFirst(this.#commits.toReversed()), commitKey, SUMMARY_LIMITS.commits),
      filesEdited: newestItems(this.#edited.toReversed(), fileKey, SUMMARY_LIMITS.files),
      filesRead: newestItems(this.#read.toReversed(), fileKey, SUMMARY_LIMITS.files),
      decisions: lastItems(this.#decisions, SUMMARY_LIMITS.decisions),
      tools: toolCounts([...this.#tools].map(([name, calls]) => ({ name, calls }))),
    }
  }

  /** Counts a tool and what its call tells, and takes files and results; texts are taken elsewhere. */
  #addBlock(block: ContentBlock, position: Position): void {
    if (block.type === 'tool_call') {
      const name = cutText(oneLine(cleanText(block.name)), SUMMARY_LIMITS.toolNameCharacters)
      this.#tools.set(name, (this.#tools.get(name) ?? 0) + 1)
      this.#addCall(block, position)
    } else if (block.type === 'file') mention(this.#read, block.path, position)
    else if (block.type === 'tool_result') this.#addResult(block, position)
  }

  /**
   * Adds what a call did, with its result: files, commits, and what it asks the user. A failed call did nothing to
   * files.
   */
  #addCall(call: ToolCallBlock, position: Position): void {
    const result = this.#results.get(call)
    const operations = this.#fileOperations(call)
    if (result?.isError !== true)
      for (const { path, operation } of operations)
        mention(operation === 'edit' ? this.#edited : this.#read, path, position)
    if (result !== undefined)
      for (const { hash, subject, made } of commitsIn(call, resultText(result), operations.length > 0)) {
        const cut = cutText(oneLine(subject), SUMMARY_LIMITS.subjectCharacters)
        this.#commits.push({ hash, subject: cut, made, ...position })
      }
    const question = userQuestion(call)
    if (question !== undefined)
      this.#asking.set(call.id, {
        text: cutText(question, SUMMARY_LIMITS.exchangeCharacters),
        asked: true,
        ...position,
      })
  }

  /**
   * Takes a result: of a call from before these messages, or of a tool that asked the user, whose result is the answer.
   */
  #addResult(result: ToolResultBlock, position: Position): void {
    const call = this.#earlierCalls.get(result.callId)
    if (call !== undefined) this.#addCall(call, position)
    const question = this.#asking.get(result.callId)
    if (question === undefined || result.isError === true) return
    this.#ask(question)
    this.#answer(resultText(result).trim(), position)
  }

  /** Takes what the agent says as the open question, which the user's next message answers. */
  #addAgentText(spokenText: string, position: Position): void {
    const settled = collaborationText(spokenText)
    const text = cutText(settled ?? spokenText, SUMMARY_LIMITS.exchangeCharacters)
    this.#ask({ text, asked: settled !== undefined || endsWithQuestion(spokenText), ...position })
  }

  /** Takes what the user says: an answer, a request, and the current task if it is one. */
  #addUserText(wanted: string, position: Position): void {
    this.#answer(wanted, position)
    const task = { text: cutText(wanted, SUMMARY_LIMITS.currentTaskCharacters), ...position }
    this.#currentTask = newerTask<UserText>(this.#currentTask, task)
    this.#requests.push({ text: cutText(wanted, SUMMARY_LIMITS.requestCharacters), ...position })
  }

  /** Takes a question as the open one; the one before becomes a decision that was not answered. */
  #ask(question: AgentText): void {
    this.#decisions.push(...unansweredDecision(this.#openQuestion))
    this.#openQuestion = question
  }

  /**
   * Takes an answer to the open question; the two are an exchange and may hold decisions. Without a question, the very
   * first is kept as an answer to earlier messages.
   */
  #answer(text: string, position: Position): void {
    const reply = { text: cutText(text, SUMMARY_LIMITS.exchangeCharacters), ...position }
    if (this.#openQuestion !== null) {
      const exchange = createExchange(this.#openQuestion, reply)
      this.#exchanges.push(exchange)
      this.#decisions.push(...decisionsFrom(exchange))
    } else if (this.#exchanges.length === 0) this.#openAnswer ??= reply
    this.#openQuestion = null
  }
}

/** Adds a mention of a file, its path on one line and cut; nothing for an empty path. `./a` and `a` are one file. */
const mention = (files: FileMention[], path: string, position: Position): void => {
  const plain = oneLine(cleanText(path)).replace(/^(?:\.\/)+(?=.)/, '')
  if (plain !== '') files.push({ path: cutText(plain, SUMMARY_LIMITS.pathCharacters), ...position })
}

/**
 * How many messages a summary stands for, with their first and last place and time, null where not known. Summaries of
 * earlier parts are not counted: those parts' own summaries cover them.
 */
const coverageOf = (messages: readonly ConversationMessage[]): ThreadSummary['covered'] => {
  const own = messages.filter(({ origin }) => origin !== 'summary')
  const seqs = known(own.flatMap(seqRange))
  const times = known(own.map(({ at }) => at ?? null))
  return {
    messages: own.length,
    firstSeq: least(seqs),
    lastSeq: most(seqs),
    firstAt: least(times),
    lastAt: most(times),
  }
}

const known = (values: readonly (number | null)[]): readonly number[] => values.filter((value) => value !== null)
const least = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((left, right) => Math.min(left, right))
const most = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((left, right) => Math.max(left, right))
