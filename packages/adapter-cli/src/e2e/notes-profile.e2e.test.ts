/** `cairn note` and `cairn profile` as processes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { textWidth } from '../terminal/text-width.ts'

let box: Sandbox
const STORE = ['--store', 'file:s.db']
const BIN = new URL('../../bin/cairn.js', import.meta.url).pathname
const ESCAPES = '\u001b[2J\u001b]0;owned\u0007'

const note = (...args: readonly string[]) => box.cairn('note', ...args, ...STORE)
const json = (...args: readonly string[]): Promise<unknown> => box.json('note', ...args, ...STORE)

/** Runs `cairn note` with a text on standard input. */
const withInput = (input: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [BIN, 'note', ...args, ...STORE], {
    cwd: box.folder,
    env: { PATH: process.env['PATH'], HOME: box.folder, CAIRN_HOME: `${box.folder}/data`, TZ: 'UTC' },
    input,
    encoding: 'utf8',
  })

beforeAll(() => {
  box = createSandbox()
})

afterAll(() => box.remove())

describe('note', () => {
  it('sets, gets, lists, searches and deletes', async () => {
    const { note: written } = (await json('set', 'deploy', 'Fridays only', 'after the smoke test')) as {
      readonly note: Readonly<Record<string, unknown>>
    }
    expect(Object.keys(written).toSorted()).toEqual(['createdAt', 'key', 'sessionId', 'text', 'updatedAt', 'workspace'])
    expect(written).toMatchObject({ key: 'deploy', text: 'Fridays only after the smoke test', sessionId: null })
    expect(await json('get', 'deploy')).toEqual({ note: written })
    expect((await note('get', 'deploy')).stdout).toBe('Fridays only after the smoke test')
    await note('set', 'other', 'Nothing of it')
    expect(await json('list')).toMatchObject({
      workspace: written['workspace'],
      notes: [{ key: 'deploy' }, { key: 'other' }],
    })
    expect(await json('search', 'smoke', 'tests')).toMatchObject({
      query: 'smoke tests',
      results: [{ key: 'deploy', score: expect.any(Number) }],
    })
    expect((await note('search', 'smoke')).stdout).toMatch(
      /^deploy · note · changed .*\n {2}Fridays only after the smoke test\n\nTotal: 1 note\n$/,
    )
    expect(await json('delete', 'other')).toEqual({ workspace: written['workspace'], deleted: 'other' })
    expect((await json('list')) as { readonly notes: readonly unknown[] }).toMatchObject({ notes: [{ key: 'deploy' }] })
  })

  it('shows former versions', async () => {
    await note('set', 'plan', 'First')
    const then = new Date().toISOString()
    await note('set', 'plan', 'Second')
    expect((await note('get', 'plan')).stdout).toBe('Second')
    expect((await note('get', 'plan', '--as-of', then)).stdout).toBe('First')
    await note('delete', 'plan')
    expect((await note('get', 'plan')).code).toBe(1)
    expect(await json('list', '--as-of', then)).toMatchObject({
      notes: [{ key: 'deploy' }, { key: 'plan', text: 'First' }],
    })
  })

  it('writes exactly the stored text into a pipe', () => {
    for (const text of ['no end of line', 'one\r\n', `\ufeffx ${ESCAPES}\n\n`]) {
      expect(withInput(text, 'set', 'exact', '-').status).toBe(0)
      expect(withInput('', 'get', 'exact').stdout).toBe(text)
    }
    withInput('', 'delete', 'exact')
  })

  it('reports that secrets were replaced', async () => {
    expect((await note('set', 'login', 'password=hunter2hunter2')).stdout).toMatch(
      /^Noted: login \(28 characters\)\. 1 secret was replaced first\.\n$/,
    )
    expect(await json('set', 'login', 'password=hunter2hunter2')).toMatchObject({ redactions: 1 })
    await note('delete', 'login')
  })

  it('lists notes without a subcommand', async () => {
    expect(await json()).toEqual(await json('list'))
  })

  it('takes a text from standard input, whole', () => {
    expect(withInput('one\ntwo  three\n', 'set', 'log', '-').status).toBe(0)
    expect(withInput('', 'get', 'log').stdout).toBe('one\ntwo  three\n')
    const { status, stderr } = withInput('\n', 'set', 'log', '-')
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'Standard input was empty; nothing was written.\n',
    })
  })

  it('accepts any key, writes nothing outside the store, and is neutralised on a terminal', async () => {
    for (const key of ['../../escape', 'a/b\\c', `x${ESCAPES}`, '日本語', '__proto__', 'k'.repeat(90)]) {
      expect(await json('set', key, `Text ${ESCAPES}`)).toMatchObject({ note: { key } })
      expect(await json('get', key)).toMatchObject({ note: { key, text: `Text ${ESCAPES}` } })
    }
    const { code, stdout } = await note('list')
    expect(code).toBe(0)
    // eslint-disable-next-line no-control-regex -- what must not be there
    expect(stdout).not.toMatch(/[\u001b\u0007]/)
    expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Total {2,}\d+ notes of /)
  })

  it.each([
    [['set', 'key', ' '], 2, /^What should the note say\?/],
    [['set', ' ', 'text'], 2, /key/],
    [['set', 'key'], 2, /Missing required argument 'text'/],
    [['get', 'deploi'], 1, /deploy/],
    [['delete', 'deploi'], 1, /deploy/],
    [['list', '--as-of', 'someday'], 2, /'someday' is not a time/],
    [['search'], 2, /Missing required argument 'words'/],
    [['search', ''], 2, /^What should be searched for\?/],
    [['serch', 'x'], 2, /^Unknown command 'serch'.*Did you mean 'search'/],
    [['list', '--as-of', 'today', '--as-of', 'today'], 2, /^--as-of was given twice/],
  ])('refuses %j with exit code %i', async (args, exit, sentence) => {
    const { code, stdout, stderr } = await note(...args)
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('has no notes at first', async () => {
    const { stdout } = await box.cairn('note', 'list')
    expect(stdout).toMatch(/^Total: no notes of cairn-cli-/)
  })
})

