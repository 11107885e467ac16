import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { appendFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { createWorkbench, generic, type Workbench } from '../testing/import-workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const lines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const message = { role: 'user', content: [{ type: 'text', text: 'hi' }] }
const PI_MESSAGE = { type: 'message', id: 'm', timestamp: '2026-01-01T00:00:00Z', message }
const FORMATS: Readonly<Record<string, string>> = {
  'claude-code': lines({ type: 'user', uuid: 'u', sessionId: 's', message: { role: 'user', content: 'hi' } }),
  codex: lines(
    { timestamp: '2026-01-01T00:00:00Z', type: 'session_meta', payload: { id: 's', cwd: '/x' } },
    {
      timestamp: '2026-01-01T00:00:00Z',
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
    },
  ),
  pi: lines({ type: 'session', id: 's', cwd: '/x', timestamp: '2026-01-01T00:00:00Z' }, PI_MESSAGE),
  generic: `${generic('hi')}\n`,
}
const AGENTS = Object.keys(FORMATS)
const WRONG = AGENTS.flatMap((agent) =>
  [...AGENTS, 'cline'].filter((other) => other !== agent).map((other) => [agent, other] as const),
)

describe('an agent that the user named', () => {
  it.each(WRONG)('imports nothing when lines of %s are declared as %s', async (agent, named) => {
    const path = bench.write('chat.jsonl', FORMATS[agent] ?? '')
    expect(await bench.import({ agent: named })).toMatchObject({
      files: 0,
      sessions: 0,
      skipped: [
        {
          file: path,
          reason: `holds nothing of ${named}, but looks like ${agent}; without --agent its format is found out`,
          count: 1,
        },
      ],
    })
    expect((await bench.store.sessions.list({})).sessions).toEqual([])
    expect(await bench.store.imports.files()).toEqual([])
    expect(await bench.import()).toMatchObject({ files: 1, sessions: 1, messages: 1, skipped: [] })
  })

  it.each(WRONG)('does not affect earlier imports: %s as %s', async (agent, named) => {
    const path = bench.write('chat.jsonl', `${FORMATS[agent] ?? ''}not JSON\n`)
    const first = await bench.import()
    const known = [await bench.store.imports.files(), await bench.store.imports.skips()]
    expect(first.skipped).toMatchObject([{ file: path, reason: 'not valid JSON' }])
    await bench.import({ agent: named })
    expect([await bench.store.imports.files(), await bench.store.imports.skips()]).toEqual(known)
  })

  it('is accepted where only a later line shows the agent, as in a file without its beginning', async () => {
    const damaged = 'not JSON\n'.repeat(30)
    bench.write(
      'cut.jsonl.gz',
      gzipSync(`${damaged}${JSON.stringify({ type: 'label' })}\n${JSON.stringify(PI_MESSAGE)}\n`),
    )
    const { messages, skipped } = await bench.import({ agent: 'pi' })
    expect(messages).toBe(1)
    expect(skipped.reduce((sum, { count }) => sum + count, 0)).toBe(30)
  })

  it('is accepted again for an unchanged file, which is not opened', async () => {
    const path = bench.write('cut.jsonl', lines(PI_MESSAGE))
    expect(await bench.import({ agent: 'pi' })).toMatchObject({ messages: 1 })
    bench.opened.length = 0
    expect(await bench.import({ agent: 'pi' })).toMatchObject({ files: 0, skipped: [] })
    expect(bench.opened).toEqual([])
    appendFileSync(path, lines({ ...PI_MESSAGE, id: 'n' }))
    expect(await bench.import()).toMatchObject({ messages: 1 })
  })

  it('reports what is wrong with the lines of a file in no known format', async () => {
    const path = bench.write(
      'chat.jsonl',
      lines({ session: 's', role: 'user' }, { session: 's', role: 'user' }, { role: 'user', text: 'x' }),
    )
    expect((await bench.import({ agent: 'generic' })).skipped).toEqual([
      { file: path, reason: 'holds nothing of generic', count: 1 },
      { file: path, line: 1, reason: '"text" is missing', count: 1 },
      { file: path, line: 2, reason: '"text" is missing', count: 1 },
      { file: path, line: 3, reason: '"session" is missing', count: 1 },
    ])
    expect(await bench.store.imports.files()).toEqual([])
    expect((await bench.import({ agent: 'pi' })).skipped).toEqual([
      { file: path, reason: 'holds nothing of pi', count: 1 },
    ])
    expect((await bench.store.sessions.list({})).sessions).toEqual([])
  })
})
