import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'

const UUID = 'ac8aa7b4-319c-4925-a139-4f4adca81921'
const T = 1_755_635_300_000

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const write = (folder: string, task: string, requests = 1): void => {
  const textRow = (ts: number, role: string, text: string) => ({ ts, role, content: [{ type: 'text', text }] })
  const history = [textRow(T, 'user', '<task>\nMend it\n</task>'), textRow(T + 5, 'assistant', 'Mended')]
  const display = Array.from({ length: requests }, (_, index) => ({
    ts: T + 1 + index,
    type: 'say',
    say: 'api_req_started',
    text: JSON.stringify({ tokensIn: 100, tokensOut: 20, cost: 0.5 }),
  }))
  bench.write(`${folder}/tasks/${task}/api_conversation_history.json`, JSON.stringify(history))
  bench.write(`${folder}/tasks/${task}/ui_messages.json`, JSON.stringify(display))
}

const stored = async () => ({
  sessions: (await bench.store.sessions.list({})).sessions.map(({ id }) => id),
  messages: (await bench.store.statistics()).entries,
  requests: (await bench.store.usage.report({ by: 'agent' })).rows.map(({ key, requests }) => `${key} ${requests}`),
})

describe('a task of the Cline family', () => {
  it.each([
    ['cline', 'kilo'],
    ['kilo', 'cline'],
    ['roo', 'kilo'],
    ['cline', 'roo'],
  ])('that is imported as %s and then as %s is counted once, and reported', async (first, second) => {
    write('roo-cline', UUID)
    await bench.import({ agent: first })
    const before = await stored()
    expect(before).toMatchObject({ sessions: [`${first}:${UUID}`], requests: [`${first} 1`] })
    const { skipped, ...counts } = await bench.import({ agent: second })
    expect(counts).toMatchObject({ sessions: 0, messages: 0, requests: 0 })
    expect(skipped.map(({ reason }) => reason)).toEqual(
      Array(2).fill(
        `is in the store as ${first}:${UUID}: it stays there and is counted once, not as a task of ${second}`,
      ),
    )
    expect(await stored()).toEqual(before)
  })

  it('imported as one agent continues there, whatever its folder', async () => {
    write('roo-cline', UUID)
    await bench.import({ agent: 'cline' })
    write('roo-cline', UUID, 3)
    expect(await bench.import()).toMatchObject({
      sessions: 0,
      requests: 2,
      skipped: [{ file: expect.stringContaining('history') }, { file: expect.stringContaining('ui_messages') }],
    })
    expect(await stored()).toMatchObject({ sessions: [`cline:${UUID}`], requests: ['cline 3'] })
    // What has not changed is passed over in silence.
    expect((await bench.import()).skipped).toEqual([])
  })

  it('is recognised in a copy in another folder', async () => {
    write('roo-cline', UUID)
    write('saoudrizwan.claude-dev', UUID)
    const { skipped } = await bench.import()
    expect(skipped.length).toBeGreaterThan(0)
    expect(await stored()).toMatchObject({ sessions: [`roo:${UUID}`], requests: ['roo 1'] })
  })

  it('is distinguished from another one with the same name', async () => {
    write('roo-cline', 'demo')
    write('saoudrizwan.claude-dev', 'demo')
    expect((await bench.import()).skipped).toEqual([])
    expect((await stored()).sessions.sort()).toEqual(['cline:demo', 'roo:demo'])
  })

  it('with a custom name is recognised by its file', async () => {
    write('roo-cline', 'demo')
    await bench.import({ agent: 'cline' })
    await bench.import({ agent: 'kilo' })
    expect(await stored()).toMatchObject({ sessions: ['cline:demo'], requests: ['cline 1'] })
  })
})
