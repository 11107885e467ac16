/** `cairn insights` as a process: the documented JSON, sums that agree with `usage`, and a table that fits. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { textWidth } from '../terminal/text-width.ts'
import { createSandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

interface Answer {
  readonly total: { readonly costUsd: number; readonly requests: number; readonly missingOutputCostUsd: number }
  readonly leakedUsd: number
  readonly leaks: readonly {
    readonly kind: string
    readonly view: boolean
    readonly costUsd: number
    readonly share: number
    readonly certainty: string
    readonly requests: number
    readonly advice: string
    readonly examples: readonly { readonly sessionId: string; readonly at: number; readonly costUsd: number }[]
    readonly causes: readonly {
      readonly cause: string
      readonly certainty: string
      readonly costUsd: number
      readonly requests: number
    }[]
  }[]
}

const SAMPLES = fileURLToPath(new URL('../../../../samples', import.meta.url))
const CLAUDE = '0ccf1a04-1b4c-43b6-8aa5-79e41db43a68'

describe('cairn insights', () => {
  const sandbox = createSandbox()
  beforeAll(() => sandbox.cairn('import', '--from', SAMPLES))
  afterAll(() => sandbox.remove())
  const insights = async (...args: readonly string[]): Promise<Answer> =>
    (await sandbox.json('insights', ...args)) as Answer
  const leakOf = ({ leaks }: Answer, kind: string) => leaks.find((leak) => leak.kind === kind)

  it('has the total of `usage`, leaks that stay below it, and views apart', async () => {
    const answer = await insights()
    const usage = (await sandbox.json('usage')) as { readonly total: Answer['total'] }
    expect(answer.total).toEqual(usage.total)
    const partition = answer.leaks.filter(({ view }) => !view)
    const sum = partition.reduce((total, { costUsd }) => total + costUsd, 0)
    expect(sum).toBeCloseTo(answer.leakedUsd, 6)
    expect(sum).toBeGreaterThan(0)
    expect(sum).toBeLessThan(answer.total.costUsd)
    for (const { costUsd, share, certainty, advice, examples } of answer.leaks) {
      expect(share).toBeCloseTo(costUsd / answer.total.costUsd, 9)
      expect(['certain', 'estimate', 'upper-bound']).toContain(certainty)
      expect(advice).toMatch(/\.$/)
      expect(examples.length > 0).toBe(costUsd > 0)
    }
    const broken = leakOf(answer, 'cache-break')
    expect(broken?.causes.reduce((sum, { costUsd }) => sum + costUsd, 0)).toBeCloseTo(broken?.costUsd ?? -1, 9)
    expect(broken?.causes.reduce((sum, { requests }) => sum + requests, 0)).toBe(broken?.requests)
    for (const { certainty } of broken?.causes ?? []) expect(['certain', 'likely', 'unknown']).toContain(certainty)
    const subagents = leakOf(answer, 'subagents')
    expect(subagents).toMatchObject({ view: true, certainty: 'certain' })
    expect(subagents?.examples.every(({ sessionId }) => sessionId.includes(CLAUDE))).toBe(true)
    expect(leakOf(answer, 'missing-output')?.costUsd).toBeCloseTo(answer.total.missingOutputCostUsd, 9)
  })

  it('is of one session, one project, or a time, which add up', async () => {
    const whole = await insights()
    const one = await insights('--session', CLAUDE.slice(0, 8))
    expect(one.leaks.flatMap(({ examples }) => examples.map(({ sessionId }) => sessionId))).not.toEqual([])
    for (const { examples } of one.leaks) for (const { sessionId } of examples) expect(sessionId).toContain(CLAUDE)
    const parts = [await insights('--until', '2025-11-20'), await insights('--since', '2025-11-21')]
    for (const { kind, costUsd } of whole.leaks)
      expect(parts.reduce((sum, part) => sum + (leakOf(part, kind)?.costUsd ?? 0), 0)).toBeCloseTo(costUsd, 6)
    const project = await insights('--workspace', 'pi-mono')
    expect(project.total.requests).toBeGreaterThan(0)
    expect(project.total.requests + one.total.requests).toBe(whole.total.requests)
  })

  it('fits 80 columns and ends the table with the total', async () => {
    const { code, stdout } = await sandbox.cairn('insights')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^leak {2,}cost {2,}share/m)
    expect(stdout).toMatch(/^Together .*\$\d/m)
    expect(stdout).toMatch(/^Total .*\$30\.67/m)
    expect(stdout).toMatch(/cairn session show \w/)
    for (const line of stdout.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(80)
  })

  it('says that there is nothing, and names what is wrong', async () => {
    const none = await sandbox.cairn('insights', '--workspace', 'nobody')
    expect([none.code, none.stderr]).toEqual([0, expect.stringContaining("'nobody'")])
    const wrong = await sandbox.cairn('insights', '--since', 'soon')
    expect([wrong.code, wrong.stderr.trim().split('\n').length]).toEqual([2, 1])
    expect((await sandbox.cairn('insights', '--session', 'ffff')).code).not.toBe(0)
  })
})

describe('the budget of a month', () => {
  const sandbox = createSandbox()
  afterAll(() => sandbox.remove())
  const day = (index: number): string => {
    const now = new Date()
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), 0, index)).toISOString()
  }
  beforeAll(async () => {
    sandbox.file(
      'home/now/.claude/projects/-work/11111111-2222-4333-8444-555555555555.jsonl',
      [0, 1, 2]
        .map((index) =>
          JSON.stringify({
            type: 'assistant',
            uuid: `u${index}`,
            sessionId: '11111111-2222-4333-8444-555555555555',
            cwd: '/work',
            timestamp: day(index),
            message: {
              id: `m${index}`,
              role: 'assistant',
              model: 'claude-sonnet-4-5',
              content: [{ type: 'text', text: 'ok' }],
              usage: { input_tokens: 1_000_000, output_tokens: 10 },
            },
          }),
        )
        .join('\n') + '\n',
    )
    await sandbox.cairn('import', '--agent', 'claude-code', '--from', 'home/now')
  })

  it('is kept or exceeded by what the month cost, with the exit code', async () => {
    const { forecast } = (await sandbox.json('insights', '--timezone', 'UTC')) as {
      readonly forecast: { readonly spentUsd: number }
    }
    expect(forecast.spentUsd).toBeGreaterThan(1)
    expect(forecast).toMatchObject({ activeDays: 1, isUncertain: true, perDayUsd: null, totalUsd: null, highUsd: null })
    const state = async (usd: number) => {
      const { code, stdout, stderr } = await sandbox.cairn(
        'insights',
        '--timezone',
        'UTC',
        '--budget',
        usd.toFixed(2),
        '--json',
      )
      return [code, (JSON.parse(stdout) as { budget: { state: string } }).budget.state, stderr.split('\n').length - 1]
    }
    expect(await state(1)).toEqual([3, 'exceeded', 1])
    // What a month of such days would cost is far above it, and yet no risk is told of.
    expect(await state(forecast.spentUsd + 0.01)).toEqual([0, 'ok', 0])
    const { stdout } = await sandbox.cairn('insights', '--timezone', 'UTC', '--budget', '5000')
    const text = stdout.replaceAll(/\s+/g, ' ')
    expect(text).toMatch(/so far; too few days to tell what it will be by its end \(1 active day; \d+ days? left\)\./)
    expect(text).toContain('of $5,000.00 were spent; too few days to tell how the month ends.')
  })

  it('is the user’s own for all projects and a project’s for that one, wherever it is asked', async () => {
    const project = join(sandbox.folder, 'shop')
    mkdirSync(join(project, '.git'), { recursive: true })
    sandbox.file(
      'home/shop.jsonl',
      `${claudeLine({ session: 'shop', id: 's1', at: day(0), text: 'x', cwd: project, tokens: [700_000, 0, 0, 20] })}\n`,
    )
    await sandbox.cairn('import', '--agent', 'claude-code', '--from', 'home/shop.jsonl')
    sandbox.file('data/config.json', '{"budget":{"month":5000}}')
    sandbox.file('shop/.cairn/config.json', '{"budget":{"month":1.5}}')
    interface Budgets {
      readonly budget: { readonly state: string; readonly limitUsd: number } | null
      readonly forecast: { readonly spentUsd: number; readonly totalUsd: number | null; readonly month: string }
      readonly budgets: readonly { readonly project: string | null; readonly spentUsd: number }[]
    }
    const ask = async (...args: readonly string[]) =>
      (await sandbox.json('insights', '--timezone', 'UTC', ...args)) as Budgets
    const row = (project: string | null, { budget, forecast: { month, spentUsd, totalUsd } }: Budgets) => ({
      ...budget,
      project,
      month,
      spentUsd,
      totalUsd,
    })
    const all = await ask()
    const shop = await ask('--workspace', project)
    expect([all.budget, shop.budget]).toEqual([
      { limitUsd: 5000, state: 'ok' },
      { limitUsd: 1.5, state: 'exceeded' },
    ])
    expect(all.budgets).toEqual([row(null, all), row(project, shop)])
    expect(all.budgets[0]?.spentUsd).toBeGreaterThan(shop.forecast.spentUsd)
    expect(shop.budgets).toEqual([row(project, shop)])
    expect((await ask('--workspace', 'shop')).budget).toEqual(shop.budget)
    expect((await ask('--workspace', '/work')).budget).toBe(null)
    // In the project's folder both count, as anywhere else.
    const { stdout } = await sandbox.shell('cd shop && cairn insights --timezone UTC --json')
    expect((JSON.parse(stdout) as Budgets).budgets).toEqual(all.budgets)
    expect((JSON.parse(stdout) as Budgets).budget).toEqual(all.budget)
    const { code, stderr } = await sandbox.cairn('insights', '--timezone', 'UTC')
    expect([code, stderr]).toEqual([0, expect.stringMatching(/shop: .*the budget of \$1\.50 is exceeded/)])
  })

  it('is forecast from the fifth day before today on', async () => {
    const text = [1, 2, 3, 5, 8]
      .map((before) => {
        const tokens = [20_000 * before, 0, 0, 20] as const
        return claudeLine({ session: 'days', id: `d${before}`, at: day(-before * 24 * 60), text: 'x', tokens })
      })
      .join('\n')
    sandbox.file('home/days.jsonl', `${text}\n`)
    await sandbox.cairn('import', '--agent', 'claude-code', '--from', 'home/days.jsonl')
    const { forecast } = (await sandbox.json('insights', '--timezone', 'UTC')) as {
      readonly forecast: Readonly<Record<'spentUsd' | 'perDayUsd' | 'totalUsd' | 'daysLeft', number>>
    }
    expect(forecast).toMatchObject({ activeDays: 5, isUncertain: false })
    // 380,000 tokens in eight days, at $3 a million.
    expect(forecast.perDayUsd).toBeCloseTo((0.38 * 3) / 8, 3)
    expect(forecast.totalUsd).toBeCloseTo(forecast.spentUsd + forecast.daysLeft * forecast.perDayUsd, 5)
  })
})
