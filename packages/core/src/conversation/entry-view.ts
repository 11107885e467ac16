/** The log's entries as the conversation shows them: messages, and markers between them. */
import type { Role, ToolCallBlock, ToolResultBlock } from '../messages.ts'
import { createPendingCalls } from '../pending-calls.ts'
import type { LogEntry } from '../session-log.ts'
import { taggedParts } from '../user-words/tagged-parts.ts'
import { messageOrigin } from '../user-words/user-words.ts'
import { blockView } from './block-view.ts'
import type { BlockView, CommandOutput } from './block-view.ts'

export type EntryView =
  | {
      readonly kind: 'message'
      readonly seq: number
      readonly at: number | null
      readonly role: Role
      readonly author: string | null
      readonly subagent: string | null
      readonly model: string | null
      readonly origin: 'summary' | 'meta' | null
      readonly blocks: readonly BlockView[]
      /** Since the latest entry before it, ms; absent where that is less than five minutes, or not known. */
      readonly pauseMs?: number
    }
  | {
      readonly kind: 'marker'
      readonly seq: number
      readonly at: number | null
      readonly mark: MarkKind
      readonly text: string
    }
  /** Says something to programs only, or is shown with another entry. */
  | { readonly kind: 'hidden'; readonly seq: number; readonly shownIn?: number }

export type MarkKind = 'compaction' | 'rewind' | 'checkpoint' | 'warning' | 'error' | 'info'

/** What lies between entries is told from so many ms on: shorter, the cache of most providers lives. */
const PAUSE_MS = 5 * 60_000

const count = (value: number): string => value.toLocaleString('en-US')
const LONGEST_MARK = 600

type Entry<Kind extends LogEntry['kind']> = Extract<LogEntry, { readonly kind: Kind }>

/**
 * A compaction in a sentence, with its size where that is known. Of one that only cleared results, what was cleared:
 * agents estimate the context before it, so that requests contradict them. Sizes are whole tokens, with thousands
 * separated.
 */
const compactionText = ({ tokensBefore, tokensCleared, partial, trigger }: Entry<'compaction'>): string => {
  if (partial === true)
    return tokensCleared === undefined
      ? `Old tool results were cleared from the context (${trigger})`
      : `About ${count(tokensCleared)} tokens of old tool results were cleared from the context (${trigger})`
  const size = tokensBefore === undefined ? '' : ` of ${count(tokensBefore)} tokens`
  return `The context${size} was compacted (${trigger})`
}

/** A rewrite of the context in a sentence, with its sizes where they are known. */
const rewriteText = ({ changes, tokensBefore, tokensAfter, policy, trigger }: Entry<'rewrite'>): string => {
  const size =
    tokensBefore === undefined || tokensAfter === undefined
      ? ''
      : `, from ${count(tokensBefore)} to about ${count(tokensAfter)} tokens`
  return `The context was trimmed by the policy ${policy}${size}: ${count(changes.length)} ${changes.length === 1 ? 'block' : 'blocks'} shortened or left out (${trigger})`
}

/** How much of a todo list is done. */
const todoText = ({ items }: Entry<'todo'>): string =>
  `To-do: ${count(items.filter(({ status }) => status === 'completed').length)} of ${count(items.length)} done`

/** A text with what agents' programs put between tags told in words. */
const untaggedText = (text: string): string =>
  taggedParts(text)
    .map(({ text: part, label }) => (label === undefined ? part : `${label}: ${part}`))
    .join('\n')
    .trim() || text

/** The marker of an entry that is no message; undefined for those that people need not see. The text is not cut. */
// eslint-disable-next-line complexity -- a case for each kind of entry, each of them one line
const markOf = (entry: Exclude<LogEntry, Entry<'message'>>): readonly [MarkKind, string] | undefined => {
  switch (entry.kind) {
    case 'compaction':
      return ['compaction', compactionText(entry)]
    case 'rewrite':
      return ['compaction', rewriteText(entry)]
    case 'truncation':
      return ['compaction', `Entries ${entry.fromSeq} to ${entry.toSeq} left the context: ${entry.reason}`]
    case 'rewind':
      return ['rewind', `The conversation was taken back to entry ${entry.toSeq}`]
    case 'checkpoint':
      return ['checkpoint', `Checkpoint ${entry.checkpointId}`]
    case 'notice':
      return [entry.level, untaggedText(entry.text)]
    case 'model':
      return ['info', `Model: ${entry.model}${entry.mode === undefined ? '' : `, ${entry.mode} mode`}`]
    case 'todo':
      return ['info', todoText(entry)]
    case 'title':
      return ['info', `Title: ${entry.title}`]
    case 'edit':
    case 'pin':
    case 'file':
    case 'favourite':
    case 'tool-start':
      return undefined
  }
}

/** A call, and the entry that it is in. */
export interface Caller {
  readonly seq: number
  readonly call: ToolCallBlock
}

/**
 * By result block: the call among these entries that it answers, and where. A result without a call there is missing.
 */
export const callersOf = (entries: readonly LogEntry[]): ReadonlyMap<ToolResultBlock, Caller> => {
  const pending = createPendingCalls<Caller>({ keepsAnswered: true })
  const callers = new Map<ToolResultBlock, Caller>()
  for (const entry of entries) {
    if (entry.kind !== 'message') continue
    pending.begin(entry.role)
    for (const block of entry.content) {
      if (block.type === 'tool_call') pending.add(block.id, { seq: entry.seq, call: block })
      const caller = block.type === 'tool_result' ? pending.answer(block.callId) : undefined
      if (block.type === 'tool_result' && caller !== undefined) callers.set(block, caller)
    }
  }
  return callers
}

