/**
 * What the page and the extension send to each other. Whatever the page sends is checked: its content comes from a model,
 * so it is treated as foreign although its code is ours.
 */
import { z } from 'zod'
import type { ChatEvent, ChatState } from './conversation/chat-state.ts'

/** Characters of one message: a pasted log fits, and nothing that would stop the editor. */
const LONGEST_MESSAGE = 500_000
const LONGEST_SHORT_TEXT = 20_000

const shortText = z.string().min(1).max(LONGEST_SHORT_TEXT)

const pageMessage = z.discriminatedUnion('type', [
  /** It is there, and knows nothing. */
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('send'), text: z.string().min(1).max(LONGEST_MESSAGE) }),
  z.strictObject({ type: z.literal('cancel') }),
  z.strictObject({ type: z.literal('resume') }),
  z.strictObject({
    type: z.literal('answer'),
    callId: shortText,
    decision: z.enum(['allow', 'always', 'deny']),
    feedback: z.string().max(LONGEST_SHORT_TEXT).optional(),
  }),
  z.strictObject({ type: z.literal('mode'), mode: z.enum(['plan', 'act']) }),
  z.strictObject({ type: z.literal('choose-model') }),
  z.strictObject({ type: z.literal('set-key') }),
  z.strictObject({ type: z.literal('new-session') }),
  z.strictObject({ type: z.literal('choose-session') }),
  z.strictObject({ type: z.literal('show-session') }),
  /** An `@` was typed: the extension lets the user choose a file, and answers with `insert`. */
  z.strictObject({ type: z.literal('mention') }),
  z.strictObject({ type: z.literal('attach') }),
  z.strictObject({ type: z.literal('detach'), id: shortText }),
  z.strictObject({ type: z.literal('copy'), text: z.string().max(LONGEST_MESSAGE) }),
  z.strictObject({ type: z.literal('open-link'), address: shortText }),
  z.strictObject({ type: z.literal('open-diff'), itemId: z.int().min(1) }),
  /** Back to before the turn that this message began. */
  z.strictObject({ type: z.literal('take-back'), itemId: z.int().min(1) }),
])

/** A message from the page to the extension: what the user did or the page needs. */
export type PageMessage = z.infer<typeof pageMessage>

/** Returns the value as a message of the page; undefined if it is not one. */
export const parsePageMessage = (value: unknown): PageMessage | undefined => {
  const { success, data } = pageMessage.safeParse(value)
  return success ? data : undefined
}

/** A message from the extension to the page. */
export type HostMessage =
  /** All that is shown, in the place of what was. */
  | { readonly type: 'state'; readonly state: ChatState }
  /** To be folded into the state, in this order. */
  | { readonly type: 'events'; readonly events: readonly ChatEvent[] }
  /** To be put where the cursor is, in the place of the `@` before it. */
  | { readonly type: 'insert'; readonly text: string }
  /** A message that was not taken is given back. */
  | { readonly type: 'restore'; readonly text: string }
  | { readonly type: 'focus' }
