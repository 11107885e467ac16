/** `cairn usage --by commit` over a real repository, and what `cairn insights` says of the time before. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { textWidth } from '../terminal/text-width.ts'
import { createSandbox } from '../testing/run-cli.ts'

interface Row {
  readonly key: string
  readonly subject: string | null
  readonly requests: number
  readonly costUsd: number
}
interface Answer {
  readonly branch: string
  readonly rows: readonly Row[]
  readonly total: Row
  readonly budget?: { readonly exceeded: boolean }
}

const sandbox = createSandbox()
const project = join(sandbox.folder, 'shop')
const git = (date: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  })
const commit = (subject: string, date: string): void => void git(date, 'commit', '-q', '--allow-empty', '-m', subject)

/** Requests with other sizes each, of two branches. */
const REQUESTS = [
  ['2026-01-05T09:00:00Z', 'main', 120_000],
  ['2026-01-05T09:30:00Z', 'main', 900_000],
  ['2026-01-05T10:30:00Z', 'main', 31_000],
  ['2026-01-06T10:00:00Z', 'fix', 470_000],
  ['2026-01-12T10:00:00Z', 'main', 7_000],
  ['2026-01-13T10:00:00Z', 'main', 2_500_000],
] as const

beforeAll(async () => {
  mkdirSync(project)
  git('2026-01-05T08:00:00Z', 'init', '-q', '--initial-branch', 'main')
  commit('begin', '2026-01-05T08:00:00Z')
  commit('add a basket', '2026-01-05T10:00:00Z')
  git('2026-01-05T10:00:00Z', 'branch', 'fix')
  commit('mend the basket', '2026-01-12T11:00:00Z')
  const lines = REQUESTS.map(([at, branch, tokens], index) =>
    JSON.stringify({
      type: 'assistant',
      uuid: `u${index}`,
      sessionId: `session-${index % 3}`,
      cwd: project,
      gitBranch: branch,
      timestamp: at,
      message: {
        id: `m${index}`,
        role: 'assistant',
        model: index % 2 === 0 ? 'claude-sonnet-4-5' : 'claude-opus-4-5',
        content: [{ type: 'text', text: 'ok' }],
        usage: { input_tokens: tokens, output_tokens: 10 },
      },
    }),
  )
  sandbox.file('home/shop.jsonl', `${lines.join('\n')}\n`)
  await sandbox.cairn('import', '--agent', 'claude-code', '--from', 'home/shop.jsonl')
})
afterAll(() => sandbox.remove())

describe('cairn usage --by commit', () => {
  const ask = async (...args: readonly string[]): Promise<Answer> =>
    (await sandbox.json('usage', '--by', 'commit', '--workspace', project, ...args)) as Answer

  it('adds up to the branch, commit by commit', async () => {
    const answer = await ask('--branch', 'main')
    expect(answer.rows.map(({ subject, key, requests }) => [subject ?? key, requests])).toEqual([
      ['uncommitted', 1],
      ['mend the basket', 2],
      ['add a basket', 2],
    ])
    const usage = (await sandbox.json('usage', '--branch', 'main', '--workspace', project)) as Answer
    expect(answer.total).toEqual(usage.total)
    expect(answer.rows.reduce((sum, { costUsd }) => sum + costUsd, 0)).toBeCloseTo(usage.total.costUsd, 9)
    // The checked-out branch is main, too, and a project's name means its folder.
    expect(await ask()).toEqual(answer)
    expect(await sandbox.json('usage', '--by', 'commit', '--workspace', 'shop')).toEqual(answer)
    const fix = await ask('--branch', 'fix', '--max-cost', '0.01')
    expect([fix.rows.length, fix.rows[0]?.key, fix.budget?.exceeded]).toEqual([1, 'uncommitted', true])
    const some = await ask('--branch', 'main', '--model', 'claude-opus-4-5', '--until', '2026-01-05')
    expect(some.rows.map(({ subject, requests }) => [subject, requests])).toEqual([['add a basket', 1]])
  })

  it('prints a table that fits', async () => {
    const { code, stdout } = await sandbox.cairn('usage', '--by', 'commit', '--workspace', project, '--max-cost', '1')
    expect(code).toBe(3)
    expect(stdout).toMatch(/mend the basket/)
    expect(stdout).toMatch(/^– .*after the last commit/m)
    expect(stdout).toMatch(/^Total .*\$\d/m)
    for (const line of stdout.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(80)
  })

  it('says in a sentence why there are no commits', async () => {
    const sentence = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await sandbox.cairn('usage', '--by', 'commit', ...args)
      return [code, stdout, stderr.trim().split('\n').length, stderr]
    }
    expect(await sentence('--workspace', project, '--branch', 'gone')).toEqual([
      1,
      '',
      1,
      expect.stringContaining("there is no branch 'gone'"),
    ])
    expect(await sentence('--workspace', 'nobody')).toEqual([1, '', 1, expect.stringContaining('no folder')])
    expect(await sentence()).toEqual([1, '', 1, expect.stringContaining('in no git repository')])
  })
})

describe('cairn insights of a span of time', () => {
  it('tells what changed since the time before, in movers that add up, and what an active day costs', async () => {
    interface Insights {
      readonly activeDays: { readonly days: number; readonly costUsd: number; readonly meanUsd: number }
      readonly change: {
        readonly beforeUsd: number
        readonly nowUsd: number
        readonly changeUsd: number
        readonly by: Readonly<
          Record<string, { movers: readonly { changeUsd: number }[]; others: { changeUsd: number } }>
        >
      }
    }
    const range = ['--since', '2026-01-12', '--until', '2026-01-18', '--timezone', 'UTC'] as const
    const { activeDays, change } = (await sandbox.json('insights', ...range)) as Insights
    const costOf = async (since: string, until: string) =>
      ((await sandbox.json('usage', '--since', since, '--until', until, '--timezone', 'UTC')) as Answer).total.costUsd
    expect(change.nowUsd).toBeCloseTo(await costOf('2026-01-12', '2026-01-18'), 9)
    expect(change.beforeUsd).toBeCloseTo(await costOf('2026-01-05', '2026-01-11'), 9)
    for (const { movers, others } of Object.values(change.by))
      expect(movers.reduce((sum, { changeUsd }) => sum + changeUsd, others.changeUsd)).toBeCloseTo(change.changeUsd, 9)
    expect(activeDays).toMatchObject({ days: 2, costUsd: change.nowUsd, meanUsd: change.nowUsd / 2 })
    const { stdout } = await sandbox.cairn('insights', ...range)
    expect(stdout).toMatch(/^2 active days: \$/m)
    expect(stdout).toMatch(/by model: claude-/)
    for (const line of stdout.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(80)
    expect(await sandbox.json('insights')).not.toHaveProperty('change')
  })
})