describe('profile', () => {
  const profile = (...args: readonly string[]) => box.cairn('profile', ...args, ...STORE)

  it('is written, shown, switched off and on, and shortened', async () => {
    expect(await box.json('profile', 'show', ...STORE)).toEqual({ enabled: true, items: [] })
    expect((await profile('set', 'language', 'Answers in German,', 'code in English')).code).toBe(0)
    await profile('set', 'editor', 'Helix')
    expect(await box.json('profile', ...STORE)).toEqual({
      enabled: true,
      items: [
        { key: 'editor', text: 'Helix', updatedAt: expect.any(Number) },
        { key: 'language', text: 'Answers in German, code in English', updatedAt: expect.any(Number) },
      ],
    })
    expect((await profile('off')).stdout).toMatch(
      /^editor {2}Helix\nlanguage {2}Answers in German, code in English\nTotal: 2 lines, last changed .*; off: given to no session\n$/,
    )
    expect(await box.json('profile', 'show', ...STORE)).toMatchObject({ enabled: false, items: [{}, {}] })
    expect((await profile('on')).stdout).toMatch(/; on\n$/)
    expect(await box.json('profile', 'remove', 'editor', ...STORE)).toMatchObject({ items: [{ key: 'language' }] })
  })

  it('reports that secrets were replaced', async () => {
    expect((await profile('set', 'login', 'password=hunter2hunter2')).stdout).toMatch(
      /^Written\. 1 secret was replaced first\.\nlanguage [^]*\nlogin [^]*\nTotal: 2 lines/,
    )
    expect(await box.json('profile', 'set', 'login', 'password=hunter2hunter2', ...STORE)).toMatchObject({
      enabled: true,
      redactions: 1,
    })
    await profile('remove', 'login')
  })

  it.each([
    [['remove', 'nothing'], 1, /^The profile has no 'nothing'; it has language\.\n$/],
    [['set', 'tone', ' '], 2, /^What should sessions be told\?/],
    [['set', ' ', 'x'], 2, /name/],
    [['set', 'x', 'y'.repeat(501)], 2, /at most 500 characters/],
    [['sho'], 2, /no 'cairn profile sho'. Did you mean 'show'\?/],
  ])('refuses %j with exit code %i', async (args, exit, sentence) => {
    const { code, stdout, stderr } = await profile(...args)
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('help', () => {
  it.each([
    'note',
    'note set',
    'note get',
    'note list',
    'note search',
    'note delete',
    'profile',
    'profile show',
    'profile set',
    'profile remove',
    'profile on',
    'profile off',
    'graph',
    'recall',
    'memory',
  ])('%s --help teaches with examples, within 80 columns', async (name) => {
    const { code, stdout } = await box.cairn(...name.split(' '), '--help')
    expect(code).toBe(0)
    expect(stdout).toContain('Examples:')
    expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])
  })
})
