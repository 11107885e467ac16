/**
 * The model's view of a session: which messages, with which blocks, the log leaves for the next request.
 * A fold over the log, in incremental form: each entry is looked at once; only a rewind folds again what
 * it leaves. Whether the view fits a window or is valid for a provider is decided in `context/`.
 */
import type { ContentBlock, Message } from '../messages.ts'
import type { EditEntry, LogEntry, MessageEntry, PinEntry } from '../session-log.ts'

/** A message as the model sees it, with where it came from. */
export interface ModelMessage extends Message {
  /** Of the (first) entry that it was made of. */
  readonly id: string
  /** The entries whose blocks it holds, in order. */
  readonly seqs: readonly number[]
  /** Time of the first of them, ms. */
  readonly at: number | null
  readonly origin?: 'summary' | 'meta'
}

export interface ModelHistoryOptions {
  /** The subagent whose conversation is wanted; default the main one, without any subagent's messages. */
  readonly subagent?: string
}

export interface ModelHistory {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** The view after the entries so far. The array is not changed by later steps. */
  messages(): readonly ModelMessage[]
  /**
   * First and last place of what left the view, counted over all messages that were not taken back;
   * undefined when none did.
   */
  deletedRange(): readonly [number, number] | undefined
}

/** An entry's part of a message, with what later entries said of it. */
interface Part {
  readonly entry: MessageEntry
  /** Left the view by truncation or compaction. */
  isRemoved: boolean
  readonly edits: Map<number, EditEntry>
  pin: PinEntry['state']
  readonly blockPins: Map<number, PinEntry['state']>
}

/** Entries that are one message: a source may write a line for each block of a response. */
interface Group {
  readonly parts: Part[]
  /** The message as it is seen, null when nothing of it is; undefined until it is asked for. */
  seen: ModelMessage | null | undefined
}

/** The block that stands for an edited one: what a call and its result are linked by stays. */
const editedBlock = (block: ContentBlock, text: string): ContentBlock => {
  switch (block.type) {
    case 'tool_result':
      return { ...block, content: [{ type: 'text', text }] }
    case 'tool_call':
      return { ...block, input: { notice: text } }
    default:
      return { type: 'text', text }
  }
}

/** What is left of a part: the user's pins rule over removals and edits. */
const seenBlocks = (part: Part): ContentBlock[] =>
  part.entry.content.flatMap((block, index) => {
    const ownPin = part.blockPins.get(index) ?? 'automatic'
    const pin = ownPin === 'automatic' ? part.pin : ownPin
    if (pin === 'pinned') return [block]
    if (pin === 'dropped' || part.isRemoved) return []
    const edit = part.edits.get(index)
    return [edit === undefined ? block : editedBlock(block, edit.text)]
  })

const seenMessage = (group: Group): ModelMessage | null => {
  const seen = group.parts
    .map((part) => ({ entry: part.entry, content: seenBlocks(part) }))
    .filter(({ content }) => content.length > 0)
  const first = seen[0]
  if (first === undefined) return null
  const { id, role, at, origin } = first.entry
  return {
    id,
    role,
    content: seen.flatMap(({ content }) => content),
    seqs: seen.map(({ entry }) => entry.seq),
    at,
    ...(origin === undefined ? {} : { origin }),
  }
}

const isSameMessage = (group: Group | undefined, entry: MessageEntry): group is Group => {
  const before = group?.parts.at(-1)?.entry
  return (
    before !== undefined &&
    entry.responseId !== undefined &&
    before.responseId === entry.responseId &&
    before.role === entry.role
  )
}

/** An empty history. Feed it the log from its beginning. */
export const createModelHistory = (options: ModelHistoryOptions = {}): ModelHistory => {
  /** Entries that no rewind took back: what a rewind folds again. */
  let live: LogEntry[] = []
  let groups: Group[] = []
  let parts = new Map<string, { readonly group: Group; readonly part: Part }>()
  /** Groups before this one were compacted away; none of them needs to be looked at again for that. */
  let compacted = 0
  let view: readonly ModelMessage[] | undefined

  const addMessage = (entry: MessageEntry): void => {
    if (entry.subagent !== options.subagent) return
    const part: Part = { entry, isRemoved: false, edits: new Map(), pin: 'automatic', blockPins: new Map() }
    const last = groups.at(-1)
    const group = isSameMessage(last, entry) ? last : { parts: [], seen: undefined }
    if (group !== last) groups.push(group)
    group.parts.push(part)
    group.seen = undefined
    parts.set(entry.id, { group, part })
  }

  const change = (messageId: string, apply: (part: Part) => void): void => {
    const found = parts.get(messageId)
    if (found === undefined) return
    apply(found.part)
    found.group.seen = undefined
  }

  const remove = (candidates: readonly Group[], isGone: (part: Part) => boolean): void => {
    for (const group of candidates) {
      for (const part of group.parts) {
        if (part.isRemoved || !isGone(part)) continue
        part.isRemoved = true
        group.seen = undefined
      }
    }
  }

  const rewind = (toSeq: number): void => {
    const kept = live.filter((entry) => entry.seq <= toSeq)
    live = []
    groups = []
    parts = new Map()
    compacted = 0
    for (const entry of kept) step(entry)
  }

  const step = (entry: LogEntry): void => {
    view = undefined
    if (entry.kind === 'rewind') {
      rewind(entry.toSeq)
      return
    }
    live.push(entry)
    switch (entry.kind) {
      case 'message':
        addMessage(entry)
        break
      case 'edit':
        change(entry.messageId, (part) => part.edits.set(entry.block, entry))
        break
      case 'pin':
        change(entry.messageId, (part) => {
          if (entry.block === undefined) part.pin = entry.state
          else part.blockPins.set(entry.block, entry.state)
        })
        break
      case 'truncation':
        // The log's truncations and compactions are of the main conversation.
        if (options.subagent === undefined)
          remove(groups, ({ entry: { seq } }) => seq >= entry.fromSeq && seq <= entry.toSeq)
        break
      case 'compaction':
        if (options.subagent !== undefined || entry.partial === true) break
        remove(groups.slice(compacted), () => true)
        compacted = groups.length
        break
      default:
        break
    }
  }

  const seen = (group: Group): ModelMessage | null =>
    group.seen === undefined ? (group.seen = seenMessage(group)) : group.seen

  return {
    step,
    messages: () => (view ??= groups.flatMap((group) => seen(group) ?? [])),
    deletedRange: () => {
      const first = groups.findIndex((group) => seen(group) === null)
      return first === -1 ? undefined : [first, groups.findLastIndex((group) => seen(group) === null)]
    },
  }
}

/** The model's view of a whole log. */
export const modelHistory = (
  log: readonly LogEntry[],
  options?: ModelHistoryOptions,
): readonly ModelMessage[] => {
  const history = createModelHistory(options)
  for (const entry of log) history.step(entry)
  return history.messages()
}
