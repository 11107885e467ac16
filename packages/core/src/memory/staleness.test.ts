import { describe, expect, it } from '@jest/globals'
import { createHasher } from '../node/index.ts'
import { createInMemoryFileSystem, createInMemoryStore, createTestClock } from '../testing/index.ts'
import type { InMemoryFileSystem } from '../testing/index.ts'
import type { MemoryEntry } from '../ports/memory-storage.ts'
import type { StalenessReport } from './memory.ts'
import { WORKSPACE, memoryEntry } from './memory-entry.fixture.ts'
import { parseCitation, citationText, withFingerprints } from './staleness-citation.ts'
import { checkStaleness } from './staleness.ts'

const SOURCE = [
  'import { redis } from "redis"',
  '',
  'export const connect = () => redis("localhost")',
  'export const close = () => undefined',
  '',
].join('\n')

const setUp = async (
  examples: readonly string[],
  files: Readonly<Record<string, string>> = { [`${WORKSPACE}/src/db.ts`]: SOURCE },
  stamped = true,
) => {
  const store = createInMemoryStore()
  const fileSystem = createInMemoryFileSystem(files)
  const hasher = createHasher()
  const clock = createTestClock(1000)
  const seen = stamped ? await withFingerprints(examples, WORKSPACE, fileSystem, hasher) : examples
  await store.memory.change(WORKSPACE, 1000, () => ({
    writes: [{ op: 'put', entry: memoryEntry({ examples: seen }) }],
    result: undefined,
  }))
  const check = async (options?: { readonly dryRun?: boolean }): Promise<StalenessReport> => {
    clock.advance(1000)
    return checkStaleness({ storage: store.memory, fileSystem, hasher, clock }, WORKSPACE, WORKSPACE, options)
  }
  const entry = async (): Promise<MemoryEntry | undefined> => store.memory.get('entry-1')
  const versions = async (): Promise<number> => (await store.memory.history('entry-1')).length
  return { fileSystem, check, entry, versions }
}

const edit = (fileSystem: InMemoryFileSystem, change: (source: string) => string): void =>
  fileSystem.write(`${WORKSPACE}/src/db.ts`, change(SOURCE))

describe('citations', () => {
  it.each([
    ['src/a.ts:3', { path: 'src/a.ts', from: 3, to: 3 }],
    ['src/a b.ts:3-12', { path: 'src/a b.ts', from: 3, to: 12 }],
    ['C:\\app\\a.ts:7', { path: 'C:\\app\\a.ts', from: 7, to: 7 }],
    ['Makefile.am:3@0a1b2c3d!', { path: 'Makefile.am', from: 3, to: 3, fingerprint: '0a1b2c3d', isMissing: true }],
    [
      'src/a.ts:3@0a1b2c3d~2026-01-31',
      { path: 'src/a.ts', fingerprint: '0a1b2c3d', isMissing: false, changedOn: '2026-01-31' },
    ],
  ])('%s is a citation', (example, citation) => expect(parseCitation(example)).toMatchObject(citation))

  it.each(['src/a.ts', 'http://localhost:8080', 'a ratio of 3:4', 'src/a.ts:5-3', 'src/a.ts:0', ''])(
    '%j is not',
    (example) => expect(parseCitation(example)).toBeUndefined(),
  )

  it('are shown without their fingerprint', () => {
    expect(['src/a.ts:3-5@0a1b2c3d!~2026-01-31', 'src/a.ts:3', 'a text @0a1b2c3d'].map(citationText)).toEqual([
      'src/a.ts:3-5',
      'src/a.ts:3',
      'a text @0a1b2c3d',
    ])
  })
})