const NO_CALLERS: ReadonlyMap<ToolResultBlock, Caller> = new Map()

/**
 * An entry as the conversation shows it; of the kind `hidden` where only programs need it. Of a marker's text the first
 * `LONGEST_MARK` characters are kept.
 * @param callers of its results, to name their tools
 * @param isWhole nothing of it is cut
 */
export const entryView = (entry: LogEntry, callers = NO_CALLERS, isWhole = false): EntryView => {
  const { seq, at } = entry
  if (entry.kind === 'message') {
    const { role, author, subagent, model, content } = entry
    return {
      kind: 'message',
      seq,
      at,
      role,
      author: author ?? null,
      subagent: subagent ?? null,
      model: model ?? null,
      origin: messageOrigin(entry) ?? null,
      blocks: content.map((block, index) =>
        blockView(block, index, { isWhole, toolOf: (result) => callers.get(result)?.call.name }),
      ),
    }
  }
  const mark = markOf(entry)
  return mark === undefined
    ? { kind: 'hidden', seq }
    : { kind: 'marker', seq, at, mark: mark[0], text: mark[1].slice(0, LONGEST_MARK).toWellFormed() }
}

/**
 * The entries as the conversation shows them, one view each and in order; a result is shown with its call where both
 * are among them. Of several results of a call the last is.
 */
export const entryViews = (entries: readonly LogEntry[]): readonly EntryView[] => {
  const callers = callersOf(entries)
  const views = entries.map((entry) => entryView(entry, callers))
  const outputs = new Map<ToolCallBlock, CommandOutput>()
  entries.forEach((entry, index) => {
    const view = views[index]
    if (entry.kind !== 'message' || view?.kind !== 'message') return
    entry.content.forEach((block, blockIndex) => {
      const shown = view.blocks[blockIndex]
      const caller = block.type === 'tool_result' ? callers.get(block) : undefined
      if (shown !== undefined && caller !== undefined)
        outputs.set(caller.call, { seq: entry.seq, block: blockIndex, view: shown })
    })
  })
  return withPauses(
    views.map((view, index) => withCommands(view, entries[index], outputs, callers)),
    pausesIn(entries),
  )
}

/**
 * How long nothing came before an entry, ms, by the entry's number (`seq`); only pauses of at least `PAUSE_MS`. Entries
 * without a time have none.
 */
const pausesIn = (entries: readonly LogEntry[]): ReadonlyMap<number, number> => {
  const pauses = new Map<number, number>()
  let latest: number | undefined
  for (const { seq, at } of entries) {
    if (at === null) continue
    const pause = at - (latest ?? at)
    if (pause >= PAUSE_MS) pauses.set(seq, pause)
    // Entries of parallel subagents may be older than what stands before them.
    latest = Math.max(latest ?? at, at)
  }
  return pauses
}

/**
 * Views with the pauses before them: only messages have one, to which those before the markers and hidden entries since
 * the last message are added.
 */
const withPauses = (views: readonly EntryView[], pauses: ReadonlyMap<number, number>): readonly EntryView[] => {
  let untold = 0
  return views.map((view) => {
    const pauseMs = untold + (pauses.get(view.seq) ?? 0)
    untold = view.kind === 'message' ? 0 : pauseMs
    return view.kind !== 'message' || pauseMs === 0 ? view : { ...view, pauseMs }
  })
}

/**
 * A message with the results of its calls, which are shown with the call and not again. A message of nothing but
 * results shown elsewhere becomes hidden, with `shownIn`. Other views come back as they are.
 */
const withCommands = (
  view: EntryView,
  entry: LogEntry | undefined,
  outputs: ReadonlyMap<ToolCallBlock, CommandOutput>,
  callers: ReadonlyMap<ToolResultBlock, Caller>,
): EntryView => {
  if (view.kind !== 'message' || entry?.kind !== 'message') return view
  const blocks = view.blocks.map((block, blockIndex): BlockView => {
    const original = entry.content[blockIndex]
    if (block.type === 'call' && original?.type === 'tool_call')
      return { ...block, output: outputs.get(original) ?? null }
    const caller = original?.type === 'tool_result' ? callers.get(original) : undefined
    const shown = caller === undefined ? undefined : outputs.get(caller.call)
    return shown?.seq === entry.seq && shown.block === blockIndex ? { type: 'answered' } : block
  })
  const [first] = entry.content
  const shownIn = first?.type === 'tool_result' ? callers.get(first)?.seq : undefined
  return shownIn !== undefined && blocks.every(({ type }) => type === 'answered')
    ? { kind: 'hidden', seq: view.seq, shownIn }
    : { ...view, blocks }
}

/**
 * Whether a message holds only results of tools, here or with their calls: these have the role `user`, but nobody wrote
 * them. False for one without blocks.
 */
export const isToolMessage = ({ role, blocks }: Extract<EntryView, { readonly kind: 'message' }>): boolean =>
  role === 'user' && blocks.length > 0 && blocks.every(({ type }) => type === 'result' || type === 'answered')
