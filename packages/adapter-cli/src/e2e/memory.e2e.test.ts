/** `cairn memory` as processes: shapes of JSON, what people see, exit codes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { textWidth } from '../terminal/text-width.ts'
import { createMemorySandbox } from '../testing/memory-sandbox.ts'
import type { Entry } from '../testing/memory-sandbox.ts'

const { box, memory, json, add, list, importSession } = createMemorySandbox()
const ENTRY_FIELDS = [
  'id',
  'workspace',
  'kind',
  'text',
  'confidence',
  'examples',
  'sessionId',
  'messageId',
  'commit',
  'source',
  'firstSeenAt',
  'lastConfirmedAt',
  'applications',
  'confirmations',
  'contradictions',
]
const ESCAPES = '\u001b[2J\u001b]0;owned\u0007'

beforeAll(importSession)

afterAll(() => box.remove())

describe('memory add, list and search', () => {
  it('adds an entry to the project that the command runs in', async () => {
    const added = (await json(
      'add',
      'discovery',
      'The API tests need Redis on port 6380',
      '--example',
      'src/api.test.ts:12',
      '--example',
      'compose.yaml:3',
      '--session',
      'alpha-1',
      '--commit',
      '1a2b3c4',
    )) as { readonly entry: Entry }
    expect(added).toMatchObject({
      outcome: 'added',
      redactions: 0,
      entry: {
        kind: 'discovery',
        text: 'The API tests need Redis on port 6380',
        confidence: 0.8,
        examples: ['src/api.test.ts:12', 'compose.yaml:3'],
        sessionId: 'claude-code:alpha-1',
        messageId: null,
        commit: '1a2b3c4',
        source: 'user',
        applications: 0,
      },
    })
    expect(Object.keys(added.entry).toSorted()).toEqual(ENTRY_FIELDS.toSorted())
    expect(added.entry.workspace).toContain(box.folder.split('/').at(-1))
    expect(await json('list')).toEqual({ workspace: added.entry.workspace, entries: [added.entry] })
  })

  it('confirms an entry that exists instead of adding it twice', async () => {
    const before = (await list()).length
    expect(await json('add', 'discovery', 'the api tests need redis, on port 6380')).toMatchObject({
      outcome: 'confirmed',
    })
    expect(await list()).toHaveLength(before)
  })

  it('lists by kind, of a project by its path or its name, and nothing of others', async () => {
    const solution = await add(
      'solution',
      'Raise ulimit before the e2e suite',
      '--workspace',
      '/code/app',
      '--confidence',
      '0.95',
    )
    expect(solution).toMatchObject({ workspace: '/code/app', confidence: 0.95 })
    expect(await list('--workspace', 'app')).toEqual([solution])
    expect(await list('--workspace', '/code/app', '--kind', 'discovery')).toEqual([])
    expect((await list()).map(({ kind }) => kind)).toEqual(['discovery'])
  })

  it('searches by stems, and marks only words that match', async () => {
    const found = (await json('search', 'testing', 'redis')) as {
      readonly results: readonly (Entry & { readonly score: number })[]
    }
    expect(found).toMatchObject({ query: 'testing redis', results: [{ kind: 'discovery' }] })
    expect(found.results[0]?.score).toBeGreaterThan(0)
    expect(await json('search', 'kubernetes')).toMatchObject({ results: [] })
    expect((await memory('search', 'kubernetes')).stdout).toBe('Total: nothing was found.\n')
  })

  it('prints within 80 columns, neutralised, with a total', async () => {
    const own = ['--store', 'file:nasty.db']
    await box.cairn(
      'memory',
      'add',
      'failure',
      `Look ${ESCAPES} ${'日本語のとても長い'.repeat(20)} ${'x'.repeat(200)}`,
      '--example',
      `${'deep/'.repeat(40)}file.ts:1`,
      ...own,
    )
    const { code, stdout } = await box.cairn('memory', 'list', ...own)
    expect(code).toBe(0)
    expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])
    // eslint-disable-next-line no-control-regex -- what must not be there
    expect(stdout).not.toMatch(/[\u001b\u0007]/)
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Total: 1 entry of .*70 % sure$/)
  })

  it('replaces secrets before anything is stored', async () => {
    const { stdout } = await box.cairn(
      'memory',
      'add',
      'discovery',
      'The database is postgres://cairn:hunter2secret@db/x',
      '--store',
      'file:secret.db',
    )
    expect(stdout).toContain('1 secret was replaced first.')
    expect((await box.cairn('memory', 'export', '--store', 'file:secret.db')).stdout).not.toContain('hunter2secret')
  })
})

describe('memory of an entry', () => {
  it('is confirmed, contradicted, updated and forgotten by the shown id, whatever is added; every version stays', async () => {
    const { id } = await add('pattern', 'Errors are Result values')
    const { stdout } = await memory('list', '--kind', 'pattern')
    const short = stdout.split(' ')[0] ?? ''
    expect(id.endsWith(short)).toBe(true)
    expect(short).toHaveLength(8)
    for (const text of ['Made right after', 'And one more']) await json('forget', (await add('pattern', text)).id)
    expect(await json('confirm', short.toLowerCase(), '--applied')).toMatchObject({
      entry: { id, applications: 1, confirmations: 1 },
    })
    const { entry } = (await json('contradict', short)) as { readonly entry: Entry }
    expect(entry.confidence).toBeLessThan(0.8)
    expect(
      await json(
        'update',
        short,
        '--text',
        'Errors are Results',
        '--kind',
        'workflow',
        '--confidence',
        '0.5',
        '--example',
        'src/result.ts:1',
      ),
    ).toMatchObject({
      entry: { id, text: 'Errors are Results', kind: 'workflow', confidence: 0.5, examples: ['src/result.ts:1'] },
    })
    expect(await json('show', short)).toMatchObject({ entry: { id, text: 'Errors are Results' } })
    expect(await json('forget', short)).toMatchObject({ entry: { id } })
    expect((await list()).some((each) => each.id === id)).toBe(false)
    const { versions } = (await json('history', short)) as {
      readonly versions: readonly {
        readonly entry: Entry
        readonly validTo: number | null
        readonly ended: string | null
      }[]
    }
    expect(versions.length).toBeGreaterThanOrEqual(4)
    expect(versions.at(-1)).toMatchObject({ ended: 'forgotten', entry: { text: 'Errors are Results' } })
    const { stdout: history } = await memory('history', short)
    expect(history).toMatch(/then forgotten[\s\S]*\nTotal: \d versions\n$/)
  })

  it('can be listed as of an earlier time', async () => {
    const { id } = await add('failure', 'Node 20 has no execve')
    const then = new Date().toISOString()
    await json('forget', id)
    expect((await list('--as-of', then)).map((each) => each.id)).toContain(id)
    expect((await list()).map((each) => each.id)).not.toContain(id)
  })

  it('is replaced when contradicted with a replacement', async () => {
    const former = await add('workflow', 'Deploy with make ship')
    expect(await json('contradict', former.id, '--replacement', 'Deploy with npm run ship')).toMatchObject({
      entry: { text: 'Deploy with npm run ship' },
    })
    const texts = (await list()).map(({ text }) => text)
    expect(texts).toContain('Deploy with npm run ship')
    expect(texts).not.toContain('Deploy with make ship')
    const { ended } = (await json('list', '--ended', '--kind', 'workflow')) as {
      readonly ended: readonly { readonly entry: Entry; readonly ended: string; readonly replacedBy: string | null }[]
    }
    const next = (await list()).find(({ text }) => text === 'Deploy with npm run ship')
    expect(ended[0]).toMatchObject({ entry: { id: former.id }, ended: 'superseded', replacedBy: next?.id })
    expect(ended.every(({ entry }) => entry.kind === 'workflow')).toBe(true)
    const { stdout } = await memory('list', '--ended', '--limit', '1')
    expect(stdout).toMatch(
      /, then replaced by \w{8}\n[^]*recorded [^]*Deploy with make ship[^]*\nTotal: \d+ ended entries of /,
    )
    expect(await memory('list', '--ended', '--as-of', '2026-01-01')).toMatchObject({ code: 2 })
  })

  it('is refused when the id is unknown or ambiguous', async () => {
    for (const args of [
      ['confirm', 'zzzzzzzz'],
      ['contradict', 'zzzzzzzz'],
      ['update', 'zzzzzzzz', '--text', 'x'],
      ['forget', 'zzzzzzzz'],
      ['history', 'zzzzzzzz'],
      ['show', 'zzzzzzzz'],
    ]) {
      const { code, stderr, stdout } = await memory(...args, '--json')
      expect({ args, code }).toEqual({ args, code: 1 })
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'not-found' } })
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
    const [first, second] = await list()
    let shared = 0
    while (first?.id[shared] === second?.id[shared]) shared++
    const { code, stdout } = await memory('confirm', first?.id.slice(0, shared) ?? '', '--json')
    expect({ code, error: (JSON.parse(stdout) as { readonly error: { readonly code: string } }).error.code }).toEqual({
      code: 2,
      error: 'ambiguous',
    })
  })
})

describe('an entry of a repository', () => {
  const git = (...args: readonly string[]): string =>
    spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
      cwd: join(box.folder, 'repo'),
      encoding: 'utf8',
    }).stdout.trim()

  it('keeps the commit it was learnt at', async () => {
    box.file('repo/a.txt', 'a\n')
    git('init', '-q')
    const own = ['--workspace', 'repo', '--store', 'file:repo.db']
    expect(await box.json('memory', 'add', 'discovery', 'Before the first commit', ...own)).toMatchObject({
      entry: { commit: null },
    })
    git('commit', '-q', '--allow-empty', '-m', 'first')
    expect(await box.json('memory', 'add', 'discovery', 'After it', ...own)).toMatchObject({
      entry: { commit: git('rev-parse', 'HEAD') },
    })
    expect(await box.json('memory', 'add', 'discovery', 'With a commit', '--commit', 'ABCDEF0', ...own)).toMatchObject({
      entry: { commit: 'abcdef0' },
    })
  })
})

describe('the output about an entry', () => {
  it('names its project if that is another one', async () => {
    const { id } = await add('solution', 'Restart the proxy', '--workspace', '/code/app')
    expect((await memory('confirm', id)).stdout).toMatch(
      /^Confirmed\. It is an entry of the project app \(\/code\/app\)\.\n\S{8} {2}project app · solution/,
    )
    expect((await memory('forget', id)).stdout).toMatch(
      /^Forgotten; its history stays\. It is an entry of the project app/,
    )
  })

  it('reports that secrets were replaced by an update', async () => {
    const { id } = await add('solution', 'Log in')
    expect((await memory('update', id, '--text', 'Log in with password=hunter2hunter2')).stdout).toMatch(
      /^Changed; .* 1 secret was replaced first\./,
    )
    await json('forget', id)
  })

  it('fits 80 columns in its history, however it ended', async () => {
    const { id } = await add('workflow', 'Ship with make')
    await memory('contradict', id, '--replacement', 'Ship with npm')
    const { stdout } = await memory('history', id)
    expect(stdout).toMatch(/then replaced by \S{8}\n/)
    expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])
  })

  it('leads in the history from an entry to what it replaced, and back', async () => {
    const { id } = await add('workflow', 'Release with a script')
    await memory('contradict', id, '--replacement', 'Release with a\ntag')
    const next = (await list()).find(({ text }) => text === 'Release with a\ntag')?.id ?? ''
    expect(await json('history', next)).toMatchObject({
      replaces: [{ id, text: 'Release with a script', ended: 'superseded' }],
    })
    expect((await memory('history', next)).stdout).toContain(
      `\nReplaces ${id.slice(-8)}: Release with a script\n\nTotal: 1 version\n`,
    )
    expect((await memory('history', id)).stdout).toContain(`then replaced by ${next.slice(-8)}\n`)
    expect(await json('history', id)).toMatchObject({ replaces: [] })
  })

  it('lists entries without a subcommand, with a limit', async () => {
    expect(await json()).toEqual(await json('list'))
    expect(await list('--limit', '1')).toHaveLength(1)
    expect((await memory('list', '--limit', '1')).stdout).toMatch(
      /Total: \d+ entries of [\s\S]*; the last 1\s+are shown\n$|Total: [\s\S]*the last 1 are\s+shown\n$/,
    )
  })
})

describe('wrong usage of memory', () => {
  it.each([
    [['add', 'discoveries', 'x'], /takes one of discovery, solution, .*Did you mean 'discovery'/],
    [['add', 'discovery', ' '], /^What is to be remembered\?/],
    [['add', 'discovery', 'x', '--confidence', '2'], /--confidence takes a number from 0 to 1, not '2'/],
    [['add', 'discovery'], /Missing required argument 'text'/],
    [['list', '--kind', 'fact'], /--kind takes one of/],
    [['list', '--as-of', 'someday'], /'someday' is not a time/],
    [['search'], /Missing required argument 'words'/],
    [['search', 'x', '--limit', '0'], /--limit takes a whole number of at least 1/],
    [['update', 'zzzz'], /^What should change\?/],
    [['prune', '--max-age-days', 'ten'], /--max-age-days takes a whole number/],
    [['prune', '--min-confidence', '30'], /--min-confidence takes a number from 0 to 1/],
    [['show', 'zzzz', '--max-tokens', '5'], /^Give either an id or --max-tokens/],
    [['import', 'nowhere.md'], /^nowhere\.md can't be read: it is not there\./],
    [['import', 'logs'], /^Nothing of a memory is in logs/],
    [['remember', 'x'], /Unknown command 'remember'/],
    [['search', ' '], /^What should be searched for\?/],
    [['add', 'discovery', 'x', '--example', ''], /^--example takes a place/],
    [
      ['add', 'discovery', 'x', '--commit', 'HEAD~1'],
      /^--commit takes a commit's hash of 7 to 64 hexadecimal digits, not 'HEAD~1'/,
    ],
    [['list', '--kind', 'solution', '--kind', 'pattern'], /^--kind was given twice; it takes one value/],
    [['list', '--limit', '0'], /--limit takes a whole number of at least 1/],
    [['export', '--to', ''], /^--to takes a file's path/],
    [['export', '--merge'], /^--merge goes with --to/],
  ])('refuses %j with exit code 2', async (args, sentence) => {
    const { code, stdout, stderr } = await memory(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('names an unknown project or session, and makes no store when only reading', async () => {
    const { code, stderr } = await memory('list', '--workspace', 'ap')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        "No project 'ap' is in the store; name a folder, or a project that has sessions or memory. Did you mean 'app'?\n",
    })
    expect((await memory('add', 'discovery', 'x', '--workspace', '/no/such/place')).stderr).toBe(
      'There is no folder /no/such/place, and nothing of it is in the store.\n',
    )
    expect((await memory('add', 'discovery', 'x', '--session', 'nothing')).code).toBe(1)
    expect((await box.cairn('memory', 'list', '--store', 'file:none.db')).code).toBe(2)
    expect(existsSync(join(box.folder, 'none.db'))).toBe(false)
  })

  it.each([
    'list',
    'search',
    'add',
    'confirm',
    'contradict',
    'update',
    'forget',
    'history',
    'show',
    'stats',
    'prune',
    'consolidate',
    'check',
    'export',
    'import',
  ])('memory %s --help teaches with examples', async (name) => {
    const { code, stdout } = await box.cairn('memory', name, '--help')
    expect(code).toBe(0)
    expect(stdout).toContain('Examples:')
    expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])
  })
})
