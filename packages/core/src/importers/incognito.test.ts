import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { incognitoLine } from '../incognito/incognito-record.ts'
import { createWorkbench, generic, type Workbench } from '../testing/import-workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

/** Marks sessions as a hook does. */
const mark = (...sessions: readonly string[]): void => {
  bench.write(
    'home/.local/share/cairn/incognito.jsonl',
    sessions.map((session) => incognitoLine({ agent: 'generic', session }, 1)).join(''),
  )
}

const from = (): { readonly from: readonly string[] } => ({ from: [`${bench.folder}/in`] })

describe('an import of a file that holds incognito sessions among others', () => {
  it('imports the others, and counts the lines that it leaves out', async () => {
    mark('hidden', 'also')
    bench.write(
      'in/chat.jsonl',
      [
        generic('before', { session: 'hidden' }),
        generic('one', { session: 'open' }),
        generic('within', { session: 'hidden' }),
        generic('two', { session: 'open' }),
        generic('after', { session: 'also' }),
      ].join('\n') + '\n',
    )
    const report = await bench.import(from())
    expect(report).toMatchObject({ sessions: 1, messages: 2 })
    expect(report.skipped.map(({ reason, count }) => [reason, count])).toEqual([
      ['incognito', 2],
      ['incognito', 1],
    ])
    expect(await bench.texts('generic:open')).toEqual(['one', 'two'])
    expect(await bench.source('generic:open')).toHaveLength(2)
    for (const session of ['generic:hidden', 'generic:also']) {
      expect(await bench.store.sessions.get(session)).toBeUndefined()
      expect(await bench.source(session)).toEqual([])
    }
  })

  it('reports no errors in their lines', async () => {
    mark('hidden')
    bench.write(
      'in/chat.jsonl',
      `${generic('x', { session: 'hidden' })}\n{"session":"hidden","role":"nobody"}\nBROKEN\n`,
    )
    const { skipped } = await bench.import(from())
    expect(skipped.map(({ reason }) => reason)).not.toContain('BROKEN')
    expect(await bench.store.sessions.get('generic:hidden')).toBeUndefined()
  })

  it("rejects where the record exists and can't be read, since any session may then be incognito", async () => {
    bench.write('in/chat.jsonl', `${generic('x')}\n`)
    const readText = (path: string): Promise<string | undefined> =>
      path.endsWith('incognito.jsonl') ? Promise.reject(new Error('EACCES')) : Promise.resolve(undefined)
    await expect(bench.import({ ...from(), fileSystem: { readText } })).rejects.toThrow('EACCES')
    expect(await bench.store.sessions.get('generic:s')).toBeUndefined()
  })
})
