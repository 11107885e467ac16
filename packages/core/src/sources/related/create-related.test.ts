import { describe, expect, it } from '@jest/globals'
import { createHasher } from '../../node/hasher.ts'
import { createRelatedFiles } from './create-related.ts'
import { createInMemorySources } from './in-memory-sources.fixture.ts'
import type { InMemorySources } from './in-memory-sources.fixture.ts'
import type { RelatedQuery } from './related.ts'

const TEXTS = {
  'README.md': 'How the login limits its rate',
  'src/login/rate-limit.ts': 'export const limitRate = (attempts: number) => attempts > 5',
  'src/login/rate-limit.test.ts': "it('limits', () => expect(limitRate(6)).toBe(true))",
  'src/login/session.ts': 'export class Session { open() { return limitRate(1) } }',
  'src/billing/invoice.ts': 'export function totalOf(rows) { return rows.length }',
  'src/billing/currency.ts': 'export const EURO = "EUR"',
  'lib/theme.py': 'def colours():\n    return []',
}
const over = (sources: InMemorySources) =>
  createRelatedFiles({ access: sources, hasher: createHasher(), clock: { now: () => 1_000_000 } })
const found = async (sources: InMemorySources, query: Omit<RelatedQuery, 'roots'>) =>
  (await over(sources).find({ roots: ['/app'], ...query })).files
const pathsOf = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path)

