import { describe, expect, it } from '@jest/globals'
import type { Engine, MemoryEntry } from '@cairn/core'
import { createMemoryStore } from '@cairn/core/testing'
import { entryIds, entryLines } from './memory-output.ts'

const entry = (id: string, more: Partial<MemoryEntry> = {}): MemoryEntry => ({
  id,
  workspace: '/code/app',
  kind: 'discovery',
  text: 'Tests need Redis',
  confidence: 0.8,
  examples: [],
  sessionId: null,
  messageId: null,
  commit: null,
  source: 'user',
  firstSeenAt: 0,
  lastConfirmedAt: Date.UTC(2026, 0, 31, 12),
  applications: 0,
  confirmations: 0,
  contradictions: 0,
  ...more,
})

const storeWith = async (ids: readonly string[]): Promise<Pick<Engine, 'store'>> => {
  const store = createMemoryStore()
  await store.memory.change('/code/app', 1, () => ({ writes: ids.map((id) => ({ op: 'put', entry: entry(id) })), result: undefined }))
  return { store }
}

const PAPER = { style: (_: unknown, text: string) => text, width: 60 }

describe('entryIds', () => {
  it('gives as much of each id as no other entry of the store has, ended or not', async () => {
    const engine = await storeWith(['01AAAAAAAAAA1', '01AAAAAAAAAA2', '01AAAAAABBBB1', '01ZZZZZZZZZZZ'])
    await engine.store.memory.change('/code/app', 2, () => ({ writes: [{ op: 'end', id: '01AAAAAABBBB1', reason: 'forgotten' }], result: undefined }))
    const ids = await entryIds([entry('01AAAAAAAAAA1'), entry('01AAAAAAAAAA2'), entry('01ZZZZZZZZZZZ')], engine)
    expect([...ids.values()]).toEqual(['01AAAAAAAAAA1', '01AAAAAAAAAA2', '01ZZZZZZ'])
    expect([...(await entryIds([entry('01AAAAAABBBB1')], engine)).values()]).toEqual(['01AAAAAAB'])
  })

  it('gives the whole id where very many begin alike', async () => {
    const many = Array.from({ length: 80 }, (_, index) => `01AAAAAA${String(index).padStart(4, '0')}`)
    const ids = await entryIds([entry('01AAAAAA0007')], await storeWith(many))
    expect(ids.get('01AAAAAA0007')).toBe('01AAAAAA0007')
  })
})

describe('entryLines', () => {
  it('shows what is known of an entry, and leaves out what is usual', () => {
    expect(entryLines(entry('01A'), '01A', PAPER).slice(1)).toEqual(['  Tests need Redis'])
    const told = entry('01A', { applications: 2, contradictions: 1, source: 'agent', examples: ['src/a.ts:3-5@1a2b3c4d'], commit: '9f8e7d6', sessionId: 'x:1' })
    expect(entryLines(told, '01A', PAPER)).toEqual(['01A  discovery · 80 % sure · confirmed 2026-01-31 ·', '  applied 2 times · contradicted once · from agent', '  Tests need Redis', '  src/a.ts:3-5', '  commit 9f8e7d6', '  session x:1'])
  })
})