describe('checkStaleness', () => {
  it('finds unchanged lines, and writes nothing', async () => {
    const { check, versions } = await setUp(['src/db.ts:3', 'a text'])
    expect((await check()).checked.map(({ verdict }) => verdict)).toEqual(['current'])
    expect(await versions()).toBe(1)
  })

  it('follows lines that moved, also into an indented block, as a new version of the entry', async () => {
    const { fileSystem, check, entry, versions } = await setUp(['src/db.ts:3-4'])
    edit(fileSystem, (source) => `// licence\nnamespace db {\n${source.replaceAll(/^/gm, '  ')}}`)
    const report = await check()
    expect(report).toMatchObject({
      checked: [{ verdict: 'moved', detail: 'the lines are now at 5-6' }],
      changed: ['entry-1'],
    })
    expect((await entry())?.examples.map(citationText)).toEqual(['src/db.ts:5-6'])
    expect((await entry())?.confidence).toBe(0.8)
    expect((await check()).checked[0]?.verdict).toBe('current')
    expect(await versions()).toBe(2)
  })

  it('lowers the confidence once per change, not at every check, nor for further changes of unconfirmed lines', async () => {
    const { fileSystem, check, entry, versions } = await setUp(['src/db.ts:3', 'src/db.ts:4'])
    edit(fileSystem, (source) => source.replaceAll('redis("localhost")', 'sqlite()').replace('undefined', 'null'))
    expect((await check()).checked.map(({ verdict }) => verdict)).toEqual(['changed', 'changed'])
    expect((await entry())?.confidence).toBe(0.64)
    for (let again = 0; again < 3; again++) expect((await check()).changed).toEqual([])
    expect((await entry())?.confidence).toBe(0.64)
    expect(await versions()).toBe(2)
    edit(fileSystem, (source) => source.replace('redis("localhost")', 'postgres()'))
    await check()
    expect((await entry())?.confidence).toBe(0.64)
  })

  it('recognises lines that were restored', async () => {
    const { fileSystem, check, entry } = await setUp(['src/db.ts:3'])
    edit(fileSystem, (source) => source.replace('redis("localhost")', 'sqlite()'))
    await check()
    fileSystem.remove(`${WORKSPACE}/src/db.ts`)
    fileSystem.write(`${WORKSPACE}/other.ts`, '')
    expect((await check()).checked[0]?.verdict).toBe('missing')
    expect((await entry())?.confidence).toBe(0.64)
    edit(fileSystem, (source) => source)
    expect((await check()).checked[0]?.verdict).toBe('current')
    edit(fileSystem, () => 'x\ny\nz\n')
    expect((await check()).checked[0]).toMatchObject({ verdict: 'changed', detail: 'the lines say something else now' })
  })

  it('reports a missing or truncated file once, and recognises it when it is back', async () => {
    const { fileSystem, check, entry, versions } = await setUp(['src/db.ts:4'])
    edit(fileSystem, () => 'export {}\n')
    expect((await check()).checked[0]).toMatchObject({ verdict: 'missing', detail: 'the file ends at line 1' })
    fileSystem.remove(`${WORKSPACE}/src/db.ts`)
    fileSystem.write(`${WORKSPACE}/other.ts`, '')
    expect((await check()).checked[0]).toMatchObject({ verdict: 'missing', detail: 'the file is not there' })
    expect((await entry())?.confidence).toBe(0.56)
    edit(fileSystem, (source) => source)
    expect((await check()).checked[0]?.verdict).toBe('current')
    expect((await entry())?.confidence).toBe(0.56)
    expect(await versions()).toBe(3)
  })

  it('records a fingerprint at the first check, and does not report lines that never existed', async () => {
    const { check, entry } = await setUp(['src/db.ts:3', 'src/gone.ts:1', 'src/db.ts:99'], undefined, false)
    const report = await check()
    expect(report.checked.map(({ verdict }) => verdict)).toEqual(['unchecked', 'missing', 'missing'])
    expect(report.changed).toEqual([])
    expect(await entry()).toMatchObject({
      confidence: 0.8,
      examples: [expect.stringMatching(/^src\/db\.ts:3@[0-9a-f]{8}$/), 'src/gone.ts:1', 'src/db.ts:99'],
    })
    expect((await check()).checked[0]?.verdict).toBe('current')
  })

  it('does not match a lone brace at another position', async () => {
    const { fileSystem, check } = await setUp(['src/x.ts:2'], { [`${WORKSPACE}/src/x.ts`]: 'a {\n}\nb {\n}\n' })
    fileSystem.write(`${WORKSPACE}/src/x.ts`, 'a {\n  1\nb {\n}\n')
    expect((await check()).checked[0]?.verdict).toBe('changed')
  })

  it('reports on a dry run what it would do, without doing it', async () => {
    const { fileSystem, check, versions } = await setUp(['src/db.ts:3'])
    edit(fileSystem, () => 'x\ny\nz\n')
    expect(await check({ dryRun: true })).toMatchObject({ checked: [{ verdict: 'changed' }], changed: ['entry-1'] })
    expect(await versions()).toBe(1)
  })

  it.each([
    '../secret.txt:1',
    'src/../../secret.txt:1',
    '/code/secret.txt:1',
    '/code/app-2/x.ts:1',
    'out/secret.txt:1',
    'link.txt:1',
  ])('reads nothing outside the folder: %s', async (example) => {
    const { fileSystem, check, entry } = await setUp([example], {
      '/code/secret.txt': 'password of the user',
      '/code/app-2/x.ts': 'a\n',
      [`${WORKSPACE}/a.ts`]: 'a\n',
    })
    fileSystem.link(`${WORKSPACE}/out`, '/code')
    fileSystem.link(`${WORKSPACE}/link.txt`, '/code/secret.txt')
    expect((await check()).checked).toMatchObject([
      { verdict: 'unchecked', detail: expect.stringMatching(/outside|leads out/) },
    ])
    expect((await entry())?.examples).toEqual([example])
  })

  it('follows links and absolute paths that stay inside', async () => {
    const { fileSystem, check } = await setUp([`${WORKSPACE}/src/db.ts:3`, 'lib/db.ts:3'], undefined, false)
    fileSystem.link(`${WORKSPACE}/lib`, `${WORKSPACE}/src`)
    await check()
    expect((await check()).checked.map(({ verdict }) => verdict)).toEqual(['current', 'current'])
  })

  it('refuses a missing folder: all citations would seem lost', async () => {
    const store = createInMemoryStore()
    const deps = {
      storage: store.memory,
      fileSystem: createInMemoryFileSystem(),
      hasher: createHasher(),
      clock: createTestClock(0),
    }
    await expect(checkStaleness(deps, WORKSPACE, '/nowhere')).rejects.toMatchObject({ code: 'not-found' })
  })
})
