import { describe, expect, it } from '@jest/globals'
import type { LogEntry, NewLogEntry } from '../session-log.ts'
import { sessionDigest } from './session-digest.ts'

const message = (id: string, role: 'user' | 'assistant', text: string): NewLogEntry => ({
  kind: 'message',
  id,
  at: 1000,
  role,
  content: [{ type: 'text', text }],
})
const log = (entries: readonly NewLogEntry[]): readonly LogEntry[] => entries.map((entry, seq) => ({ ...entry, seq }))
const talk = log(
  Array.from({ length: 30 }, (_, index) => [
    message(`q${index}`, 'user', `Question ${index}: why is part ${index} slow?`),
    message(`a${index}`, 'assistant', `Answer ${index}. ${`Because of reason ${index}. `.repeat(40)}`),
  ]).flat(),
)

describe('the digest of a session', () => {
  it('stays within the size, with the newest messages in full and the oldest only counted', () => {
    const digest = sessionDigest(talk, 's', { target: { tokens: 1500 }, charsPerToken: 2.7 })
    expect(digest.tokens).toBeLessThanOrEqual(1500)
    expect(digest.text).toContain('Question 29: why is part 29 slow?')
    expect(digest.text.length).toBeGreaterThan(1500)
    expect(digest.messages).toBe(60)
    expect(digest.parts.whole).toBeGreaterThan(0)
    expect(Object.values(digest.parts).reduce((sum, count) => sum + count, 0)).toBe(60)
    expect(digest.summaryText).toContain('Question 29')
    expect(digest.threads).toBe(1)
  })

  it('accepts a share of the conversation as its size, up to all of it', () => {
    const tenth = sessionDigest(talk, 's', { target: { share: 0.1 }, charsPerToken: 2.7 })
    expect(tenth.targetTokens).toBe(Math.floor(tenth.conversationTokens * 0.1))
    expect(tenth.tokens).toBeLessThanOrEqual(tenth.targetTokens)
    const more = sessionDigest(talk, 's', { target: { share: 0.5 }, charsPerToken: 2.7 })
    expect(more.text.length).toBeGreaterThan(tenth.text.length)
  })

  it('leaves out rewound messages and those of subagents', () => {
    const entries = log([
      message('q', 'user', 'Keep this question'),
      { ...message('sub', 'assistant', 'Words of a helper'), subagent: 'helper' } as NewLogEntry,
      message('gone', 'user', 'Taken back words'),
      { kind: 'rewind', at: null, toSeq: 1 },
    ])
    const { text, messages } = sessionDigest(entries, 's', { target: { tokens: 1000 }, charsPerToken: 2.7 })
    expect(text).toContain('Keep this question')
    expect(text).not.toContain('helper')
    expect(text).not.toContain('Taken back')
    expect(messages).toBe(1)
  })

  it('refuses an invalid target, but accepts an empty session', () => {
    for (const tokens of [0, -5, Number.NaN])
      expect(() => sessionDigest(talk, 's', { target: { tokens }, charsPerToken: 2.7 })).toThrow('at least one token')
    expect(sessionDigest([], 's', { target: { share: 0.1 }, charsPerToken: 2.7 })).toMatchObject({
      text: '',
      messages: 0,
    })
  })
})
