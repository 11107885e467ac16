import { describe, expect, it } from '@jest/globals'
import type { Engine, UsageRow } from '@cairn/core'
import { unpricedLines } from './unpriced-lines.ts'

const row = (key: string, requests: number, unpricedRequests: number) =>
  ({ key, requests, unpricedRequests }) as unknown as UsageRow
const linesOf = (...rows: readonly UsageRow[]) =>
  unpricedLines(
    { by: 'day' },
    { usage: { report: async () => ({ rows }) } } as unknown as Engine,
    Date.parse('2026-05-01T00:00:00Z'),
  )

describe('requests without a cost', () => {
  it('are told apart: no price, or no input', async () => {
    expect(await linesOf(row('no-such', 3, 3), row('claude-sonnet-4.6', 54, 54), row('mine', 9, 1))).toEqual([
      'Without a cost, though the model has a price: claude-sonnet-4.6 (54 requests), mine (1 request).',
      'The agent has not recorded their input (yet), or they came in before the price was known;',
      '  then: cairn doctor --rebuild',
      'Without a known price: no-such (3 requests).',
      'Set one, in USD per million tokens (input,output):',
      '  cairn config set prices.no-such 3,15',
      '  then: cairn doctor --rebuild',
    ])
  })

  it('are named by their first models', async () => {
    const [first] = await linesOf(...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => row(`x-${name}`, 2, 2)))
    expect(first).toBe(
      'Without a known price: x-a (2 requests), x-b (2 requests), x-c (2 requests), x-d (2 requests), x-e (2 requests) and 2 more.',
    )
  })

  it('have a command without the name where that is unsafe in a shell', async () => {
    expect(await linesOf(row('a b', 1, 1))).toContain("  cairn config set prices.'<model>' 3,15")
  })
})
