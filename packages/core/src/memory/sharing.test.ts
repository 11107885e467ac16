import { describe, expect, it } from '@jest/globals'
import { createHasher } from '../node/index.ts'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
} from '../testing/index.ts'
import { createMemory } from './create-memory.ts'
import type { Memory } from './memory.ts'
import { WORKSPACE } from './memory-entry.fixture.ts'

let people = 0

/** A person with a store and a clock of their own. */
const person = () => {
  const clock = createTestClock()
  const storage = createInMemoryStore().memory
  people += 1
  const memory = createMemory({
    storage,
    clock,
    ids: createSequentialIds(`p${people}`),
    hasher: createHasher(),
    fileSystem: createInMemoryFileSystem(),
    timeZone: 'UTC',
  })
  const add = (text: string, workspace = WORKSPACE) => memory.add({ workspace, kind: 'discovery', text })
  return { memory, storage, clock, add }
}

const texts = async (memory: Memory, workspace = WORKSPACE): Promise<readonly string[]> =>
  (await memory.list(workspace)).map(({ text }) => text).sort()

const NOTHING = { added: 0, updated: 0, skipped: [] }

describe('importText', () => {
  it("imports another store's export once", async () => {
    const [a, b] = [person(), person()]
    await a.add('The tests need Redis')
    await a.add('The build needs Node 24')
    const file = await a.memory.exportText(WORKSPACE)
    expect(await b.memory.importText(WORKSPACE, file)).toEqual({ ...NOTHING, added: 2, unchanged: 0 })
    b.clock.advance(1000)
    expect(await b.memory.importText(WORKSPACE, file)).toEqual({ ...NOTHING, unchanged: 2 })
    expect(await b.memory.exportText(WORKSPACE)).toBe(file)
  })

  it('keeps the newer version in either direction, and the older one in the history', async () => {
    const [a, b] = [person(), person()]
    const { entry } = await a.add('The tests need Redis 7')
    const before = await a.memory.exportText(WORKSPACE)
    await b.memory.importText(WORKSPACE, before)
    b.clock.advance(60_000)
    await b.memory.update(entry.id, { text: 'The tests need Redis 8' })
    const after = await b.memory.exportText(WORKSPACE)
    a.clock.advance(120_000)
    expect(await a.memory.importText(WORKSPACE, after)).toEqual({ ...NOTHING, updated: 1, unchanged: 0 })
    expect(await texts(a.memory)).toEqual(['The tests need Redis 8'])
    expect(await a.memory.history(entry.id)).toHaveLength(2)
    expect(await a.memory.importText(WORKSPACE, before)).toEqual({ ...NOTHING, unchanged: 1 })
    expect(await b.memory.importText(WORKSPACE, before)).toEqual({ ...NOTHING, unchanged: 1 })
    expect(await a.memory.exportText(WORKSPACE)).toBe(after)
  })

  it("keeps its own version where the file's was confirmed earlier", async () => {
    const [a, b] = [person(), person()]
    const { entry } = await a.add('The tests need Redis 7')
    await b.memory.importText(WORKSPACE, await a.memory.exportText(WORKSPACE))
    b.clock.advance(1000)
    await b.memory.update(entry.id, { text: 'The tests need Redis 8' })
    a.clock.advance(2000)
    await a.memory.update(entry.id, { text: 'The tests need Redis 9' })
    expect(await a.memory.importText(WORKSPACE, await b.memory.exportText(WORKSPACE))).toEqual({
      ...NOTHING,
      unchanged: 1,
    })
    b.clock.advance(2000)
    await b.memory.importText(WORKSPACE, await a.memory.exportText(WORKSPACE))
    expect([await texts(a.memory), await texts(b.memory)]).toEqual([
      ['The tests need Redis 9'],
      ['The tests need Redis 9'],
    ])
  })

  it('imports a manual edit of the file', async () => {
    const a = person()
    const { entry } = await a.add('The tests need Redis 7')
    const file = await a.memory.exportText(WORKSPACE)
    const edited = file.replace('Redis 7', 'Redis 8')
    expect(await a.memory.importText(WORKSPACE, edited)).toMatchObject({ updated: 1 })
    expect(await a.memory.importText(WORKSPACE, edited)).toEqual({ ...NOTHING, unchanged: 1 })
    expect((await a.memory.get(entry.id)).text).toBe('The tests need Redis 8')
    // The file of before is a version that is known: it does not undo the edit.
    expect(await a.memory.importText(WORKSPACE, file)).toEqual({ ...NOTHING, unchanged: 1 })
  })

  it('resolves a conflict with two versions of an entry the same in either order, and again', async () => {
    const origin = person()
    await origin.add('Port 1')
    const file = await origin.memory.exportText(WORKSPACE)
    const line = file.split('\n').find((each) => each.startsWith('- ')) ?? ''
    const sides = [line.replace('Port 1', 'Port 2'), line.replace('Port 1', 'Port 3')]
    const conflict = (first = '', second = ''): string =>
      file.replace(line, ['<<<<<<< HEAD', first, '=======', second, '>>>>>>> b'].join('\n'))
    const results: (readonly string[])[] = []
    for (const [first, second] of [sides, sides.toReversed()]) {
      const taker = person()
      await taker.memory.importText(WORKSPACE, file)
      const report = await taker.memory.importText(WORKSPACE, conflict(first, second))
      expect(report).toMatchObject({
        updated: 1,
        skipped: expect.arrayContaining([
          expect.objectContaining({ reason: expect.stringContaining('newer version') }),
        ]),
      })
      expect(await taker.memory.importText(WORKSPACE, conflict(first, second))).toMatchObject({
        added: 0,
        updated: 0,
        unchanged: 1,
      })
      results.push(await texts(taker.memory))
    }
    expect(results[0]).toEqual(results[1])
  })

  it('does not duplicate an entry with the same words under another id', async () => {
    const [a, b] = [person(), person()]
    await a.add('The tests need Redis.')
    await b.add('the tests need  redis')
    const { entry } = await a.add('YAML not JSON')
    await b.add('JSON not YAML')
    await a.memory.confirm(entry.id)
    expect(await b.memory.importText(WORKSPACE, await a.memory.exportText(WORKSPACE))).toMatchObject({
      added: 1,
      updated: 0,
      unchanged: 1,
    })
    expect(await texts(b.memory)).toEqual(['JSON not YAML', 'YAML not JSON', 'the tests need  redis'])
  })

  it('does not restore a forgotten entry, unless it was confirmed since', async () => {
    const [a, b] = [person(), person()]
    const { entry } = await a.add('The tests need Redis')
    const file = await a.memory.exportText(WORKSPACE)
    await b.memory.importText(WORKSPACE, file)
    b.clock.advance(1000)
    await b.memory.forget(entry.id)
    expect(await b.memory.importText(WORKSPACE, file)).toEqual({ ...NOTHING, unchanged: 1 })
    a.clock.advance(2000)
    await a.memory.confirm(entry.id)
    b.clock.advance(5000)
    expect(await b.memory.importText(WORKSPACE, await a.memory.exportText(WORKSPACE))).toMatchObject({ added: 1 })
    expect(await texts(b.memory)).toEqual(['The tests need Redis'])
  })

  it('serves a second checkout in the same store without touching the first', async () => {
    const a = person()
    const { entry } = await a.add('The tests need Redis')
    const file = await a.memory.exportText(WORKSPACE)
    expect(await a.memory.importText('/code/app-2', file)).toMatchObject({ added: 1 })
    expect(await a.memory.importText('/code/app-2', file)).toEqual({ ...NOTHING, unchanged: 1 })
    expect(await texts(a.memory, '/code/app-2')).toEqual(['The tests need Redis'])
    expect((await a.memory.get(entry.id)).workspace).toBe(WORKSPACE)
    await a.memory.update(entry.id, { text: 'The tests need Valkey' })
    expect(await a.memory.importText('/code/app-2', await a.memory.exportText(WORKSPACE))).toMatchObject({
      added: 0,
      updated: 1,
    })
  })

  it('redacts secrets, keeps relative dates, and names what it refuses', async () => {
    const a = person()
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const future = JSON.stringify({
      id: 'f',
      confidence: 1,
      seen: '2030-01-01T00:00:00Z',
      confirmed: '2030-01-01T00:00:00Z',
    })
    const file = [
      `- discovery: use ${secret} since yesterday`,
      `- discovery: ${'x'.repeat(20_001)}`,
      `- discovery: soon <!-- ${future} -->`,
    ].join('\n')
    const report = await a.memory.importText(WORKSPACE, file)
    expect(report).toMatchObject({
      added: 1,
      skipped: [
        { line: 2, reason: expect.stringContaining('20,000') },
        { line: 3, reason: '"soon": its time, 2030-01-01, lies in the future' },
      ],
    })
    expect(await texts(a.memory)).toEqual(['use [redacted:github-token] since yesterday'])
    expect(await a.memory.importText(WORKSPACE, file)).toMatchObject({ added: 0, updated: 0, unchanged: 1 })
  })

  it('reports on a dry run what it would import, and imports nothing', async () => {
    const [a, b] = [person(), person()]
    await a.add('The tests need Redis')
    const file = await a.memory.exportText(WORKSPACE)
    expect(await b.memory.importText(WORKSPACE, file, undefined, { dryRun: true })).toEqual({
      ...NOTHING,
      added: 1,
      unchanged: 0,
    })
    expect(await texts(b.memory)).toEqual([])
  })

  it("names the refused item of CLIO's memory", async () => {
    const file = JSON.stringify({
      patterns: { discoveries: [{ fact: 'x'.repeat(20_001) }, { fact: 'soon', timestamp: 1_900_000_000 }, {}] },
    })
    const { skipped } = await person().memory.importText(WORKSPACE, file)
    expect(skipped.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^discoveries\[2\] can't be read/),
      expect.stringMatching(/^discoveries\[0\]: "x{59}…": its text/),
      expect.stringMatching(/^discoveries\[1\]: "soon": its time, 2030-03-17, lies/),
    ])
  })

  it('says what a line lacks to be an entry', async () => {
    const { skipped } = await person().memory.importText(WORKSPACE, '- discovery: a\n- plain text\nProse\n- fact: b\n')
    expect(skipped.map(({ reason }) => reason)).toEqual([
      'it is not an entry: one looks like `- discovery: plain text`',
      'it is not an entry: one looks like `- discovery: Tests need Redis`',
      expect.stringMatching(/^'fact' is not a kind of entry: use discovery, /),
    ])
  })

  it('refuses a file of another format in one sentence', async () => {
    const { memory } = person()
    await expect(memory.importText(WORKSPACE, '# My readme\nhello\n')).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/no memory file/),
    })
    await expect(memory.importText(WORKSPACE, '{"a": 1}')).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await memory.importText(WORKSPACE, await memory.exportText(WORKSPACE))).toEqual({ ...NOTHING, unchanged: 0 })
  })
})