describe('related files', () => {
  it('are the source files with the words, those that define or are called so first, and say why', async () => {
    const files = await found(createInMemorySources(TEXTS), { text: 'fix(login): limit the rate of attempts (#12)' })
    expect(pathsOf(files).slice(0, 3)).toEqual([
      'src/login/rate-limit.ts',
      'src/login/rate-limit.test.ts',
      'src/login/session.ts',
    ])
    expect(pathsOf(files)).not.toContain('README.md')
    expect(files[0]?.why[0]).toMatch(/^path: .*rate.*; defines .*limit.*; contains .*attempts/)
    const scores = files.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((left, right) => right - left))
  })

  it('are also those that past commits with such a subject changed, under the names that they have now', async () => {
    const sources = createInMemorySources(TEXTS)
    sources.commits = [
      ['Colours of the dark theme', 'lib/theme.py'],
      ['Move the money', 'src/money.ts>src/billing/currency.ts'],
      ['Round in Swiss francs', 'src/money.ts', 'src/billing/invoice.ts'],
    ]
    const files = await found(sources, { text: 'francs are rounded wrongly' })
    expect(pathsOf(files).slice(0, 2).toSorted()).toEqual(['src/billing/currency.ts', 'src/billing/invoice.ts'])
    expect(files[0]?.why.join()).toContain('"Round in Swiss francs"')
  })

  it('say whether any of them has a word of the question, or they were only changed lately', async () => {
    const sources = createInMemorySources(TEXTS)
    sources.commits = [['Round in Swiss francs', 'src/billing/invoice.ts']]
    const related = over(sources)
    const ask = (text: string, file?: string) =>
      related.find({ roots: ['/app'], text, ...(file === undefined ? {} : { file }) })
    const nothing = await ask('zzzqqq')
    expect(nothing.files.length).toBeGreaterThan(0)
    expect(nothing.isMatched).toBe(false)
    expect((await ask('zzzqqq', 'src/login/rate-limit.ts')).isMatched).toBe(true)
    // Of a commit's subject, of a path, of a content.
    for (const text of ['zzzqqq francs', 'theme', 'rate'])
      expect([text, (await ask(text)).isMatched]).toEqual([text, true])
  })

  it('of a known file are its test, and what changed with it, without itself', async () => {
    const sources = createInMemorySources(TEXTS)
    sources.commits = [
      ['Sums', 'src/login/rate-limit.ts', 'lib/theme.py'],
      ['Other', 'src/billing/currency.ts'],
    ]
    const files = await found(sources, { text: 'clean up', file: 'src/login/rate-limit.ts' })
    expect(pathsOf(files).slice(0, 2).toSorted()).toEqual(['lib/theme.py', 'src/login/rate-limit.test.ts'])
    expect(pathsOf(files)).not.toContain('src/login/rate-limit.ts')
    expect(files.flatMap(({ why }) => why)).toContain('changed together with src/login/rate-limit.ts')
    sources.neighbours.set('src/login/rate-limit.ts', ['src/billing/invoice.ts', 'not/there.ts'])
    const imported = await found(sources, { text: 'clean up', file: 'src/login/rate-limit.ts' })
    expect(imported.find(({ path }) => path === 'src/billing/invoice.ts')?.why[0]).toContain('imports')
  })

  it('of a known file have its rare words, however long they are', async () => {
    const sources = createInMemorySources({
      'known.ts': 'ledger reconcile const balance value',
      'alike.ts': 'ledger reconcile const other value',
      'long.ts': `ledger reconcile const value ${Array.from({ length: 20 }, (_, index) => `filler${index}`).join(' ')}`,
      'common.ts': 'const value',
      'none.ts': 'nothing of it',
    })
    const files = await found(sources, { text: 'unrelated', file: 'known.ts' })
    expect(pathsOf(files).slice(0, 3)).toEqual(['alike.ts', 'long.ts', 'common.ts'])
    expect(files[0]?.why).toContain('has words of known.ts')
  })

  it('are moved up where the latest commit changed them, or changed what they change with', async () => {
    const sources = createInMemorySources({
      'a/limit.ts': 'limit',
      'b/limit.ts': 'limit',
      'c/limit.ts': 'limit',
      'd/limit.ts': 'limit',
      'src/now.ts': 'x',
    })
    sources.commits = [
      ['Of now', 'src/now.ts'],
      ['Of one', 'b/limit.ts'],
      ['Both', 'src/now.ts', 'c/limit.ts'],
      ['All', 'a/limit.ts', 'b/limit.ts', 'c/limit.ts', 'd/limit.ts'],
    ]
    const files = await found(sources, { text: 'limit' })
    expect(files[0]?.path).toBe('c/limit.ts')
    expect(files[0]?.why).toContain('changes together with the files of the latest commit')
    expect(files[1]).toMatchObject({ path: 'b/limit.ts', why: expect.arrayContaining(['changed lately']) })
    expect(files.at(-1)?.path).toBe('src/now.ts')
  })

  it('of a known file are those that fit the text before one that only changed with it', async () => {
    const sources = createInMemorySources({
      'known.ts': 'x',
      'src/credit-limit.ts': 'export const creditLimit = 5',
      'src/other.ts': 'y',
    })
    sources.commits = [
      ...Array.from({ length: 9 }, (): [string, string] => ['Something else', 'gone.ts']),
      ['Both', 'known.ts', 'src/other.ts'],
    ]
    const files = await found(sources, { text: 'credit limit', file: 'known.ts' })
    expect(pathsOf(files)).toEqual(['src/credit-limit.ts', 'src/other.ts'])
  })

  it('of a known file are first those that changed with it lately', async () => {
    const sources = createInMemorySources({ 'known.ts': 'x', 'a.ts': 'y', 'b.ts': 'y' })
    sources.commits = [
      ['Alone', 'a.ts'],
      ['Alone', 'a.ts'],
      ['Of now', 'known.ts', 'b.ts'],
      ...Array.from({ length: 200 }, (): [string, string] => ['Something else', 'gone.ts']),
      ['Once', 'known.ts', 'a.ts'],
      ['Again', 'b.ts', 'gone.ts'],
      ['Again', 'b.ts', 'gone.ts'],
    ]
    const files = await found(sources, { text: 'unrelated', file: 'known.ts' })
    expect(files[0]?.path).toBe('b.ts')
    expect(files[0]?.why[0]).toBe('changed together with known.ts')
  })

  it('of a known file are those that use what it defines before those that share another word', async () => {
    const sources = createInMemorySources({
      'known.ts': 'export class Ledger {}\n// about reconciliation',
      'mentions.ts': 'reconciliation of other things',
      'uses.ts': 'new Ledger of other things',
      'none.ts': 'of other things',
    })
    const files = await found(sources, { text: 'unrelated', file: 'known.ts' })
    expect(pathsOf(files).slice(0, 2)).toEqual(['uses.ts', 'mentions.ts'])
  })

  it('are moved up by what sessions used, and by nothing where no session is asked', async () => {
    const sources = createInMemorySources(TEXTS)
    const position = async (sessions?: ReadonlyMap<string, number>) =>
      pathsOf(await found(sources, { text: 'limit', ...(sessions === undefined ? {} : { sessions }) })).indexOf(
        'lib/theme.py',
      )
    expect(await position()).toBe(-1)
    expect(
      await position(
        new Map([
          ['lib/theme.py', 3],
          ['gone.ts', 9],
        ]),
      ),
    ).toBeGreaterThanOrEqual(0)
  })

  it('are first those in the focus where the text fits others as well', async () => {
    const sources = createInMemorySources({
      'src/login/attempt-limit.ts': 'export const limit = 5',
      'src/billing/credit-limit.ts': 'export const limit = 1',
      'src/billing/euro-limit.ts': 'export const euro = "limit"',
      'tests/limit.ts': 'limit(credit, attempts, limit)',
    })
    const best = async (focus: string) => (await found(sources, { text: 'limit', focus }))[0]
    expect((await best('src/login/'))?.path).toBe('src/login/attempt-limit.ts')
    expect((await best('/app/src/billing/euro-limit.ts'))?.path).toBe('src/billing/euro-limit.ts')
    expect((await best('only `src/billing/credit-limit.ts`, please'))?.path).toBe('src/billing/credit-limit.ts')
    expect((await best('tests'))?.path).toBe('tests/limit.ts')
    expect((await best('what has to do with credit'))?.path).toBe('src/billing/credit-limit.ts')
    expect((await best('src/login'))?.why).toContain('in the focus of the project')
    expect((await best('src/gone/'))?.why).not.toContain('in the focus of the project')
  })

  it('are at most so many as asked for', async () => {
    expect(await found(createInMemorySources(TEXTS), { text: 'login rate', limit: 2 })).toHaveLength(2)
  })

  it('say in one sentence what is wrong with a question', async () => {
    await expect(found(createInMemorySources(TEXTS), { text: 'the of and' })).rejects.toThrow('no word to go by')
    await expect(found(createInMemorySources(TEXTS), { text: 'rate', file: 'no.ts' })).rejects.toThrow(
      'no.ts is not among',
    )
  })
})

