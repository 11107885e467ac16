/** `cairn session show --outline` as a process: turns that add up to what `usage` says, subagents once, and a table that fits. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { textWidth } from '../terminal/text-width.ts'
import { createSandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

interface Sums {
  readonly requests: number
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly outputTokens: number
  readonly costUsd: number
}
interface Turn extends Sums {
  readonly number: number
  readonly text: string
  readonly durationMs: number | null
  readonly own: Sums
  readonly subagents: readonly (Sums & { readonly name: string })[]
}
interface Answer {
  readonly turns: readonly Turn[]
  readonly total: Sums
  readonly marks: readonly { readonly kind: string; readonly beforeRequest: number | null }[]
}

const SAMPLES = fileURLToPath(new URL('../../../../samples', import.meta.url))
const nano = (usd: number): number => Math.round(usd * 1e9)
const sums = (parts: readonly Sums[]): readonly number[] => [
  parts.reduce((sum, { costUsd }) => sum + nano(costUsd), 0),
  parts.reduce((sum, { requests }) => sum + requests, 0),
  parts.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
  parts.reduce((sum, { cacheReadTokens }) => sum + cacheReadTokens, 0),
  parts.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
]

describe('cairn session show --outline', () => {
  const sandbox = createSandbox()
  beforeAll(async () => {
    const line = (
      minute: number,
      role: 'user' | 'assistant',
      text: string,
      tokens?: readonly [number, number, number, number],
    ) =>
      claudeLine({
        session: 'crafted',
        id: `m${minute}`,
        at: new Date(Date.UTC(2026, 1, 3, 9, minute)).toISOString(),
        role,
        text,
        ...(tokens === undefined ? {} : { tokens }),
      })
    const lines = [
      line(0, 'user', 'Look at the login'),
      line(1, 'assistant', 'I look.', [3, 0, 20_111, 57]),
      line(2, 'assistant', 'It waits.', [5, 20_111, 1_203, 900]),
      line(3, 'user', 'Mend \u001b[31mit'),
      line(33, 'assistant', 'Done.', [7, 0, 25_000, 3_001]),
    ]
    sandbox.file('home/.claude/projects/-code-app/crafted.jsonl', `${lines.join('\n')}\n`)
    await sandbox.cairn('import', '--from', SAMPLES)
    await sandbox.cairn('import')
  })
  afterAll(() => sandbox.remove())
  const outline = async (id: string): Promise<Answer> =>
    (await sandbox.json('session', 'show', id, '--outline')) as Answer

  it('adds up to `usage` for every session, with each subagent once', async () => {
    const { rows } = (await sandbox.json('usage', '--by', 'session')) as {
      readonly rows: readonly (Sums & { readonly key: string })[]
    }
    expect(rows.length).toBe(3)
    let subagents = 0
    for (const row of rows) {
      const { turns, total } = await outline(row.key)
      expect([row.key, ...sums([total])]).toEqual([row.key, ...sums([row])])
      expect([row.key, ...sums(turns)]).toEqual([row.key, ...sums([row])])
      for (const turn of turns) expect(sums([turn.own, ...turn.subagents])).toEqual(sums([turn]))
      const names = turns.flatMap((turn) => turn.subagents.map(({ name }) => name))
      expect(new Set(names).size).toBe(names.length)
      subagents += names.length
    }
    expect(subagents).toBeGreaterThan(0)
  }, 120_000)

  it('tells turns, durations and the pause that lost the cache', async () => {
    const { turns, marks } = await outline('crafted')
    expect(turns.map(({ number, requests, durationMs }) => [number, requests, durationMs])).toEqual([
      [1, 2, 2 * 60_000],
      [2, 1, 30 * 60_000],
    ])
    expect(marks).toEqual([expect.objectContaining({ kind: 'pause', beforeRequest: 3, pauseMs: 31 * 60_000 })])
  })

  it('is a table that fits, ends with the total, and obeys nothing in the log', async () => {
    const { code, stdout } = await sandbox.cairn('session', 'show', 'crafted', '--outline')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ *1 {2}Look at the login +\$0\.\d{4} +\d+\.\d %/m)
    expect(stdout).not.toContain('\u001b')
    expect(stdout).toMatch(/^Total .*\$0\.\d{4}/m)
    expect(stdout.replaceAll('\n', ' ')).toContain('pauses that lost the cache: 1 ($')
    for (const each of stdout.split('\n')) expect(textWidth(each)).toBeLessThanOrEqual(80)
    const wrong = await sandbox.cairn('session', 'show', 'crafted', '--outline', '--at', '2026-01-01')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('leave --message and --at out')])
  })
})
