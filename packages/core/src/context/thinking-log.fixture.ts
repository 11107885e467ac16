/**
 * Random conversations of models that sign their reasoning: running turns, pins, edits, rewinds, results that come late
 * or never, and replies that can't be sent as they were made.
 */
import fc from 'fast-check'
import type { ContentBlock } from '../messages.ts'
import type { LogEntry, NewLogEntry } from '../session-log.ts'
import type { Policy, Situation } from './policy.ts'
import { createContext, type Context, type Prepared } from './create-context.ts'

export type ThinkingEvent =
  | { readonly do: 'user'; readonly size: number }
  | {
      readonly do: 'reply'
      readonly thinking: readonly (keyof typeof THINKING)[]
      /** What the model says behind its first reasoning. */
      readonly words: keyof typeof WORDS
      readonly calls: number
      readonly size: number
      readonly gap: number
      /** The last call's result: at once, after the next reply, or never; `none`: of no call ever. */
      readonly lastResult: 'now' | 'late' | 'never' | 'none'
      readonly isSplit: boolean
      readonly model: number
    }
  | { readonly do: 'pin'; readonly back: number; readonly state: 'pinned' | 'automatic' }
  | { readonly do: 'edit'; readonly back: number }
  | { readonly do: 'rewind'; readonly back: number }

const sizes = fc.oneof({ weight: 4, arbitrary: fc.nat(300) }, { weight: 3, arbitrary: fc.nat(9000) })

