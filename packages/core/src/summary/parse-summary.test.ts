import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { isJsonObject } from '../json.ts'
import { summary, summaryOf, tool, user } from './conversation.fixture.ts'
import { parseThreadSummary } from './parse-summary.ts'
import { emptySummary } from './thread-summary.ts'

const good = summaryOf(
  user('a'),
  ...tool('Edit', { file_path: 'f' }),
  ...tool('Bash', { command: 'git commit' }, '[main abcdef1] x'),
)

describe('parseThreadSummary', () => {
  it('reads what renderThreadSummary wrote', async () => {
    expect(await parseThreadSummary(JSON.stringify(emptySummary))).toEqual({ ok: true, value: emptySummary })
    await fc.assert(
      fc.asyncProperty(summary, async (value) =>
        expect(await parseThreadSummary(JSON.stringify(value))).toEqual({ ok: true, value }),
      ),
      { numRuns: 50 },
    )
  })

  it.each([
    ['no JSON', '{"version":'],
    ['nothing', ''],
    ['another thing', '[]'],
    ['a newer version', { ...good, version: 2 }],
    ['a missing part', { ...good, requests: undefined }],
    ['a number for a text', { ...good, currentTask: { text: 1, at: null, seq: null } }],
    ['a negative count', { ...good, exchanges: { items: [], dropped: -1 } }],
    ['an impossible time', { ...good, madeAt: 1e300 }],
    ['a sample out of order', { ...good, filesRead: { items: [], dropped: 0, sample: [3, 2] } }],
    [
      'a hash that is none',
      { ...good, commits: { ...good.commits, items: [{ ...good.commits.items[0], hash: '</thread_summary>' }] } },
    ],
  ])('refuses %s in one sentence', async (_, damaged) => {
    const result = await parseThreadSummary(damaged)
    if (result.ok) throw new Error('was read')
    expect(result.error.code).toBe('invalid-input')
    expect(result.error.message).toMatch(/^The stored thread summary is damaged \(.+\); .+\.$/)
    expect(result.error.message).not.toContain('\n')
  })

  it('survives damage at any single position', async () => {
    const replaced = (value: unknown, path: readonly string[], by: unknown): unknown => {
      const [key, ...rest] = path
      if (key === undefined) return by
      if (Array.isArray(value))
        return value.map((item: unknown, index) => (String(index) === key ? replaced(item, rest, by) : item))
      return isJsonObject(value) ? { ...value, [key]: replaced(value[key], rest, by) } : by
    }
    const paths = [
      ['covered'],
      ['covered', 'firstAt'],
      ['requests', 'items'],
      ['filesEdited', 'items', '0'],
      ['commits', 'sample'],
      ['tools', 'counts'],
      ['openAnswer', 'text'],
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.jsonValue(), async (path, by) => {
        const result = await parseThreadSummary(JSON.stringify(replaced(good, path, by)))
        if (result.ok) expect(await parseThreadSummary(JSON.stringify(result.value))).toEqual(result)
        else expect(result.error.code).toBe('invalid-input')
      }),
    )
  })

  it('applies the limits to larger input', async () => {
    const file = (number: number) => ({ path: `${number}${'x'.repeat(1000)}`, at: null, seq: null })
    const result = await parseThreadSummary({
      ...good,
      filesRead: { items: Array.from({ length: 50 }, (_, index) => file(index)), dropped: 0, sample: [] },
    })
    expect(result).toMatchObject({ ok: true, value: { filesRead: { dropped: 20 } } })
    expect(JSON.stringify(result).length).toBeLessThan(20_000)
  })
})
