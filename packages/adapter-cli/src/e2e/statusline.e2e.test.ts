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

const total = async (...args: readonly string[]): Promise<string> => {
  const { total: sums } = (await sandbox.json('usage', ...args)) as { total: { costUsd: number } }
  return `$${sums.costUsd.toFixed(2)}`
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
    expect(await shown({})).toBe(cost === undefined ? '' : `today $${cost.toFixed(2)}\n`)
  })

  it('fits into the window, with colours or without', async () => {
    const input = { session_id: SESSION, model: 'a-model', cwd: project }
    expect(await shown(input, { COLUMNS: '9' })).toBe('a-model\n')
    expect(await shown(input, { COLUMNS: '4' })).toBe('a-m…\n')
    const coloured = await shown({ ...input, context_window: { used_percentage: 90 } }, { NO_COLOR: '' })
    expect(coloured).toContain('\u001b[31m')
  })
})
