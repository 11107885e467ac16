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
 * The summary of a part of a conversation. Messages that stand for earlier ones or that the agent's program wrote
 * (`origin`) are no user's requests. Summaries of two parts merge to the summary of the whole, provided that no call is
 * separated from its result; where one is, `earlierCalls` lets the result still tell what it says.
 */
export const summariseMessages = (
  messages: readonly ConversationMessage[],
  options: SummariseOptions,
): ThreadSummary => {
  const facts = createFacts(resultsByCall(messages), options)
  for (const message of messages) facts.add(message)
  return { ...facts.result(), madeAt: options.at, covered: coverageOf(messages) }
}

interface Position {
  readonly at: number | null
  readonly seq: number | null
}

interface Facts {
  add(message: ConversationMessage): void
  result(): Omit<ThreadSummary, 'madeAt' | 'covered'>
}

const createFacts = (
  results: ReadonlyMap<string, ToolResultBlock>,
  { fileOperations, earlierCalls = [] }: SummariseOptions,
): Facts => {
  const earlier = new Map(earlierCalls.map((call) => [call.id, call]))
  const requests: UserText[] = []
  const exchanges: Exchange[] = []
  const decisions: Exchange[] = []
  const commits: Commit[] = []
  const edited: FileMention[] = []
  const read: FileMention[] = []
  const tools = new Map<string, number>()
  const asking = new Map<string, AgentText>()
  let currentTask: UserText | null = null
  let openAnswer: UserText | null = null
  let openQuestion: AgentText | null = null

  const ask = (question: AgentText): void => {
    decisions.push(...unansweredDecision(openQuestion))
    openQuestion = question
  }

  const answer = (text: string, position: Position): void => {
    const reply = { text: cutText(text, SUMMARY_LIMITS.exchangeCharacters), ...position }
    if (openQuestion !== null) {
      const exchange = createExchange(openQuestion, reply)
      exchanges.push(exchange)
      decisions.push(...decisionsFrom(exchange))
    } else if (exchanges.length === 0) openAnswer ??= reply
    openQuestion = null
  }

  const addCall = (call: ToolCallBlock, position: Position): void => {
    const name = cutText(oneLine(cleanText(call.name)), SUMMARY_LIMITS.toolNameCharacters)
    tools.set(name, (tools.get(name) ?? 0) + 1)
    takeCall(call, position)
  }

  const takeCall = (call: ToolCallBlock, position: Position): void => {
    const result = results.get(call.id)
    const operations = fileOperations(call)
    if (result?.isError !== true) {
      for (const { path, operation } of operations) mention(operation === 'edit' ? edited : read, path, position)
    }
    if (result !== undefined) {
      for (const { hash, subject, made } of commitsIn(call, resultText(result), operations.length > 0))
        commits.push({ hash, subject: cutText(oneLine(subject), SUMMARY_LIMITS.subjectCharacters), made, ...position })
    }
    const question = userQuestion(call)
    if (question !== undefined)
      asking.set(call.id, { text: cutText(question, SUMMARY_LIMITS.exchangeCharacters), asked: true, ...position })
  }

  const addBlock = (block: ContentBlock, position: Position): void => {
    if (block.type === 'tool_call') {
      addCall(block, position)
    } else if (block.type === 'file') {
      mention(read, block.path, position)
    } else if (block.type === 'tool_result') {
      const call = earlier.get(block.callId)
      if (call !== undefined) takeCall(call, position)
      const question = asking.get(block.callId)
      if (question === undefined || block.isError === true) return
      ask(question)
      answer(resultText(block).trim(), position)
    }
  }

  return {
    add: (message) => {
      const position = { at: message.at ?? null, seq: seqRange(message)[0] }
      for (const block of message.content) addBlock(block, position)
      const spokenText = agentMessageText(message)
      if (spokenText !== undefined) {
        const settled = collaborationText(spokenText)
        const text = cutText(settled ?? spokenText, SUMMARY_LIMITS.exchangeCharacters)
        ask({ text, asked: settled !== undefined || endsWithQuestion(spokenText), ...position })
      }
      const wanted = userMessageText(message)
      if (wanted === undefined) return
      answer(wanted, position)
      currentTask = newerTask<UserText>(currentTask, {
        text: cutText(wanted, SUMMARY_LIMITS.currentTaskCharacters),
        ...position,
      })
      requests.push({ text: cutText(wanted, SUMMARY_LIMITS.requestCharacters), ...position })
    },
    result: () => ({
      version: 1,
      currentTask,
      originalRequest: requests[0] ?? null,
      requests: lastItems(requests.slice(1), SUMMARY_LIMITS.requests),
      exchanges: lastItems(exchanges, SUMMARY_LIMITS.exchanges),
      openAnswer,
      openQuestion,
      commits: newestItems(ownCommitsFirst(commits.toReversed()), commitKey, SUMMARY_LIMITS.commits),
      filesEdited: newestItems(edited.toReversed(), fileKey, SUMMARY_LIMITS.files),
      filesRead: newestItems(read.toReversed(), fileKey, SUMMARY_LIMITS.files),
      decisions: lastItems(decisions, SUMMARY_LIMITS.decisions),
      tools: toolCounts([...tools].map(([name, calls]) => ({ name, calls }))),
    }),
  }
}

/** `./a` and `a` are one file. */
const mention = (files: FileMention[], path: string, position: Position): void => {
  const plain = oneLine(cleanText(path)).replace(/^(?:\.\/)+(?=.)/, '')
  if (plain !== '') files.push({ path: cutText(plain, SUMMARY_LIMITS.pathCharacters), ...position })
}

/** Summaries of earlier parts are covered by those parts' own summaries. */
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
