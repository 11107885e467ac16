/** The room that the default policy leaves free: estimates are off by some percent, and a request that is too large is refused. */
import { describe, expect, it } from '@jest/globals'
import { contextBudget } from '../../../models/context-budget.ts'
import { createContext } from '../../create-context.ts'
import { code } from './cache-aware.fixture.ts'
import { SITUATION } from '../../situation.fixture.ts'
import { cacheAwarePolicy } from './policy.ts'
import type { CacheAwarePreset } from './settings.ts'

/** What estimates of tokens have been seen to be off by. */
const LEAST_RESERVE = 0.05
const RESULT_LINES = 60

const presets: readonly CacheAwarePreset[] = ['safe', 'quality', 'lean']

describe('the reserve for the reply', () => {
  it.each(presets)('is kept free in every request of a session that outgrows it (%s)', (preset) => {
    const window = 64_000
    const { usable: availableTokens } = contextBudget({ window, maxOutputTokens: 8_000 })
    const context = createContext(cacheAwarePolicy(preset), 2.7)
    const shares: number[] = []
    for (let turn = 0; turn < 80; turn += 1) {
      const [seq, at] = [context.view.nextSeq, turn * 10_000]
      const path = `/code/file${turn}.ts`
      context.step([
        {
          kind: 'message',
          seq,
          at,
          id: `u${turn}`,
          role: 'user',
          content: [{ type: 'text', text: `Look at ${path}` }],
        },
        {
          kind: 'message',
          seq: seq + 1,
          at,
          id: `a${turn}`,
          role: 'assistant',
          responseId: `r${turn}`,
          content: [{ type: 'tool_call', id: `c${turn}`, name: 'Read', input: { file_path: path } }],
        },
        {
          kind: 'message',
          seq: seq + 2,
          at,
          id: `t${turn}`,
          role: 'tool',
          content: [
            {
              type: 'tool_result',
              callId: `c${turn}`,
              content: [{ type: 'text', text: code(`turn${turn}`, RESULT_LINES) }],
            },
          ],
        },
      ])
      const { tokens, fits } = context.prepare({ ...SITUATION, window, availableTokens, now: at + 1_000 })
      expect(fits).toBe(true)
      shares.push(tokens / availableTokens)
    }
    const fullest = Math.max(...shares)
    expect(fullest).toBeLessThanOrEqual(1 - LEAST_RESERVE)
    // The session did come to the limit.
    expect(fullest).toBeGreaterThan(0.6)
  })

  it('fits a full reply beside the largest request', () => {
    for (const window of [8_000, 64_000, 200_000, 1_000_000]) {
      const { usable, reply } = contextBudget({ window, maxOutputTokens: 32_000, systemTokens: 1_000, toolTokens: 500 })
      expect(usable + reply + 1_500).toBeLessThanOrEqual(window)
      expect(reply).toBeGreaterThanOrEqual(Math.min(32_000, Math.floor((window - 1_500) / 4)))
    }
  })
})
