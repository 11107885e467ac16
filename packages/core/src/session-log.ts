/**
 * The append-only session log: a discriminated union of entries. Nothing is ever changed or removed;
 * what the model saw, what the user sees and every other state of a session is a fold over these.
 */
import type { JsonValue } from './json.ts'
import type { ContentBlock, Role } from './messages.ts'

interface EntryBase {
  /** Position in the session's log, from 0, without gaps. */
  readonly seq: number
  /** When it happened, in ms since the epoch; null when the source does not say (file order rules). */
  readonly at: number | null
}

export interface MessageEntry extends EntryBase {
  readonly kind: 'message'
  /** Unique within the session; for imported messages the source's own id where it has one. */
  readonly id: string
  readonly role: Role
  readonly content: readonly ContentBlock[]
  readonly author?: string
  /** The subagent that said it; absent for the main conversation. */
  readonly subagent?: string
  /** The model's response that it is part of: sources that write one line a block repeat it. */
  readonly responseId?: string
  readonly model?: string
  readonly mode?: string
  /**
   * Of a user's message: how much the model was to think, as the agent noted it (`high`, `31999`, `off`). Absent: it
   * noted nothing, as agents do where thinking stays off.
   */
  readonly thinking?: string
  /** `summary`: stands for what a compaction removed. `meta`: written by the agent's program, not by a person. */
  readonly origin?: 'summary' | 'meta'
}

/** A block of an earlier message is replaced in the model's view; the log keeps the original. */
export interface EditEntry extends EntryBase {
  readonly kind: 'edit'
  readonly messageId: string
  readonly block: number
  readonly reason: string
  readonly text: string
  readonly metadata?: JsonValue
}

/** A user's decision about a message or one of its blocks; above every policy. */
export interface PinEntry extends EntryBase {
  readonly kind: 'pin'
  readonly messageId: string
  readonly block?: number
  readonly state: 'pinned' | 'dropped' | 'automatic'
}

/** Messages from `fromSeq` to `toSeq` (both included) left the model's view. */
export interface TruncationEntry extends EntryBase {
  readonly kind: 'truncation'
  readonly fromSeq: number
  readonly toSeq: number
  readonly reason: string
}

/** What was before it left the model's view, but for what it names; what follows (usually a summary) starts the new one. */
export interface CompactionEntry extends EntryBase {
  readonly kind: 'compaction'
  readonly trigger: string
  /** Tokens in the context before it, where the source says. */
  readonly tokensBefore?: number
  /** Only old tool results were cleared: the messages stay in view. */
  readonly partial?: boolean
  /** Of a partial one, about how many tokens were cleared, where the source says. */
  readonly tokensCleared?: number
  /** Of a partial one, the calls whose results were cleared, where the source says. */
  readonly cleared?: readonly string[]
  /** The first message of those at the end that stayed in view. */
  readonly keptFrom?: string
  /** Messages that stayed in view, wherever they stood. */
  readonly kept?: readonly string[]
}

/** What a rewrite does to one block of an earlier entry. */
export interface BlockChange {
  /** The entry that holds the block; a rewrite's own insertions are its blocks, in their order. */
  readonly seq: number
  /** The block's index in the entry's content. */
  readonly block: number
  /** Why, in a word that reports explain: `superseded`, `dead`, `window`, … */
  readonly why: string
  /** What replaces it; absent when it is removed. */
  readonly text?: string
}

/** A text that a rewrite puts into the model's view. Nobody said it: it is never taken for a user's message. */
export interface Insertion {
  /** The entry before whose message it stands; absent: the rewrite's own place in the log. */
  readonly before?: number
  readonly why: string
  readonly text: string
}