describe('the index', () => {
  it('is read again by the next process, which reads only what changed', async () => {
    const sources = createInMemorySources(TEXTS)
    const first = await found(sources, { text: 'limit rate' })
    expect(sources.reads.toSorted()).toEqual(
      Object.keys(TEXTS)
        .filter((path) => path !== 'README.md')
        .toSorted(),
    )
    sources.reads.length = 0
    expect(await found(sources, { text: 'limit rate' })).toEqual(first)
    expect(sources.reads).toEqual([])
    sources.texts.set('src/billing/invoice.ts', 'export function limitRateOfInvoices() { return limitRate(2) }')
    expect(pathsOf(await found(sources, { text: 'limit rate' }))).toContain('src/billing/invoice.ts')
    expect(sources.reads).toEqual(['src/billing/invoice.ts'])
  })

  it('is written anew once one in a hundred files is another, and holds the earlier ones then', async () => {
    const sources = createInMemorySources(
      Object.fromEntries(
        Array.from({ length: 250 }, (_, file) => [`src/part-${file}.ts`, `export const part${file} = 1`]),
      ),
    )
    const related = over(sources)
    const ask = () => related.find({ roots: ['/app'], text: 'walrus' })
    await related.index(['/app'])
    const [written] = sources.cached.values()
    for (const file of [1, 2, 3]) {
      sources.texts.set(`src/part-${file}.ts`, `export const walrus${file} = 'walrus'`)
      expect(pathsOf((await ask()).files).slice(0, file)).toContain(`src/part-${file}.ts`)
      expect([...sources.cached.values()].includes(written ?? new Uint8Array())).toBe(file < 3)
    }
    sources.reads.length = 0
    expect(pathsOf(await found(sources, { text: 'walrus' })).slice(0, 3)).toContain('src/part-1.ts')
    expect(sources.reads).toEqual([])
  })

  it('is rebuilt where the cache is damaged or gone', async () => {
    const sources = createInMemorySources(TEXTS)
    const first = await found(sources, { text: 'limit rate' })
    for (const name of sources.cached.keys()) sources.cached.set(name, new Uint8Array([1, 2, 3]))
    expect(await found(sources, { text: 'limit rate' })).toEqual(first)
    sources.cached.clear()
    expect(await found(sources, { text: 'limit rate' })).toEqual(first)
  })

  it('is not waited for where much has to be read: then the files are scanned, with the same files in front', async () => {
    const filler = Object.fromEntries(
      Array.from({ length: 30 }, (_, number) => [
        `src/other/part${number}.ts`,
        `const x${number} = 1\n`.repeat(14_000),
      ]),
    )
    const sources = createInMemorySources({ ...TEXTS, ...filler })
    const related = over(sources)
    const query = { roots: ['/app'], text: 'limiting rates of attempts', limit: 3 }
    const cold = await related.find(query)
    expect([cold.isIndexed, cold.unindexed]).toEqual([false, 36])
    expect(await related.index(['/app'])).toEqual({ files: 36, read: 36 })
    const warm = await related.find(query)
    expect([warm.isIndexed, warm.unindexed]).toEqual([true, 0])
    expect(pathsOf(cold.files)).toEqual(pathsOf(warm.files))
  })
})
