import { describe, expect, it } from '@jest/globals'
import { modelFacts } from '../models/model-facts.ts'
import type { LogEntry, NewLogEntry } from '../session-log.ts'
import { modelHistory } from '../session/model-history.ts'
import type { PolicyName } from './policies/registry.ts'
import { trimContext, type TrimInput } from './trim.ts'
import { createContextView } from './view.ts'

const FILE = 'const total = sum(lines) // a line of a file\n'.repeat(150)
const facts = modelFacts('')

const logOf = (rounds: number): readonly LogEntry[] => {
  const entries: NewLogEntry[] = [
    { kind: 'message', at: 0, id: 'ask', role: 'user', content: [{ type: 'text', text: 'Read all of them.' }] },
  ]
  for (let round = 0; round < rounds; round++) {
    entries.push({
      kind: 'message',
      at: round,
      id: `c${round}`,
      role: 'assistant',
      content: [{ type: 'tool_call', id: `t${round}`, name: 'Read', input: { file_path: `src/${round}.ts` } }],
    })
    entries.push({
      kind: 'message',
      at: round,
      id: `r${round}`,
      role: 'user',
      content: [{ type: 'tool_result', callId: `t${round}`, content: [{ type: 'text', text: `${round}\n${FILE}` }] }],
    })
  }
  entries.push({
    kind: 'message',
    at: 99,
    id: 'now',
    role: 'user',
    content: [{ type: 'text', text: 'Now explain the last one.' }],
  })
  return entries.map((entry, seq) => ({ ...entry, seq }))
}

const tokensOf = (log: readonly LogEntry[]): number => {
  const view = createContextView(facts.charsPerToken)
  for (const entry of log) view.step(entry)
  return view.tokens()
}

const trim = (entries: readonly LogEntry[], policy: PolicyName, target: TrimInput['target']) =>
  trimContext({ entries, facts, now: 1_000_000, policy, target })

describe('a trim by hand', () => {
  it.each(['cache-aware', 'cline', 'clio'] as const)(
    'reaches the target under %s, by appended entries alone',
    (policy) => {
      const log = logOf(20)
      const { entriesToAppend, tokensBefore, tokensAfter, target, isMet, reports } = trim(log, policy, { share: 0.5 })
      expect(tokensBefore).toBe(tokensOf(log))
      expect(target).toBe(Math.floor(tokensBefore / 2))
      expect(isMet).toBe(true)
      expect(tokensAfter).toBeLessThanOrEqual(target)
      expect(tokensOf([...log, ...entriesToAppend])).toBeLessThanOrEqual(target)
      expect(entriesToAppend.map(({ seq }) => seq)).toEqual(entriesToAppend.map((_, index) => log.length + index))
      expect(reports.flatMap(({ removals }) => removals).length).toBeGreaterThan(0)
      expect(modelHistory([...log, ...entriesToAppend]).at(-1)?.content).toEqual([
        { type: 'text', text: 'Now explain the last one.' },
      ])
    },
  )

  it('changes nothing where the context is small enough', () => {
    expect(trim(logOf(6), 'cache-aware', { tokens: 1_000_000 }).entriesToAppend).toEqual([])
  })

  it.each(['cache-aware', 'cline', 'clio'] as const)(
    'changes nothing under %s where the target is out of reach, and says what is possible',
    (policy) => {
      const log = logOf(6)
      const missed = trim(log, policy, { tokens: 3 })
      expect(missed).toMatchObject({ entriesToAppend: [], reports: [], isMet: false, target: 3 })
      expect(missed.tokensAfter).toBeGreaterThan(3)
      expect(missed.tokensAfter).toBeLessThan(missed.tokensBefore)
      const met = trim(log, policy, { tokens: missed.tokensAfter })
      expect(met).toMatchObject({ isMet: true })
      expect(met.entriesToAppend.length).toBeGreaterThan(0)
    },
  )

  it('keeps pinned blocks', () => {
    const log = logOf(6)
    const pinned: readonly LogEntry[] = [
      ...log,
      { kind: 'pin', seq: log.length, at: 0, messageId: 'r1', state: 'pinned' },
    ]
    expect(trim(pinned, 'clio', { tokens: 100 })).toMatchObject({ isMet: false, entriesToAppend: [] })
    const { entriesToAppend, isMet } = trim(pinned, 'clio', { share: 0.6 })
    expect(isMet).toBe(true)
    expect(JSON.stringify(modelHistory([...pinned, ...entriesToAppend]))).toContain('1\\nconst total')
  })

  it('is undone by a rewind to the last message', () => {
    const log = logOf(10)
    const { entriesToAppend } = trim(log, 'cache-aware', { share: 0.3 })
    const rewound: readonly LogEntry[] = [
      ...log,
      ...entriesToAppend,
      { kind: 'rewind', seq: log.length + entriesToAppend.length, at: 0, toSeq: log.length - 1 },
    ]
    expect(modelHistory(rewound)).toEqual(modelHistory(log))
  })

  it('refuses invalid options', () => {
    expect(() => trim(logOf(1), 'none', { share: 0.5 })).toThrow(/takes nothing out/)
    expect(() => trim(logOf(1), 'clio', { tokens: 0 })).toThrow(/above 0/)
  })
})
