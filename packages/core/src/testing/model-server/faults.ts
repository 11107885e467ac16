/** What can go wrong on purpose, and when. */
import type { Condition } from './wire.ts'

/**
 * Where in an answer a fault strikes. `in-text` and `in-tool-input` are behind the first piece of the first text or
 * tool input; where the answer has none, the fault strikes before the last event.
 */
export type Moment =
  'before-headers' | 'after-headers' | 'after-first-event' | 'in-text' | 'in-tool-input' | 'before-last-event'

export type Fault =
  /** An error answer in the provider's form. `retryAfter`: the header's value, seconds or a date. */
  | { readonly kind: 'refuse'; readonly as: Condition; readonly retryAfter?: string }
  /** An answer of something that is no API: a proxy's page. Default status 200. */
  | { readonly kind: 'html'; readonly status?: number }
  /** Status 200 and an empty body. */
  | { readonly kind: 'empty' }
  /** Nothing more comes; the connection stays open. */
  | { readonly kind: 'stall'; readonly at: Moment }
  /** A pause of `delayMs` before each event from there on. */
  | { readonly kind: 'slow'; readonly at: Moment; readonly delayMs: number }
  /** The connection breaks. */
  | { readonly kind: 'cut'; readonly at: Moment }
  /** The body ends as if it were whole. */
  | { readonly kind: 'end'; readonly at: Moment }
  /** An event whose data is no JSON; the rest follows. */
  | { readonly kind: 'malformed'; readonly at: Moment }
  /** An error inside of the stream, in the provider's form; the body ends behind it. */
  | { readonly kind: 'error-event'; readonly at: Moment; readonly as: Condition }
  /** An event of a type that nobody knows; the rest follows. */
  | { readonly kind: 'unknown-event'; readonly at: Moment }
  /** No fault: the whole body in pieces of so many bytes, cut anywhere, characters too. */
  | { readonly kind: 'split'; readonly bytes: number }
  /** No fault: SSE comments, or blank lines where events are lines, between events, and lines that end with CR LF. */
  | { readonly kind: 'comments' }

/** Whether a fault strikes before anything of an answer is sent. */
export const isBeforeHeaders = (fault: Fault): boolean =>
  fault.kind === 'refuse' ||
  fault.kind === 'html' ||
  fault.kind === 'empty' ||
  ((fault.kind === 'stall' || fault.kind === 'cut') && fault.at === 'before-headers')
