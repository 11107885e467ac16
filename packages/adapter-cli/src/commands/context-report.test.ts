import { describe, expect, it } from '@jest/globals'
import { modelFacts, sessionContext } from '@cairn/core'
import type { LogEntry, SessionSummary } from '@cairn/core'
import { contextLines } from './context-report.ts'

const text = (id: string, words: string, seq: number): LogEntry => ({
  kind: 'message',
  seq,
  id,
  at: null,
  role: 'user',
  content: [{ type: 'text', text: words }],
})
const summary = { id: 'pi:1', externalId: '1', title: 'A talk' } as SessionSummary

const linesOf = (entries: readonly LogEntry[], window: number): string => {
  const shown = sessionContext({ entries, facts: modelFacts(''), now: 0, policy: 'none', window, prefixTokens: 0 })
  const page = {
    session: summary,
    shown,
    command: (action: string, message: string) => `cairn context ${action} ${message}`,
    stale: () => undefined,
    all: true,
  }
  return [...contextLines(page, { width: 200, style: (_, own) => own })].join('\n')
}

describe('the output of context show', () => {
  it('says of text that a policy inserted that nobody wrote it', () => {
    const inserted: LogEntry = {
      kind: 'rewrite',
      seq: 1,
      at: null,
      policy: 'clio',
      trigger: 'window',
      changes: [],
      insertions: [{ why: 'index', text: 'names' }],
    }
    const page = linesOf([text('u', 'hello', 0), inserted], 100_000)
    expect(page).toMatch(/^put in by the policy {2}as a user's message {2}-$/m)
    expect(page).not.toContain('nobody')
  })

  it('says that the todo list is inserted, and why', () => {
    const todo: LogEntry = { kind: 'todo', seq: 1, at: null, items: [{ text: 'Mend it', status: 'pending' }] }
    const page = linesOf([text('u', 'hello', 0), todo], 100_000)
    expect(page).toMatch(/would put the todo list in: \d+ to \d+ tokens/)
    expect(page).toContain('the todo list, always in the request')
  })

  it('writes a large overflow as a multiple, not in percent', () => {
    const page = linesOf([text('u', 'word '.repeat(100_000), 0)], 1000)
    expect(page).toMatch(/\([\d,]+ times as much, over\)/)
    expect(page).not.toMatch(/\d{4}[\d.]* %/)
    expect(linesOf([text('u', 'word '.repeat(300), 0)], 1000)).toMatch(/\(\d+\.\d %, \w+\)/)
  })

  it('says of one token that it is one', () => {
    const page = linesOf([text('u', 'hello', 0)], 1)
    expect(page).toContain('window 1 token\n')
    expect(linesOf([text('u', 'hello', 0)], 2)).toContain('window 2 tokens\n')
  })
})
