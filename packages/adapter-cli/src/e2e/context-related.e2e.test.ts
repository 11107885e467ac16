/** `cairn context related` and `index` as processes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createSandbox, environmentOf } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { hasTerminals, runOnTerminal } from '../testing/run-terminal.ts'

interface Answer {
  readonly files: readonly { readonly path: string; readonly score: number; readonly why: readonly string[] }[]
  readonly ms: number
  readonly indexed: boolean
}

let box: Sandbox
const STORE = ['--store', 'file:s.db']
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(box.folder, path)), { recursive: true })
  writeFileSync(join(box.folder, path), text)
}
const git = (...options: string[]): void => {
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...options], {
    cwd: join(box.folder, 'app'),
    env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  })
}
const related = async (...args: readonly string[]): Promise<Answer> =>
  (await box.json('context', 'related', ...args, '--workspace', 'app', ...STORE)) as Answer

beforeAll(async () => {
  box = createSandbox()
  put('app/src/login/rate-limit.ts', 'export const limitRate = (attempts: number) => attempts > 5\n')
  put('app/src/login/rate-limit.test.ts', "it('limits', () => limitRate(6))\n")
  put('app/src/billing/invoice.ts', 'export const total = (rows: number[]) => rows.length\n')
  put('app/.cairnignore', 'private/\n')
  put('app/private/limit-rate.ts', 'export const limitRate = 1\n')
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'Francs are rounded')
  await box.cairn('note', 'set', 'a', 'b', ...STORE)
})

afterAll(() => box.remove())

describe('context related', () => {
  it('names the files that belong to a text, with reasons, and none that an ignore file leaves out', async () => {
    const { files, ms } = await related('limit the rate of attempts')
    expect(files.map(({ path }) => path).slice(0, 2)).toEqual([
      'src/login/rate-limit.ts',
      'src/login/rate-limit.test.ts',
    ])
    expect(files.some(({ path }) => path.startsWith('private'))).toBe(false)
    expect(files[0]?.why.join()).toContain('rate')
    expect(ms).toBeGreaterThanOrEqual(0)
  })

  it('is the same as context --related, from a folder below, too', async () => {
    const { files } = await related('limit the rate of attempts', '--limit', '1')
    const other = (await box.json(
      'context',
      '--related',
      'limit the rate of attempts',
      '--limit',
      '1',
      '--workspace',
      'app/src/login',
      ...STORE,
    )) as Answer
    expect(other.files).toEqual(files)
    expect(files).toHaveLength(1)
  })

  it('takes a known file from where one is, or from the root', async () => {
    for (const path of ['app/src/login/rate-limit.ts', 'src/login/rate-limit.ts']) {
      const { files } = await related('clean up', '--file', path)
      expect(files[0]?.path).toBe('src/login/rate-limit.test.ts')
    }
  })

  it('of a known file are those that it imports or that import it', async () => {
    put('app/src/zebra.ts', "import { total } from './billing/invoice.ts'\nexport const stripes = total\n")
    put('app/src/yak.ts', 'export const horns = 2\n')
    const { files } = await related('clean up', '--file', 'src/billing/invoice.ts')
    expect(files.find(({ path }) => path === 'src/zebra.ts')?.why).toContain(
      'imports src/billing/invoice.ts, or is imported by it',
    )
    const yak = files.find(({ path }) => path === 'src/yak.ts')
    expect(files.find(({ path }) => path === 'src/zebra.ts')?.score).toBeGreaterThan(yak?.score ?? 0)
    expect(yak?.why.join() ?? '').not.toContain('imports')
    const back = await related('clean up', '--file', 'src/zebra.ts')
    expect(back.files[0]?.path).toBe('src/billing/invoice.ts')
  })

  it('come first where the focus of the project is', async () => {
    put('app/src/other/limit.ts', 'export const limit = 1\n')
    const best = async () => (await related('limit')).files[0]
    expect((await best())?.path).not.toBe('src/login/rate-limit.test.ts')
    const focus = (...args: readonly string[]) => box.cairn('context', 'focus', ...args, '--workspace', 'app', ...STORE)
    expect((await focus('src/login/rate-limit.test.ts')).code).toBe(0)
    expect(await best()).toMatchObject({
      path: 'src/login/rate-limit.test.ts',
      why: expect.arrayContaining(['in the focus of the project']),
    })
    expect((await focus('--clear')).code).toBe(0)
    expect((await best())?.path).not.toBe('src/login/rate-limit.test.ts')
  })

  it('prints a table that ends with its total', async () => {
    const { stdout } = await box.cairn('context', 'related', 'rate limit', '--workspace', 'app', ...STORE)
    expect(stdout).toMatch(/^file +score +why\nsrc\/login\/rate-limit\.ts/)
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Total +\d+ files?$/)
  })

  const onTerminals = hasTerminals() ? it : it.skip
  onTerminals('fits the columns of a terminal, and is whole in a pipe', async () => {
    const path = 'src/rather/long/folder/names/of/a/project/with/many/levels/rate-limit-of-many-attempts.ts'
    put(`app/${path}`, 'export const rateLimitOfManyAttempts = 4\n')
    const question = ['context', '--related', 'rate limit of many attempts', '--workspace', 'app', ...STORE]
    for (const columns of [80, 57]) {
      const terminal = runOnTerminal(
        question,
        { columns, rows: 30 },
        { folder: box.folder, environment: environmentOf(box.folder, {}) },
      )
      expect(await terminal.ended).toBe(0)
      const lines = terminal.shown().trimEnd().split('\n')
      expect(lines.filter((line) => line.length > columns)).toEqual([])
      expect(lines.find((line) => line.startsWith('src/rather'))).toMatch(/^src\/rather\S*…\S*attempts\.ts +\d/)
      expect(lines.at(-1)).toMatch(/^Total +\d+ files$/)
    }
    expect((await box.cairn(...question)).stdout).toContain(`${path} `)
    expect((await related('rate limit of many attempts')).files.map((file) => file.path)).toContain(path)
    rmSync(join(box.folder, 'app', path))
  })

  it.each([
    [['the of and'], 1, 'no word to go by'],
    [['rate', '--file', 'none.ts'], 1, 'There is no file none.ts'],
    [['rate', '--file', 's.db'], 1, 'is not in the workspace'],
    [['rate', '--file', 'app/src'], 1, 'app/src is a folder, not a file.'],
    [['rate', '--file', 'app/private/limit-rate.ts'], 1, 'app/private/limit-rate.ts is ignored by .cairnignore.'],
    [['rate', '--file', 'app/.cairnignore'], 1, 'not among the source files'],
    [['rate', '--limit', '0'], 2, '--limit'],
    [[], 2, 'text'],
  ] as const)('says in one sentence what is wrong with %j', async (args, code, sentence) => {
    const {
      code: exitCode,
      stderr,
      stdout,
    } = await box.cairn('context', 'related', ...args, '--workspace', 'app', ...STORE)
    expect([exitCode, stdout]).toEqual([code, ''])
    expect(stderr).toContain(sentence)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it.each([
    [['show', '--file', 'src/zebra.ts'], '--file needs --related and a text.'],
    [['--limit', '3'], '--limit needs --related and a text.'],
    [['--related', 'rate', '--policy', 'none'], '--related ranks the files of the project: leave out --policy.'],
    [
      ['show', '0ccf', '--related', 'rate'],
      '--related ranks the files of the project, whatever the session: leave it out.',
    ],
  ] as const)('refuses options that would be passed over: %j', async (args, sentence) => {
    const answer = await box.cairn('context', ...args, '--workspace', 'app', ...STORE)
    expect(answer).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` })
  })

  it('says that a workspace is not there', async () => {
    const { stderr } = await box.cairn('context', 'related', 'rate', '--workspace', 'elsewhere', ...STORE)
    expect(stderr).toContain('There is no folder')
  })
})

describe('context index', () => {
  it('reads only what changed', async () => {
    const index = () => box.json('context', 'index', '--workspace', 'app', ...STORE)
    await index()
    expect(await index()).toMatchObject({ files: 6, read: 0 })
  })
})
