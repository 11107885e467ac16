/** `cairn purge --expired` and `--person`, as a user meets them. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { claudeSession } from '../testing/transcripts.ts'

const DAY_MS = 86_400_000
let box: Sandbox

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
const requests = async (...args: readonly string[]): Promise<number> =>
  ((await box.json('usage', ...args)) as { readonly total: { readonly requests: number } }).total.requests
const sessions = async (...args: readonly string[]): Promise<number> =>
  ((await box.json('session', 'list', ...args)) as { readonly total: number }).total
const plain = (text: string): string => text.replace(/\s+/g, ' ')

beforeEach(async () => {
  box = createSandbox({ CAIRN_TEAM_URL: 'file:team.db' })
  for (const [session, days] of [
    ['new', 2],
    ['old', 100],
    ['ancient', 900],
  ] as const)
    box.file(`logs/${session}.jsonl`, claudeSession(session, daysAgo(days)))
  await box.cairn('import', '--from', 'logs')
})
afterEach(() => box.remove())

describe('purge --expired', () => {
  it('removes nothing without a policy, and refuses what is none', async () => {
    const { code, stderr } = await box.cairn('purge', '--expired', '--yes')
    expect([code, plain(stderr)]).toEqual([2, expect.stringContaining('No policy is set')])
    expect((await box.cairn('config', 'set', 'retention.text', 'soon')).code).toBe(2)
    expect((await box.cairn('config', 'set', 'retention.text', '90d', '--workspace')).code).toBe(2)
    expect((await box.cairn('purge', '--dry-run')).code).toBe(2)
    expect((await box.cairn('purge', '--expired', '--person', 'Ada')).code).toBe(2)
    expect(await sessions()).toBe(3)
  })

  it('removes text and sessions by their ages, says what, and an import does not bring sessions back', async () => {
    const all = await requests()
    await box.cairn('config', 'set', 'retention.text', '90d')
    await box.cairn('config', 'set', 'retention.sessions', '2y')
    expect((await box.cairn('purge', '--expired')).code).toBe(2)
    const planned = (await box.json('purge', '--expired', '--dry-run')) as { readonly parts: readonly object[] }
    expect(planned.parts).toMatchObject([
      { part: 'retention.sessions', sessions: 1, requests: all / 3 },
      { part: 'retention.text', sessions: 1, requests: 0 },
    ])
    expect(await sessions()).toBe(3)
    const { stdout } = await box.cairn('purge', '--expired', '--yes')
    expect(plain(stdout)).toMatch(
      /Removed by retention\.sessions \(.*\): 1 session, .*Removed by retention\.text \(.*; figures stay\): 1 session, .*Only ids/,
    )
    expect([await sessions(), await requests()]).toEqual([2, (all * 2) / 3])
    await box.cairn('import', '--from', 'logs')
    expect([await sessions(), await requests()]).toEqual([2, (all * 2) / 3])
    expect(plain((await box.cairn('purge', '--expired', '--yes')).stdout)).toContain('0 sessions, 0 log entries')
    expect((await box.cairn('doctor')).code).toBe(0)
  })

  it('tells of backups, which go with --backups', async () => {
    await box.cairn('config', 'set', 'retention.sessions', '2y')
    await box.cairn('backup')
    expect(plain((await box.cairn('purge', '--expired', '--dry-run', '--backups')).stdout)).toContain('1 backup from')
    expect(plain((await box.cairn('purge', '--expired', '--yes')).stdout)).toContain('1 backup from')
    const before = ((await box.json('backup', '--list')) as { readonly backups: readonly { path: string }[] }).backups
    expect(await box.json('purge', '--expired', '--yes', '--backups')).toMatchObject({
      backups: { count: 0, removed: 1 },
    })
    const { backups } = (await box.json('backup', '--list')) as { readonly backups: readonly { path: string }[] }
    expect(backups).toHaveLength(1)
    expect(backups).not.toEqual(before)
  })
})

describe('purge --person', () => {
  it("removes what a person's machines sent to a team's store, and no later sync brings it back", async () => {
    const team = ['--store', 'file:team.db']
    await box.cairn('config', 'set', 'team.person', 'Ada')
    await box.cairn('sync')
    expect(await sessions(...team)).toBe(3)
    expect(plain((await box.cairn('purge', '--person', 'Bo', '--yes', ...team)).stderr)).toContain(
      "Nobody is called 'Bo' in this store; there are Ada.",
    )
    expect(plain((await box.cairn('purge', '--person', 'Ada', '--yes')).stderr)).toContain(
      'No machine has sent anything',
    )
    expect(plain((await box.cairn('purge', '--person', 'Ada', '--dry-run', ...team)).stdout)).toMatch(
      /^Would remove of Ada: 3 sessions, .* 1 machine/,
    )
    expect(await sessions(...team)).toBe(3)
    expect(await box.json('purge', '--person', 'Ada', '--yes', ...team)).toMatchObject({
      dryRun: false,
      parts: [{ part: 'Ada', sessions: 3, machines: 1 }],
    })
    expect([await sessions(...team), await requests(...team)]).toEqual([0, 0])
    await box.cairn('sync', '--all')
    expect([await sessions(...team), await sessions()]).toEqual([0, 3])
  })
})
