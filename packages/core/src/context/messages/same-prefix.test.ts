import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { CairnError } from '../../errors.ts'
import type { Message } from '../../messages.ts'
import type { LogEntry } from '../../session-log.ts'
import { createContext, type Context } from '../create-context.ts'
import { nonePolicy } from '../policies/none.ts'
import { conversations } from '../random-log.fixture.ts'
import { situationOf } from '../request.ts'
import { isThinking } from '../thinking.ts'
import { playThinking, thinkingConversations } from '../thinking-log.fixture.ts'
import { brokenMessages } from './messages.fixture.ts'
import { soundExchange } from './sound-exchange.ts'
import { entriesOf } from './to-entries.ts'

const situation = {
  ...situationOf({ window: 100_000_000 }),
  thinkingSignature: 'bound-to-conversation',
} as const

/** The request after each entry of a log, nothing rewritten. */
const requestsOf = (log: readonly LogEntry[]): readonly (readonly Message[])[] => {
  const context: Context = createContext(nonePolicy, 2.7)
  return log.map((entry) => {
    context.step([entry])
    return context.prepare(situation).messages
  })
}

/** Whether a reply begins with this entry, so that the request before it was sent. */
const beginsReply = (log: readonly LogEntry[], at: number): boolean => {
  const [entry, before] = [log[at], log[at - 1]]
  if (entry?.kind !== 'message' || entry.role !== 'assistant' || entry.origin !== undefined) return false
  const earlier = log.slice(0, at)
  return entry.responseId === undefined
    ? before?.kind !== 'message' || before.role !== 'assistant'
    : !earlier.some((other) => other.kind === 'message' && other.responseId === entry.responseId)
}

const firstDifference = (left: readonly Message[], right: readonly Message[]): number => {
  const at = left.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(right[index]))
  return at === -1 ? left.length : at
}

/** The reasoning of the reply that begins with an entry, as far as some messages hold it. */
const thinkingOfReply = (log: readonly LogEntry[], from: number, messages: readonly Message[]): readonly string[] => {
  const textsOf = ({ content }: Pick<Message, 'content'>): readonly string[] =>
    content.filter(isThinking).map((block) => JSON.stringify(block))
  const first = log[from]
  const isOfReply = (entry: LogEntry, at: number): boolean =>
    at >= from &&
    first?.kind === 'message' &&
    entry.kind === 'message' &&
    (entry === first || (entry.responseId !== undefined && entry.responseId === first.responseId))
  const made = new Set(log.filter(isOfReply).flatMap((entry) => (entry.kind === 'message' ? textsOf(entry) : [])))
  return messages.flatMap(textsOf).filter((block) => made.has(block))
}

/** Checks each request that was sent against each later one; says how many of them it was no prefix of. */
const checkPrefixes = (log: readonly LogEntry[]): number => {
  const requests = requestsOf(log)
  let changed = 0
  for (const [at, sent] of requests.entries()) {
    if (!beginsReply(log, at + 1)) continue
    for (const [later, next] of requests.entries()) {
      if (later <= at) continue
      const difference = firstDifference(sent, next)
      if (difference === sent.length) continue
      changed += 1
      expect(log.slice(at + 1, later + 1).some(isChange(log, at))).toBe(true)
      expect(thinkingOfReply(log, at + 1, next.slice(difference))).toEqual([])
    }
  }
  return changed
}

/** What may change a request that was sent: a decision of a person, or what belongs before it and came late. */
const isChange =
  (log: readonly LogEntry[], at: number) =>
  (entry: LogEntry): boolean => {
    if (entry.kind !== 'message') return true
    const earlier = log.slice(0, at + 1)
    const calls = new Set(
      earlier.flatMap((other) =>
        other.kind === 'message' ? other.content.flatMap((b) => (b.type === 'tool_call' ? [b.id] : [])) : [],
      ),
    )
    return (
      entry.content.some((block) => block.type === 'tool_result' && calls.has(block.callId)) ||
      (entry.responseId !== undefined &&
        earlier.some((other) => other.kind === 'message' && other.responseId === entry.responseId))
    )
  }

describe('a sent request', () => {
  it('is a prefix of all later ones of its log, or these hold no reasoning that followed it', () => {
    let changed = 0
    fc.assert(
      fc.property(thinkingConversations, (events) => {
        const last: { log: readonly LogEntry[] } = { log: [] }
        playThinking(
          events.filter((event) => event.do !== 'rewind'),
          { policy: nonePolicy, window: 1_000_000, asked: situation, models: ['claude-opus-5-5'] },
          ({ log }) => (last.log = log),
          () => undefined,
        )
        changed += checkPrefixes(last.log)
      }),
      { numRuns: 60 },
    )
    // Edits, pins and late results do change requests: the property speaks of something.
    expect(changed).toBeGreaterThan(0)
  }, 60_000)

  it('is a prefix of all later ones in conversations with images, notices and interrupted calls', () => {
    fc.assert(
      fc.property(conversations, (steps) => {
        const log = steps.flat().map((entry, seq): LogEntry => ({ ...entry, seq }))
        checkPrefixes(
          log
            .filter(({ kind }) => kind === 'message')
            .slice(0, 40)
            .map((entry, seq) => ({ ...entry, seq })),
        )
      }),
      { numRuns: 40 },
    )
  }, 60_000)

  it('represents an interrupted call the same way whatever follows', () => {
    const text = (value: string) => ({ type: 'text' as const, text: value })
    const call = (id: string) => ({ type: 'tool_call' as const, id, name: 'Read', input: {} })
    const result = (callId: string) => ({ type: 'tool_result' as const, callId, content: [text('R')] })
    const start: readonly Message[] = [
      { role: 'user', content: [text('go')] },
      { role: 'assistant', content: [call('a'), call('b')] },
    ]
    const some: readonly Message[] = [...start, { role: 'tool', content: [result('a')] }]
    const requestOf = (messages: readonly Message[]): readonly Message[] => {
      const context = createContext(nonePolicy, 2.7)
      context.step(
        messages.map((message, seq): LogEntry => ({ kind: 'message', seq, at: seq, id: `m${seq}`, ...message })),
      )
      return context.prepare(situation).messages.map(({ role, content }) => ({ role, content }))
    }
    const reply: Message = { role: 'assistant', content: [text('on')] }
    const user: Message = { role: 'user', content: [text('and?')] }
    for (const open of [start, some]) {
      const sent = requestOf(open)
      expect(sent).toHaveLength(open.length + 1)
      for (const more of [[user], [user, reply], [reply], [reply, user]])
        expect(requestOf([...open, ...more])).toEqual([...sent, ...more])
    }
  })
})

it('an exchange is sent the same at the end of a conversation and within it, however damaged it is', () => {
  fc.assert(
    fc.property(brokenMessages, (given) => {
      let messages: readonly Message[]
      try {
        messages = entriesOf(given, null)
      } catch (error) {
        expect(CairnError.is(error)).toBe(true)
        return
      }
      expect(soundExchange(messages, true).messages).toEqual(soundExchange(messages, false).messages)
    }),
    { numRuns: 500 },
  )
})
