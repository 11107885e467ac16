/** A body as a provider or a compatible server sends it, and what has to come of it. */
import type { ModelEvent, StopReason } from '../../../../ports/language-model.ts'

export interface RecordedReply {
  readonly name: string
  readonly body: string
  /** Kind and text of each block, as `shapeOf` gives them. */
  readonly blocks: readonly string[]
  readonly stopReason: StopReason
  /** Of the usage, what the body tells. */
  readonly usage: Partial<Extract<ModelEvent, { type: 'done' }>['usage']>
}

/** Server-sent events with names, as the text of a body; each data is one line. */
export const namedEvents = (events: readonly (object & { readonly type: string })[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

/** Server-sent events of data only, as the text of a body; `end` follows as it is. */
export const dataEvents = (events: readonly object[], end = ''): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + end
