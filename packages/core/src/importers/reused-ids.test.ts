import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { appendFileSync } from 'node:fs'
import { createWorkbench, generic, type Workbench } from '../testing/import-workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const REASON = 'the id "m1" was used before for another message of the session'
const CALL = { role: 'assistant', id: 'c1', tool: { name: 'bash', input: { command: 'ls' } } }

describe('an id that is already in the store', () => {
  it('is reported with its line when another message reuses it, from any file and at any time', async () => {
    const path = bench.write('a.jsonl', `${generic('one', { id: 'm1' })}\n`)
    await bench.import()
    appendFileSync(path, `${generic('two', { id: 'm2' })}\n${generic('changed', { id: 'm1' })}\n`)
    expect(await bench.import()).toMatchObject({
      messages: 1,
      skipped: [{ file: path, line: 3, reason: REASON, count: 1 }],
    })
    const other = bench.write(
      'b.jsonl',
      `${generic('three', { id: 'm3' })}\n${generic('one', { id: 'm1', role: 'assistant' })}\n`,
    )
    expect(await bench.import()).toMatchObject({
      messages: 1,
      skipped: [{ file: other, line: 2, reason: REASON, count: 1 }],
    })
    expect(await bench.texts('generic:s')).toEqual(['one', 'two', 'three'])
    expect(await bench.store.imports.skips()).toMatchObject([
      { file: path, line: 3 },
      { file: other, line: 2 },
    ])
  })

  it('is reported when the file was rewritten with another text', async () => {
    bench.write('a.jsonl', `${generic('one', { id: 'm1' })}\n`)
    await bench.import()
    const path = bench.write('a.jsonl', `${generic('another', { id: 'm1' })}\n`)
    expect(await bench.import()).toMatchObject({ messages: 0, skipped: [{ file: path, line: 1, reason: REASON }] })
  })

  it('may be repeated with the same content, also with secrets and without its own ids', async () => {
    const content = [generic('one SECRET', { id: 'm1' }), generic('ls', CALL), generic('no id'), generic('no id')].join(
      '\n',
    )
    bench.write('a.jsonl', content)
    expect(await bench.import()).toMatchObject({ messages: 4 })
    bench.write('b.jsonl', `${content}\n${generic('more')}`)
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [] })
  })

  it('may be repeated where its tool input was not stored before', async () => {
    await bench.store.imports
      .prepare({
        path: '/old',
        agent: 'generic',
        baseVersion: 0,
        restarted: false,
        sessions: [
          {
            session: { id: 'generic:s', agent: 'generic', externalId: 's' },
            writes: [
              {
                entry: {
                  kind: 'message',
                  id: 'c1',
                  at: null,
                  role: 'assistant',
                  content: [
                    { type: 'text', text: 'ls' },
                    { type: 'other', value: { tool: { name: 'bash' } } },
                  ],
                },
                externalId: 'c1',
              },
            ],
          },
        ],
        source: [],
        skips: [],
        cursor: { identity: '', size: 0, modifiedAt: 0, offset: 0, line: 0, fingerprint: '', parserState: null },
      })
      .commit()
    bench.write('a.jsonl', generic('ls', CALL))
    expect(await bench.import()).toMatchObject({ messages: 0, skipped: [] })
  })
})
