import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseStatusInput } from './status-input.ts'
import { statusSegments, type StatusFigures } from './status-segments.ts'

const NOW = Date.UTC(2026, 10, 22, 12)
const ALL = ['model', 'context', 'session', 'today', 'cache', 'limits', 'budget', 'burn', 'project', 'folder']

const line = (input: object, figures: Partial<StatusFigures> = {}, names: readonly string[] = ALL): string =>
  statusSegments(names, parseStatusInput(JSON.stringify(input)), { now: NOW, ...figures })
    .map((pieces) => pieces.map(({ text }) => text).join(''))
    .join(' | ')

const CLAUDE = {
  session_id: 's',
  cwd: '/code/app/src',
  model: { id: 'claude-opus-4-5', display_name: 'Opus 4.5' },
  workspace: { current_dir: '/code/app/src', project_dir: '/code/app' },
  cost: { total_cost_usd: 4.214, total_duration_ms: 4_500_000 },
  context_window: { context_window_size: 200_000, used_percentage: 38 },
  prompt_cache: { warm: true, ttl: 300, expires_at: NOW / 1000 + 230, hit_ratio: 0.9, misses: 2 },
  rate_limits: { five_hour: { used_percentage: 27.4 }, seven_day: { used_percentage: 88 } },
}

describe('a status line', () => {
  it('shows figures from the agent and the store', () => {
    const figures = { todayNano: 18_900_000_000n, projectNano: 1_234_000_000_000n, budgetDay: 25, monthNano: 0n }
    expect(line(CLAUDE, figures)).toBe(
      'Opus 4.5 | ctx ███░░░░░ 38% of 200k | $4.21 | today $18.90 | warm 4m, 2 misses | 5h 27% 7d 88% | day 76% | $3.37/h | project $1234 | app',
    )
  })

  it('accepts field names in another case', () => {
    const copilot = {
      sessionId: 's',
      model: { id: 'claude-opus-4-5', displayName: 'Opus 4.5' },
      workspace: { currentDir: '/code/app' },
      cost: { totalCostUsd: 4.214, totalDurationMs: 4_500_000 },
      contextWindow: { contextWindowSize: 200_000, usedPercentage: 38 },
    }
    expect(line(copilot)).toBe('Opus 4.5 | ctx ███░░░░░ 38% of 200k | $4.21 | $3.37/h | app')
  })

  it('leaves out missing figures: at the start, null, another type, no input at all', () => {
    const early = {
      ...CLAUDE,
      cost: { total_cost_usd: null },
      context_window: { context_window_size: 200_000, current_usage: null, used_percentage: null },
      prompt_cache: null,
      rate_limits: { five_hour: null },
    }
    expect(line(early)).toBe('Opus 4.5 | app')
    expect(line({ model: 7, cost: [], context_window: 'x', prompt_cache: { warm: 'yes' }, workspace: -1 })).toBe('')
    expect(line({})).toBe('')
    expect(statusSegments(ALL, parseStatusInput('no JSON'), { now: NOW })).toEqual([])
  })

  it("computes the context's share from its parts, and the session's cost from the store, where the agent sends neither", () => {
    const usage = { input_tokens: 1_000, cache_creation_input_tokens: 9_000, cache_read_input_tokens: 90_000 }
    const input = { context_window: { context_window_size: 200_000, current_usage: usage } }
    expect(line(input, { sessionNano: 1_500_000_000n })).toBe('ctx ████░░░░ 50% of 200k | $1.50')
    expect(line({ context_window: { used_percentage: 250 } })).toBe('ctx ████████ 100%')
  })

  it.each([
    [{ warm: false, misses: 0 }, 'cold'],
    [{ warm: true, misses: 0 }, 'warm'],
    [{ warm: true, expires_at: NOW - 1, misses: 1 }, 'cold, 1 miss'],
    [{ warm: true, expires_at: new Date(NOW + 61_000).toISOString() }, 'warm 2m'],
  ])('shows the cache %j as %s', (prompt_cache, expected) => {
    expect(line({ prompt_cache })).toBe(expected)
  })

  it.each([
    [200_000, '200k'],
    [1_000_000, '1M'],
    [999_600, '1M'],
    [1_047_576, '1M'],
    [128_000, '128k'],
    [8_192, '8.2k'],
    [1_024, '1k'],
    [999, '999'],
    [499, '499'],
    [1, '1'],
  ])('names a window of %i tokens %s', (context_window_size, text) => {
    expect(line({ context_window: { context_window_size, used_percentage: 10 } })).toBe(`ctx █░░░░░░░ 10% of ${text}`)
  })

  it('rounds half a cent as cairn usage does', () => {
    const figures = { todayNano: 12_045_000_000n, projectNano: 1_005_000_000n, sessionNano: 4_999_999n }
    expect(line({ model: 'm' }, figures)).toBe('m | $0.00 | today $12.05 | project $1.01')
  })

  it('names no window of 0 tokens', () => {
    expect(line({ context_window: { context_window_size: 0, used_percentage: 10 } })).toBe('ctx █░░░░░░░ 10%')
  })

  it('has a segment once, however often it is asked for', () => {
    expect(line(CLAUDE, {}, ['model', 'session', 'model', 'session'])).toBe('Opus 4.5 | $4.21')
  })

  it('follows the configured order, without unknown names', () => {
    expect(line(CLAUDE, {}, ['session', 'model', 'nonsense', '__proto__', 'toString'])).toBe('$4.21 | Opus 4.5')
  })

  it('holds no control characters, and truncates long names', () => {
    const evil = { model: { display_name: `a\u001b]0;title\u0007\u202e\n${'x'.repeat(300)}` }, cwd: '/p/\u001b[2Jq' }
    const text = line(evil)
    // eslint-disable-next-line no-control-regex -- that is what is looked for
    expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    expect(text.length).toBeLessThan(80)
  })

  it('accepts any JSON', () => {
    fc.assert(fc.property(fc.json(), (text) => void statusSegments(ALL, parseStatusInput(text), { now: NOW })))
  })
})