/** One change of the model's view, decided by a policy: blocks replaced or removed, texts put in, all at once. */
export interface RewriteEntry extends EntryBase {
  readonly kind: 'rewrite'
  readonly policy: string
  /** What made it due: `window`, `cold-cache`, `rent`, `refused`, `arrival`, … */
  readonly trigger: string
  readonly changes: readonly BlockChange[]
  readonly insertions?: readonly Insertion[]
  /** Available tokens that it was decided for: the same request with no fewer needs no further decision. */
  readonly room?: number
  /** Estimated tokens of the view before and after. */
  readonly tokensBefore?: number
  readonly tokensAfter?: number
  /** Whatever else the policy has to remember of it. */
  readonly metadata?: JsonValue
}

export interface FileEntry extends EntryBase {
  readonly kind: 'file'
  readonly path: string
  readonly operation: 'read' | 'edit' | 'external-edit' | 'mention'
  /** SHA-256 of the content, hex, taken before redaction. */
  readonly hash?: string
  /** Of an external edit: who made it, as far as that was found out (`person`, `formatter`, `git`, …). */
  readonly by?: string
}

export interface ModelEntry extends EntryBase {
  readonly kind: 'model'
  readonly model: string
  readonly provider?: string
  readonly mode?: string
}

export interface CheckpointEntry extends EntryBase {
  readonly kind: 'checkpoint'
  readonly checkpointId: string
}

export interface TodoItem {
  /** Unique within its list; what other items name it by. */
  readonly id?: string
  readonly text: string
  readonly status: 'pending' | 'in_progress' | 'completed'
  /** Ids of items that come before it. */
  readonly dependsOn?: readonly string[]
}

export interface TodoEntry extends EntryBase {
  readonly kind: 'todo'
  /** The whole list. */
  readonly items: readonly TodoItem[]
  /** The block of the conversation that tells the list: while that is in view, the model needs no other. */
  readonly toldBy?: { readonly messageId: string; readonly block: number }
  /** The block only tells what changed since the list before. */
  readonly isChange?: boolean
}

/**
 * The conversation was taken back: every view is again what it was when `toSeq` was the log's last entry. So a
 * rewind to the entry before a rewind takes that one back.
 */
export interface RewindEntry extends EntryBase {
  readonly kind: 'rewind'
  readonly toSeq: number
}

export interface TitleEntry extends EntryBase {
  readonly kind: 'title'
  readonly title: string
}

export interface FavouriteEntry extends EntryBase {
  readonly kind: 'favourite'
  readonly favourite: boolean
}

/** The text of a notice that tells that a session was left and opened again. */
export const SESSION_RESUMED = 'Session resumed'

/** Something the agent's program reported that is not a message: an API error, a hook, a notice. */
export interface NoticeEntry extends EntryBase {
  readonly kind: 'notice'
  readonly level: 'info' | 'warning' | 'error'
  readonly text: string
}

/**
 * A call of the newest reply is about to be run: written before it, so that after a crash a call that may have been made
 * is told from one that was not. Its result ends it.
 */
export interface ToolStartEntry extends EntryBase {
  readonly kind: 'tool-start'
  readonly callId: string
}

export type LogEntry =
  | MessageEntry
  | EditEntry
  | PinEntry
  | TruncationEntry
  | CompactionEntry
  | RewriteEntry
  | FileEntry
  | ModelEntry
  | CheckpointEntry
  | TodoEntry
  | RewindEntry
  | TitleEntry
  | FavouriteEntry
  | NoticeEntry
  | ToolStartEntry

export type EntryKind = LogEntry['kind']

/** Kinds that are about the view of a session or its place in a list, made at any time after it. */
export const UNDATED_KINDS: readonly EntryKind[] = ['title', 'favourite', 'pin', 'rewrite', 'rewind']

/** Whether an entry's time is one of the session: what people said and agents did. A new name makes no old session new. */
export const datesSession = ({ kind }: Pick<LogEntry, 'kind'>): boolean => !UNDATED_KINDS.includes(kind)

type WithoutSeq<T> = T extends unknown ? Omit<T, 'seq'> : never

/** An entry before the log has numbered it. */
export type NewLogEntry = WithoutSeq<LogEntry>
