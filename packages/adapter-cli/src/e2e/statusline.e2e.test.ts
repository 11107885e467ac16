/** The status line over a store, as an agent runs it. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { runHook } from '../testing/run-hook.ts'
import { claudeLine } from '../testing/transcripts.ts'

const SESSION = '0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11'

let sandbox: Sandbox
let project: string

beforeEach(async () => {
  sandbox = createSandbox()
  project = join(sandbox.folder, 'project')
  mkdirSync(join(project, '.git'), { recursive: true })
  mkdirSync(join(project, 'src'))
  // Now, and long ago.
  const lines = [new Date().toISOString(), '2026-01-31T08:00:00.000Z'].map((at, index) =>
    claudeLine({ session: SESSION, id: `m${index}`, at, text: 'x', cwd: project, tokens: [1_000_000, 0, 0, 1_000] }),
  )
  sandbox.file(`home/.claude/projects/-p/${SESSION}.jsonl`, `${lines.join('\n')}\n`)
  await sandbox.cairn('import')
})
afterEach(() => sandbox.remove())

const shown = async (input: object, variables: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { code, stdout, stderr } = await runHook(sandbox, ['statusline'], {
    input,
    variables: { NO_COLOR: '1', ...variables },
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

/** As people read it: whole dollars from a thousand on, else cents, half of one rounded up. */
const dollars = (usd: number): string =>
  usd >= 999.5 ? `$${usd.toFixed(0)}` : `$${(Math.round(Math.round(usd * 1e9) / 1e7) / 100).toFixed(2)}`

const total = async (...args: readonly string[]): Promise<string> => {
  const { total: sums } = (await sandbox.json('usage', ...args)) as { total: { costUsd: number } }
  return dollars(sums.costUsd)
}

const HOUR_MS = 3_600_000
const REQUESTS = 600

/** Requests of two projects in the last weeks, more of them lately, each of another size. */
const fillStore = (): void => {
  const now = Date.now()
  const lines = Array.from({ length: REQUESTS }, (_, index) =>
    claudeLine({
      session: `s${index % 7}`,
      id: `f${index}`,
      // The younger the denser: some in every hour around midnight, wherever that is.
      at: new Date(now - (index / 100) ** 3 * 5 * HOUR_MS).toISOString(),
      text: 'x',
      cwd: index % 3 === 0 ? '/another/project' : project,
      tokens: [1_000 + 37 * index, 11 * index, 0, index],
    }),
  )
  for (let session = 0; session < 7; session += 1)
    sandbox.file(
      `home/.claude/projects/-p/s${session}.jsonl`,
      `${lines.filter((_, index) => index % 7 === session).join('\n')}\n`,
    )
}

interface UsageRows {
  readonly rows: readonly { readonly key: string; readonly costUsd: number }[]
  readonly total: { readonly costUsd: number }
}

/** The line that the figures of `cairn usage` make. */
const expectedLine = async (timeZone: string): Promise<string> => {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date())
  const costOf = async (by: string, key: string): Promise<number> => {
    const { rows } = (await sandbox.json('usage', '--by', by)) as UsageRows
    return rows.find((row) => row.key === key)?.costUsd ?? 0
  }
  const [today, month] = [await costOf('day', day), await costOf('month', day.slice(0, 7))]
  const all = ((await sandbox.json('usage', '--workspace', project)) as UsageRows).total.costUsd
  const percent = (usd: number, budget: number): string => `${Math.round((100 * usd) / budget)}%`
  return `${[
    `day ${percent(today, 7.5)} month ${percent(month, 300)}`,
    ...(today === 0 ? [] : [`today ${dollars(today)}`]),
    `project ${dollars(all)}`,
  ].join(' · ')}\n`
}

describe('the status line', () => {
  it('shows the figures of cairn usage, for the project of a folder in it', async () => {
    const midnight = new Date()
    midnight.setUTCHours(0, 0, 0, 0)
    const [today, all] = [await total('--since', midnight.toISOString()), await total()]
    expect(today).not.toBe(all)
    const line = await shown({ session_id: SESSION, cwd: join(project, 'src') })
    expect(line).toBe(`${all} · today ${today} · project ${all} · src\n`)
    // What the agent says of the session comes first.
    expect(await shown({ session_id: SESSION, cost: { total_cost_usd: 0.5 } })).toMatch(/^\$0\.50 · /)
  })

  it('has the segments, the budget and the time zone of the settings', async () => {
    await sandbox.cairn('config', 'set', 'statusline.segments', 'budget,model')
    await sandbox.cairn('config', 'set', 'budget.day', '100')
    expect(await shown({ model: 'm' })).toMatch(/^day \d+% · m\n$/)
    expect((await sandbox.cairn('config', 'set', 'statusline.segments', 'budget,nonsense')).code).toBe(2)
    // Where it is tomorrow or yesterday already, another day has begun.
    await sandbox.cairn('config', 'set', 'statusline.segments', 'today')
    await sandbox.cairn('config', 'set', 'timezone', 'Pacific/Kiritimati')
    const { rows } = (await sandbox.json('usage')) as { rows: readonly { key: string; costUsd: number }[] }
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Kiritimati' }).format(new Date())
    const cost = rows.find(({ key }) => key === day)?.costUsd
    expect(await shown({})).toBe(cost === undefined ? '' : `today ${dollars(cost)}\n`)
  })

  it.each(['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati'])(
    'shows of a filled store what cairn usage sums for the same day and month, in %s',
    async (timezone) => {
      fillStore()
      await sandbox.cairn('import')
      for (const [key, value] of [
        ['timezone', timezone],
        ['statusline.segments', 'budget,today,project'],
        ['budget.day', '7.5'],
        ['budget.month', '300'],
      ] as const)
        await sandbox.cairn('config', 'set', key, value)
      const before = await expectedLine(timezone)
      const line = await shown({ cwd: project })
      // A day may end meanwhile.
      expect([before, await expectedLine(timezone)]).toContain(line)
      expect(line).toMatch(/month \d+%.* · project \$\d+/)
    },
  )

  it('fits into the window, with colours or without', async () => {
    const input = { session_id: SESSION, model: 'a-model', cwd: project }
    expect(await shown(input, { COLUMNS: '9' })).toBe('a-model\n')
    expect(await shown(input, { COLUMNS: '4' })).toBe('a-m…\n')
    const coloured = await shown({ ...input, context_window: { used_percentage: 90 } }, { NO_COLOR: '' })
    expect(coloured).toContain('\u001b[31m')
  })
})
