/**
 * What the page of a session and the extension send to each other. Whatever the page sends is checked: what it shows comes
 * from agents, so it is treated as foreign although its code is ours.
 */
import type { CutText, EntryView, TaggedText } from '@cairn/core/conversation'
import { z } from 'zod'
import { ENTRY_PAGE } from './entry-names.ts'
import type { OutlineView } from './outline-rows.ts'

const MOST_ENTRIES = 1_000_000_000
const LONGEST_COPY = 2_000_000
const LONGEST_ADDRESS = 20_000
const LONGEST_SEARCH = 200

const seq = z.int().min(0).max(MOST_ENTRIES)
const block = z.int().min(0).max(MOST_ENTRIES)

const pageMessage = z.discriminatedUnion('type', [
  /** It is there, and knows nothing. */
  z.strictObject({ type: z.literal('ready') }),
  /** Wants the entries from `page * ENTRY_PAGE` on. */
  z.strictObject({
    type: z.literal('entries'),
    page: z
      .int()
      .min(0)
      .max(MOST_ENTRIES / ENTRY_PAGE),
  }),
  /** Has entries to show now, and wants the outline: making one of a long session takes seconds. */
  z.strictObject({ type: z.literal('outline') }),
  /** Wants a text that was cut. */
  z.strictObject({ type: z.literal('text'), seq, block }),
  z.strictObject({ type: z.literal('image'), seq, position: z.tuple([block, block.nullable()]) }),
  z.strictObject({ type: z.literal('find'), text: z.string().max(LONGEST_SEARCH) }),
  z.strictObject({ type: z.literal('copy'), text: z.string().max(LONGEST_COPY) }),
  z.strictObject({ type: z.literal('copy-link'), seq }),
  z.strictObject({ type: z.literal('open-link'), address: z.string().min(1).max(LONGEST_ADDRESS) }),
  z.strictObject({ type: z.literal('open-edit'), seq }),
  z.strictObject({ type: z.literal('open-as-text'), seq }),
  z.strictObject({ type: z.literal('open-dashboard') }),
])

/** A message from the page to the extension. */
export type PageMessage = z.infer<typeof pageMessage>

/** Returns the value as a message of the page; undefined if it is not one. */
export const parsePageMessage = (value: unknown): PageMessage | undefined => {
  const { success, data } = pageMessage.safeParse(value)
  return success ? data : undefined
}

/** What stands above the conversation. */
export interface SessionHead {
  readonly title: string
  /** Names and texts of its facts: `cost`, `$1.23`. */
  readonly facts: readonly (readonly [name: string, text: string])[]
  /** What its sums leave out. */
  readonly notes: readonly string[]
  /** Entries of the log. */
  readonly entries: number
  /** Whether what tools took and brought is folded. */
  readonly foldsTools: boolean
}

/** A message from the extension to the page. */
export type HostMessage =
  /** The session as it is now; its log may have grown. */
  | { readonly type: 'session'; readonly head: SessionHead }
  | { readonly type: 'outline'; readonly outline: OutlineView }
  | { readonly type: 'entries'; readonly page: number; readonly entries: readonly EntryView[] }
  /** A text with nothing, or far less, cut. */
  | {
      readonly type: 'text'
      readonly seq: number
      readonly block: number
      readonly text: CutText & Partial<TaggedText>
    }
  /** `url`: null where the image can't be read. */
  | { readonly type: 'image'; readonly key: string; readonly url: string | null }
  /** The entries that hold the words, in the order of the log. */
  | { readonly type: 'found'; readonly text: string; readonly entries: readonly number[] }
  /** Go to this entry. */
  | { readonly type: 'show'; readonly seq: number }
  /** There is no session to show, and why. */
  | { readonly type: 'problem'; readonly sentence: string }
