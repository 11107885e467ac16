/** `cairn session list --live` as a process: what agents wrote just now, with the context, the cache and the budget of each. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createSandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

interface Live {
  readonly id: string
  readonly context: { readonly tokens: number; readonly window: number; readonly share: number } | null
  readonly costUsdPerHour: number | null
  readonly cache: { readonly tokens: number; readonly expiresAt: number } | null
  readonly activity: { readonly state: string } | null
  readonly budget: { readonly limitUsd: number; readonly state: string } | null
}
interface Answer {
  readonly now: number
  readonly sessions: readonly Live[]
  readonly total: number
}

describe('cairn session list --live', () => {
  const sandbox = createSandbox()
  const list = async (...words: readonly string[]): Promise<Answer> =>
    (await sandbox.json('session', 'list', '--live', ...words)) as Answer
  const lastAt = Date.now() - 30_000
  beforeAll(async () => {
    const transcript = (session: string, secondsAgo: readonly number[]): void => {
      const lines = secondsAgo.map((seconds, index) =>
        claudeLine({
          session,
          id: `${session}-${index}`,
          at: new Date(lastAt - seconds * 1_000).toISOString(),
          role: index === 0 ? 'user' : 'assistant',
          text: `step ${index}`,
          tokens: [6, 40_000 + index * 1_000, 2_000, 90],
        }),
      )
      sandbox.file(`home/.claude/projects/-code-app/${session}.jsonl`, `${lines.join('\n')}\n`)
    }
    transcript('busy', [1_500, 1_200, 600, 0])
    transcript('short', [40, 20])
    transcript('over', [9_000, 8_000])
    await sandbox.cairn('import')
  })
  afterAll(() => sandbox.remove())

  it('has those of the last ten minutes, the latest first', async () => {
    const { sessions, total, now } = await list()
    expect(sessions.map(({ id }) => id)).toEqual(['claude-code:busy', 'claude-code:short'])
    expect(total).toBe(2)
    const [busy, short] = sessions
    expect(busy).toMatchObject({
      context: { tokens: 45_006, window: 200_000, share: 45_006 / 200_000 },
      activity: { state: 'person' },
      budget: null,
    })
    expect(busy?.cache?.tokens).toBe(45_000)
    expect(Math.abs((busy?.cache?.expiresAt ?? 0) - (lastAt + 300_000))).toBeLessThan(1)
    expect(now).toBeGreaterThan(lastAt)
    // Twenty minutes from its first request to its last.
    expect(busy?.costUsdPerHour).toBeGreaterThan(0)
    expect(short?.costUsdPerHour).toBeNull()
  })

  it('has the budget that the settings name, and keeps to filters', async () => {
    await sandbox.cairn('config', 'set', 'budget.month', '0.0001')
    const { sessions } = await list('--limit', '1')
    expect(sessions).toMatchObject([{ id: 'claude-code:busy', budget: { limitUsd: 0.0001, state: 'exceeded' } }])
    expect((await list('--agent', 'codex')).sessions).toEqual([])
  })

  it('prints a table that ends with a total, and says what to do where nothing is live', async () => {
    const { stdout, code } = await sandbox.cairn('session', 'list', '--live')
    const lines = stdout.trimEnd().split('\n')
    expect(code).toBe(0)
    expect(lines[1]).toMatch(/^busy .* waits/)
    expect(lines.at(-1)).toMatch(/^Total/)
    const first = (await sandbox.cairn('session', 'list', '--live', '--limit', '1')).stdout.trimEnd().split('\n')
    expect([first.length, first.at(-1)]).toEqual([3, expect.stringMatching(/^Total .* 1 of 2$/)])
    const none = await sandbox.cairn('session', 'list', '--live', '--agent', 'codex')
    expect(none.stdout).toContain('No session was written to in the last 10 min.')
    expect(none.stdout.trimEnd().split('\n').at(-1)).toBe('Total 0 sessions')
    expect(none.code).toBe(0)
  })

  it('refuses options that have no meaning for it', async () => {
    const refused = await sandbox.cairn('session', 'list', '--live', '--since', '7d', '--reverse')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('leave --since and --reverse out')
  })
})
