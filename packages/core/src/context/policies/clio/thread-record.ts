/**
 * What is remembered of what left: a thread summary, kept as data in the rewrites' metadata, merged at every trim
 * and put into the view as one text.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json.ts'
import type { ContentBlock } from '../../../messages.ts'
import { findCurrentTask, type ConversationMessage } from '../../../summary/conversation.ts'
import { mergeSummaries } from '../../../summary/merge-summaries.ts'
import { progressNote, listRecentToolCalls } from '../../../summary/progress-note.ts'
import { recoveryContext } from '../../../summary/recovery-context.ts'
import { renderThreadSummary } from '../../../summary/render-summary.ts'
import { summariseMessages } from '../../../summary/summarise-messages.ts'
import { emptySummary, type ThreadSummary } from '../../../summary/thread-summary.ts'
import { fileOperationsOf } from '../../../file-activity/file-tools.ts'
import type { ViewBlock } from '../../view-block.ts'
import type { ContextView } from '../../view.ts'

/**
 * The thread summary to store with a trim: the policy's former one (rebuilt from the log where none is stored), with
 * the dropped blocks added. Nothing is stored here. `at`: time of the trim, ms.
 */
export const summaryAfter = (
  view: ContextView,
  policy: string,
  dropped: readonly ViewBlock[],
  at: number,
): ThreadSummary => {
  const before = storedSummary(view, policy)
  const isDropped = new Set(dropped)
  // Without a record of what left before, it is rebuilt from the log; what a person took out stays out.
  const blocks =
    before === undefined
      ? view
          .all()
          .filter((block) => isDropped.has(block) || (block.source.seen === null && block.source.pin !== 'dropped'))
      : dropped
  return mergeSummaries(
    before ?? emptySummary,
    summariseMessages(messagesOf(blocks), { fileOperations: fileOperationsOf, at }),
  )
}

/** The summary stored with the policy's newest trim; undefined when there was none, or when its record is damaged. */
const storedSummary = (view: ContextView, policy: string): ThreadSummary | undefined => {
  const metadata: JsonValue | undefined = view.rewrites.findLast(
    (entry) => entry.policy === policy && isJsonObject(entry.metadata) && entry.metadata.summary !== undefined,
  )?.metadata
  const stored: unknown = metadata !== undefined && isJsonObject(metadata) ? metadata.summary : undefined
  return isThreadSummary(stored) ? stored : undefined
}

const LISTS = ['requests', 'exchanges', 'decisions', 'commits', 'filesEdited', 'filesRead'] as const
const SAMPLED = new Set<string>(['commits', 'filesEdited', 'filesRead'])
const TEXTS = ['currentTask', 'originalRequest', 'openAnswer', 'openQuestion'] as const
const STRINGS: Readonly<Record<(typeof LISTS)[number], readonly string[]>> = {
  requests: ['text'],
  exchanges: ['question', 'answer'],
  decisions: ['question', 'answer'],
  commits: ['hash', 'subject'],
  filesEdited: ['path'],
  filesRead: ['path'],
}

/**
 * Whether merging and rendering can rely on it; the log holds what this policy wrote, or what a file was damaged to.
 */
const isThreadSummary = (value: unknown): value is ThreadSummary => {
  if (
    !isJsonObject(value) ||
    value.version !== 1 ||
    !isJsonObject(value.covered) ||
    typeof value.covered.messages !== 'number'
  )
    return false
  const lists = LISTS.every((name) => {
    const list = value[name]
    return (
      isJsonObject(list) &&
      typeof list.dropped === 'number' &&
      (!SAMPLED.has(name) || isListOf(list.sample, (item) => typeof item === 'number')) &&
      isListOf(list.items, (item) => hasStrings(item, STRINGS[name]))
    )
  })
  const texts = TEXTS.every((name) => value[name] === null || hasStrings(value[name], ['text']))
  const { tools } = value
  return (
    lists &&
    texts &&
    isJsonObject(tools) &&
    typeof tools.otherCalls === 'number' &&
    isListOf(tools.counts, (item) => hasStrings(item, ['name']))
  )
}

const isListOf = (value: unknown, is: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(is)

const hasStrings = (value: unknown, names: readonly string[]): boolean =>
  isJsonObject(value) && names.every((name) => typeof value[name] === 'string')

/**
 * The blocks as they were said, by message, in the conversation's order; summaries, and what rewrites put in, are left
 * out. A message of which several blocks are given is one message with these.
 */
const messagesOf = (blocks: readonly ViewBlock[]): readonly ConversationMessage[] => {
  const messages: (ConversationMessage & { readonly seq: number; readonly content: ContentBlock[] })[] = []
  for (const { source } of blocks.toSorted((left, right) => left.source.order - right.source.order)) {
    const { seq, at, role, origin } = source.entry
    if (origin === 'summary') continue
    const last = messages.at(-1)
    if (last?.seq === seq) last.content.push(source.original)
    else messages.push({ seq, at, role, content: [source.original], ...(origin === undefined ? {} : { origin }) })
  }
  return messages
}

/**
 * The text that stands for what left, within a number of characters: the summary without the current request and the
 * todo list, which are in every request word for word; '' when nothing fits. Without enough characters for its frame it
 * is the bare summary.
 */
export const recordText = (summary: ThreadSummary, maxCharacters: number): string => {
  const past = { ...summary, currentTask: null }
  const frame = recoveryContext({ summary: emptySummary, todo: [] }).length
  const maxSummaryCharacters = Math.floor(maxCharacters) - frame - 2
  if (maxSummaryCharacters >= frame / 2) {
    const text = recoveryContext({ summary: past, todo: [], maxSummaryCharacters })
    if (text.length <= maxCharacters) return text
  }
  return renderThreadSummary(past, { maxCharacters })
}

/**
 * A progress note for people and agents to read after the trim: task, todo list, recent tool calls, requests so far,
 * and why the trim was made (`reason`). `at`: ms.
 */
export const noteBefore = (view: ContextView, at: number, reason: string): string => {
  const asked = [view.task, view.newestUser].flatMap((entry) => entry ?? []).slice(0, 1)
  const task = findCurrentTask(asked)
  return progressNote({
    at,
    ...(task === undefined ? {} : { task }),
    todo: view.todo ?? [],
    recentToolCalls: listRecentToolCalls(view.history.messages()),
    requests: view.requests,
    reason,
  })
}

/** The summary as plain JSON, a copy, for the metadata of a rewrite. */
export const asJson = (summary: ThreadSummary): JsonObject => JSON.parse(JSON.stringify(summary)) as JsonObject
