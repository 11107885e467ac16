/**
 * What the chat shows, as plain data. The extension and the page fold the same events into the same state, so a page that
 * was closed is given the state, and one that is open only what is new.
 */
import type { AgentMode } from '@cairn/core/agent'

/**
 * How far a call has come: its arguments are still arriving (`preparing`), it waits for approval, runs, or has ended.
 * `skipped`: it was not run. `unknown`: it was interrupted.
 */
export type ToolProgress = 'preparing' | 'waiting' | 'running' | 'done' | 'failed' | 'skipped' | 'unknown'

/** What a button below a notice does. */
export type NoticeAction = 'set-key' | 'choose-model' | 'resume'

/** What all items of a conversation share. */
interface ItemBase {
  /** Unique within a conversation, in the order of the items. */
  readonly id: number
}

/** A message of the user. */
export interface UserItem extends ItemBase {
  readonly kind: 'user'
  readonly text: string
  /** What was sent beside it: paths, "problems". */
  readonly attachments: readonly string[]
  /** Has the files as they were before its turn changed any. */
  readonly checkpointId?: string
}

/** Text or reasoning of the model. */
interface ReplyItem extends ItemBase {
  readonly kind: 'reply' | 'thinking'
  readonly text: string
  /** More may come. */
  readonly isOpen: boolean
}

/** A call of a tool, with its output. */
export interface ToolItem extends ItemBase {
  readonly kind: 'tool'
  readonly callId: string
  readonly tool: string
  /** One line: what it does. */
  readonly title: string
  readonly progress: ToolProgress
  /** Why it is asked about. */
  readonly why?: string
  readonly command?: string
  /** A unified diff. */
  readonly diff?: string
  readonly output: string
  readonly durationMs?: number
  /** Rules files that the model was given with the result. */
  readonly rules?: readonly string[]
}

/** What left the model's context with a request. */
export interface RemovedItem extends ItemBase {
  readonly kind: 'removed'
  readonly removals: readonly RemovalLine[]
  readonly savedTokens: number
}

/** One block that left, or was shortened. */
export interface RemovalLine {
  /** The file, or what kind of block it is. */
  readonly name: string
  readonly what: 'shortened' | 'removed'
  readonly why: string
  /** Absent where the log does not say. */
  readonly savedTokens?: number
}

/** A sentence of the chat itself, with a button if `action` is there. */
export interface NoticeItem extends ItemBase {
  readonly kind: 'notice'
  readonly level: 'info' | 'warning' | 'error'
  readonly text: string
  readonly action?: NoticeAction
}

/** One item of the conversation. */
export type ChatItem = UserItem | ReplyItem | ToolItem | RemovedItem | NoticeItem

/** Something that goes with the next message. */
export interface Attachment {
  readonly id: string
  readonly label: string
}

/** Everything that the chat's page shows. */
export interface ChatState {
  /** Null before the first message. */
  readonly session: { readonly id: string; readonly title: string } | null
  readonly items: readonly ChatItem[]
  /** There is more before the items; the session's document has all of it. */
  readonly hasEarlier: boolean
  readonly isWorking: boolean
  readonly mode: AgentMode
  /** As it is shown: `claude-sonnet-5 · Anthropic`; '' for none. */
  readonly model: string
  /** Estimated tokens of the last request, and the most that they may take. */
  readonly context: { readonly tokens: number; readonly availableTokens: number } | null
  /** Of the session, as it is shown: `$0.42`; '' for none. */
  readonly cost: string
  readonly attachments: readonly Attachment[]
  readonly nextId: number
  /** The first item of the attempt under way: void when the request is made again. */
  readonly attemptFrom: number
}

/** A type without its `id`, for each member of a union. */
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never
/** An item that has not been given its id yet. */
export type NewItem = WithoutId<ChatItem>

/** What changes the state, one event at a time. */
export type ChatEvent =
  | { readonly type: 'session'; readonly id: string; readonly title: string }
  | { readonly type: 'asked'; readonly text: string; readonly attachments: readonly string[] }
  | { readonly type: 'working' }
  | {
      readonly type: 'request'
      readonly tokens: number
      readonly availableTokens: number
    }
  | { readonly type: 'removed'; readonly removals: readonly RemovalLine[]; readonly savedTokens: number }
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  /** The text that was under way is whole. */
  | { readonly type: 'block-ended' }
  | { readonly type: 'call'; readonly callId: string; readonly tool: string }
  | { readonly type: 'retry'; readonly text: string }
  | ({ readonly type: 'approval'; readonly callId: string; readonly why: string } & ToolFacts)
  | { readonly type: 'answered'; readonly callId: string; readonly isAllowed: boolean }
  /** `isRun` false: only what it would have done is told. */
  | ({ readonly type: 'tool-started'; readonly callId: string; readonly isRun?: false } & ToolFacts)
  | { readonly type: 'tool-output'; readonly callId: string; readonly text: string }
  | {
      readonly type: 'tool-finished'
      readonly callId: string
      readonly text: string
      readonly progress: Extract<ToolProgress, 'done' | 'failed' | 'skipped' | 'unknown'>
      /** Absent where it is not known. */
      readonly durationMs?: number
      readonly rules?: readonly string[]
    }
  /** The files were kept before the first change of the turn that the last message began. */
  | { readonly type: 'checkpoint'; readonly checkpointId: string }
  | {
      readonly type: 'notice'
      readonly level: NoticeItem['level']
      readonly text: string
      readonly action?: NoticeAction
    }
  | { readonly type: 'ended' }
  | { readonly type: 'mode'; readonly mode: AgentMode }
  | { readonly type: 'model'; readonly model: string }
  | { readonly type: 'cost'; readonly cost: string }
  | { readonly type: 'attachments'; readonly attachments: readonly Attachment[] }
  /** Another session, or none: everything but mode and model starts again. */
  | { readonly type: 'cleared' }

/** What is known of a call before it runs. */
export interface ToolFacts {
  readonly tool: string
  readonly title: string
  readonly command?: string
  readonly diff?: string
}

/** The state of a conversation with nothing in it. */
export const EMPTY_CHAT: ChatState = {
  session: null,
  items: [],
  hasEarlier: false,
  isWorking: false,
  mode: 'act',
  model: '',
  context: null,
  cost: '',
  attachments: [],
  nextId: 1,
  attemptFrom: 1,
}