const event: fc.Arbitrary<ThinkingEvent> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('user' as const), size: fc.nat(2000) }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('reply' as const),
      thinking: fc.array(
        fc.oneof(
          { weight: 12, arbitrary: fc.constant('signed' as const) },
          { weight: 6, arbitrary: fc.constantFrom('unsigned' as const, 'redacted' as const) },
          { weight: 1, arbitrary: fc.constantFrom('damaged' as const, 'damagedRedacted' as const) },
        ),
        { maxLength: 2 },
      ),
      words: fc.oneof(
        { weight: 6, arbitrary: fc.constant('none' as const) },
        { weight: 2, arbitrary: fc.constantFrom('plain' as const, 'half' as const, 'blank' as const) },
      ),
      calls: fc.constantFrom(0, 1, 1, 1, 1, 1, 3),
      size: sizes,
      gap: fc.constantFrom(1, 5, 30, 4000),
      lastResult: fc.oneof(
        { weight: 9, arbitrary: fc.constant('now' as const) },
        { weight: 3, arbitrary: fc.constantFrom('late' as const, 'never' as const, 'none' as const) },
      ),
      isSplit: fc.boolean(),
      model: fc.nat(7).map((value) => (value === 0 ? 1 : 0)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('pin' as const),
      back: fc.nat(12),
      state: fc.constantFrom('pinned' as const, 'automatic' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('edit' as const), back: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rewind' as const), back: fc.nat(8) }) },
)

export const thinkingConversations: fc.Arbitrary<readonly ThinkingEvent[]> = fc.array(event, {
  minLength: 4,
  maxLength: 36,
})

export interface ThinkingSetting {
  readonly policy: Policy
  readonly window: number
  readonly asked: Pick<Situation, 'thinkingSignature'>
  /** Which models answer; the log says it of each reply. */
  readonly models: readonly string[]
}

/** A request that was answered, and the reply's blocks. */
export interface Answered {
  readonly model: string
  readonly prepared: Prepared
  readonly context: Context
  readonly situation: Situation
  /** Goes on after the request; `length` is how long it was then, decisions included. */
  readonly log: readonly LogEntry[]
  readonly length: number
}

const lines = (size: number, seed: string): string =>
  Array.from({ length: Math.ceil((size + 1) / 30) }, (_, line) => `${seed} line ${line} of a result\n`).join('')

const THINKING = {
  signed: (id: string): ContentBlock => ({
    type: 'thinking',
    text: `I think of ${id}. `.repeat(8),
    signature: `s-${id}`,
  }),
  unsigned: (id: string): ContentBlock => ({ type: 'thinking', text: `I muse on ${id}.` }),
  redacted: (id: string): ContentBlock => ({ type: 'other', value: { type: 'redacted_thinking', data: `d-${id}` } }),
  damaged: (id: string): ContentBlock => ({ type: 'thinking', text: `I think of ${id}.\ud83d`, signature: `s-${id}` }),
  damagedRedacted: (id: string): ContentBlock => ({
    type: 'other',
    value: { type: 'redacted_thinking', data: `d-${id}\udc00` },
  }),
} as const

const WORDS = { none: '', plain: 'First this. ', half: 'First \ud83d this. ', blank: ' \n' } as const

/** Plays a conversation; `onRequest` sees each request, `onReply` the blocks that answered it. */
export const playThinking = (
  events: readonly ThinkingEvent[],
  { policy, window, asked, models }: ThinkingSetting,
  onRequest: (answered: Answered) => void,
  onReply: (answered: Answered, reply: readonly ContentBlock[]) => void,
): void => {
  const context = createContext(policy, 2.7)
  const log: LogEntry[] = []
  let at = 0
  let late: ContentBlock | undefined
  const add = (entry: NewLogEntry): void => {
    const numbered: LogEntry = { ...entry, seq: log.length }
    log.push(numbered)
    context.step([numbered])
  }
  const message = (role: 'user' | 'assistant' | 'tool', content: readonly ContentBlock[], more: object = {}): void =>
    add({ kind: 'message', at, id: `m${log.length}`, role, content, ...more })
  const messageBack = (back: number): LogEntry | undefined => {
    const messages = log.filter(({ kind }) => kind === 'message')
    return messages.at(-1 - (back % messages.length))
  }
  message('user', [{ type: 'text', text: 'Begin.' }])
  events.forEach((event, index) => {
    at += 1000
    if (event.do === 'user') message('user', [{ type: 'text', text: `Do ${index}. ${'word '.repeat(event.size / 5)}` }])
    else if (event.do === 'reply') {
      at += event.gap * 1000
      const model = models[event.model % models.length] ?? ''
      const situation: Situation = {
        now: at,
        window,
        availableTokens: Math.floor(window * 0.7),
        prefix: Math.floor(window * 0.1),
        lastUsed: Math.floor(window * 0.1) + context.view.tokens(),
        prices: { input: 3, output: 15, write: 3.75, read: 0.3 },
        cacheLifetime: 300,
        refusals: 0,
        model,
        ...asked,
      }
      const prepared = context.prepare(situation)
      log.push(...prepared.entriesToAppend)
      const answered = { model, prepared, context, situation, log, length: log.length }
      onRequest(answered)
      const calls = Array.from({ length: event.calls }, (_, call): ContentBlock => ({
        type: 'tool_call',
        id: `c${index}-${call}`,
        name: call === 0 ? 'Read' : 'Bash',
        input: call === 0 ? { file_path: `src/file${index % 5}.ts` } : { command: `make part${index}` },
      }))
      const results = calls.map((_call, call): ContentBlock => ({
        type: 'tool_result',
        callId: `c${index}-${call}`,
        content: [{ type: 'text', text: lines(event.size, `f${index}`) }],
      }))
      const thoughts = event.thinking.map((kind, position) => THINKING[kind](`${index}-${position}`))
      const reply: readonly ContentBlock[] = [
        ...thoughts.slice(0, 1),
        ...(event.words === 'none' ? [] : [{ type: 'text', text: WORDS[event.words] } as const]),
        ...thoughts.slice(1),
        ...(event.calls === 0 ? [{ type: 'text', text: `Done with ${index}.` } as const] : calls),
      ]
      const more = { responseId: `r${index}`, model }
      if (event.isSplit) for (const block of reply) message('assistant', [block], more)
      else message('assistant', reply, more)
      onReply(answered, reply)
      const waiting = late
      late = event.lastResult === 'late' ? results.at(-1) : undefined
      const now = event.lastResult === 'now' ? results : event.lastResult === 'none' ? [] : results.slice(0, -1)
      if (now.length > 0) message('tool', now)
      if (waiting !== undefined) message('tool', [waiting])
    } else if (event.do === 'pin') {
      const target = messageBack(event.back)
      if (target?.kind === 'message') add({ kind: 'pin', at, messageId: target.id, state: event.state })
    } else if (event.do === 'edit') {
      const target = messageBack(event.back)
      if (target?.kind === 'message' && target.role !== 'assistant')
        add({ kind: 'edit', at, messageId: target.id, block: 0, reason: 'edited', text: 'Edited.' })
    } else {
      late = undefined
      const users = log.filter((entry) => entry.kind === 'message' && entry.role === 'user')
      const target = users.at(-1 - (event.back % users.length))
      if (target !== undefined && target.seq > 0) add({ kind: 'rewind', at, toSeq: target.seq })
    }
  })
}
