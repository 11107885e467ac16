/** Edge cases around commands: output that fails, long names, a store that does not exist. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { claudeLine, claudeSession } from '../testing/transcripts.ts'
import { textWidth } from '../terminal/text-width.ts'

let box: Sandbox
const STORE = ['--store', 'file:s.db']
const LONG_MODEL = `no-such-model-${'x'.repeat(5000)}`
const BIN = new URL('../../bin/cairn.js', import.meta.url).pathname

beforeAll(async () => {
  box = createSandbox()
  box.file('logs/a.jsonl', claudeSession('0ccf1a04-7777-aaaa'))
  box.file(
    'logs/b.jsonl',
    claudeSession(
      '0ccf1a04-7788-bbbb',
      '2026-02-01',
      `A ${'long '.repeat(60)}answer in /a/${'very-long-folder/'.repeat(12)}file.ts`,
    ),
  )
  box.file(
    'logs/c.jsonl',
    `${claudeLine({ session: 'odd', id: 'o1', at: '2026-02-02T10:00:00.000Z', text: 'hm', model: LONG_MODEL, cwd: `/a/${'long-folder/'.repeat(20)}app` })}\n{"broken\n`,
  )
  await box.cairn('import', '--from', 'logs', ...STORE)
})

afterAll(() => box.remove())

interface Ended {
  readonly code: number | null
  readonly stderr: string
}

/** Runs the command with this standard output; `undefined`: a pipe whose reader has gone. */
const runInto = (output: number | undefined, ...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...args, ...STORE], {
      cwd: box.folder,
      env: { ...process.env, CAIRN_HOME: join(box.folder, 'data') },
      stdio: ['ignore', output ?? 'pipe', 'pipe'],
    })
    let stderr = ''
    child.stdout?.destroy()
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('close', (code) => resolve({ code, stderr }))
  })

const unlessFull = existsSync('/dev/full') ? it : it.skip
const unlessWindows = process.platform === 'win32' ? it.skip : it

describe('standard output', () => {
  it("closed by its reader does not change a budget's exit code", async () => {
    const { code, stderr } = await runInto(undefined, 'usage', '--max-cost', '0')
    expect(code).toBe(3)
    expect(stderr).toMatch(/^Over budget: /)
  })

  unlessFull('that can not be written is named in one sentence', async () => {
    const full = openSync('/dev/full', 'w')
    try {
      for (const args of [
        ['usage'],
        ['session', 'export', 'odd', '--format', 'json'],
        ['session', 'export', 'odd', '--format', 'md', '--output', '/dev/full'],
      ]) {
        const { code, stderr } = await runInto(full, ...args)
        expect(code).toBe(1)
        expect(stderr).toMatch(/can't be written: .*ENOSPC.*\n$/)
        expect(stderr.trim().split('\n')).toHaveLength(1)
      }
    } finally {
      closeSync(full)
    }
  })
})

describe('session export --output', () => {
  unlessWindows('follows a link and writes into a pipe, replacing neither', async () => {
    mkdirSync(join(box.folder, 'docs'))
    symlinkSync('docs/talk.md', join(box.folder, 'link.md'))
    for (let time = 0; time < 2; time++)
      expect(
        (await box.cairn('session', 'export', 'odd', '--format', 'md', '--output', 'link.md', ...STORE)).code,
      ).toBe(0)
    expect(lstatSync(join(box.folder, 'link.md')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(box.folder, 'docs/talk.md'), 'utf8')).toMatch(/^# /)

    const pipe = join(box.folder, 'pipe')
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'ignore'] })
    let read = ''
    reader.stdout.setEncoding('utf8').on('data', (text: string) => (read += text))
    const ended = new Promise((resolve) => reader.on('close', resolve))
    expect((await box.cairn('session', 'export', 'odd', '--format', 'md', '--output', 'pipe', ...STORE)).code).toBe(0)
    await ended
    expect(read).toMatch(/^# /)
    expect(lstatSync(pipe).isFIFO()).toBe(true)

    const { code, stdout, stderr } = await box.cairn(
      'session',
      'export',
      'odd',
      '--format',
      'json',
      '--output',
      '/dev/stdout',
      ...STORE,
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toHaveProperty('entries')
    expect(stderr).toBe('')
  })
})

describe('names', () => {
  it.each([['usage'], ['session', 'list'], ['recall', 'login']])(
    'of unknown agents are refused: %s %s',
    async (...args) => {
      const { code, stdout, stderr } = await box.cairn(...args, '--agent', 'claud', ...STORE)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^There is no agent 'claud'; .*Did you mean 'claude-code'/)
      expect((await box.cairn(...args, '--agent', 'aider', ...STORE)).code).toBe(0)
    },
  )

  it('that match nothing are reported, also with --json', async () => {
    const { code, stdout, stderr } = await box.cairn('usage', '--model', 'nothing', '--json', ...STORE)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ total: { requests: 0 } })
    expect(stderr).toBe("No requests of the model 'nothing' are in the store.\n")
    expect((await box.cairn('session', 'list', '--workspace', 'nothing', ...STORE)).stderr).toBe(
      "No sessions of the project 'nothing' are in the store.\n",
    )
    expect((await box.cairn('recall', 'login', '--branch', 'nothing', ...STORE)).stderr).toBe(
      "Nothing of the branch 'nothing' is in the store.\n",
    )
    expect((await box.cairn('usage', '--workspace', '', ...STORE)).code).toBe(2)
  })

  it.each([
    ['usage', '--session', "a session's id, or the beginning of it"],
    ['usage', '--model', "a model's name"],
    ['usage', '--branch', "a branch's name"],
    ['usage', '--mode', "a mode's name"],
    ['session list', '--branch', "a branch's name"],
    ['session list', '--model', "a model's name"],
    ['session list', '--text', 'a part of a title'],
    ['recall x', '--session', "a session's id, or the beginning of it"],
  ])('refuses an empty value: %s %s', async (command, option, wanted) => {
    expect(await box.cairn(...command.split(' '), option, '', ...STORE)).toEqual({
      code: 2,
      stdout: '',
      stderr: `${option} takes ${wanted}, not ''.\n`,
    })
  })

  it('of 5,000 characters do not fill the screen', async () => {
    const { stdout } = await box.cairn('usage', ...STORE)
    expect(stdout.length).toBeLessThan(1500)
    expect(stdout).toContain('then: cairn doctor --rebuild')
  })
})

describe('a budget with requests of unknown cost', () => {
  it('says that they are not in the sum', async () => {
    const { code, stdout, stderr } = await box.cairn('usage', '--max-cost', '100', '--json', ...STORE)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ budget: { exceeded: false, unpricedRequests: 1 } })
    expect(stderr).toBe('1 request has no cost (no known price, or no recorded input) and is not in the sum.\n')
  })
})

describe('a store that does not exist', () => {
  it.each([
    ['usage'],
    ['session', 'list'],
    ['session', 'show', 'a'],
    ['session', 'export', 'a', '--format', 'md'],
    ['recall', 'x'],
    ['doctor'],
    ['dashboard', '--no-open'],
  ])('is not created by reading it: %s %s', async (...args) => {
    const { code, stdout, stderr } = await box.cairn(...args, '--store', 'file:none.db')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(`There is no store at ${join(box.folder, 'none.db')}; cairn import makes one.\n`)
    expect(existsSync(join(box.folder, 'none.db'))).toBe(false)
  })
})

describe('what is shown', () => {
  it('includes ids that find their session', async () => {
    const { stdout } = await box.cairn('session', 'list', ...STORE)
    const ids = stdout
      .split('\n')
      .slice(1, 4)
      .map((line) => line.split(' ')[0] ?? '')
    expect(ids.toSorted()).toEqual(['0ccf1a04-777', '0ccf1a04-778', 'odd'])
    for (const id of ids) expect((await box.cairn('session', 'show', id, ...STORE)).code).toBe(0)
  })

  it.each([
    ['doctor'],
    ['config', 'list'],
    ['recall', 'long', 'answer'],
    ['session', 'show', '0ccf1a04-778'],
    ['session', 'show', 'odd', '--full'],
    ['usage', '--by', 'session'],
  ])('fits 80 columns: %s %s', async (...args) => {
    const { stdout } = await box.cairn(...args, ...STORE)
    expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])
  })

  it.each([
    '',
    'import',
    'usage',
    'session',
    'session list',
    'session show',
    'session export',
    'session delete',
    'recall',
    'dashboard',
    'doctor',
    'config',
    'config set',
    'cleanup',
    'purge',
  ])('fits 80 columns: help of "%s"', async (name) => {
    const { stdout } = await box.cairn(...name.split(' ').filter((word) => word !== ''), '--help')
    expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])
  })

  it('says that the file of queries is a folder', async () => {
    const { code, stderr } = await box.cairn('recall', '--queries', 'logs', ...STORE)
    expect(code).toBe(2)
    expect(stderr).toMatch(/^The queries in .*logs can't be read: that is a folder; .*\n$/)
  })
})

describe('wrong options', () => {
  it('name the help of the command that they were given to', async () => {
    expect(await box.cairn('session', 'list', '--bogus', ...STORE)).toMatchObject({
      code: 2,
      stderr: "Unknown option '--bogus'. See: cairn session list --help\n",
    })
    const twice = await box.cairn('session', '--json', 'show', '--bogus', ...STORE)
    expect(twice.code).toBe(2)
    expect(twice.stderr).toContain('See: cairn session show --help')
    expect((await box.cairn('usage', '--bogus', ...STORE)).stderr).toBe(
      "Unknown option '--bogus'. See: cairn usage --help\n",
    )
  })

  it.each([
    ['--host', 'nonsense.invalid', "--host takes an address of this machine, not 'nonsense.invalid'."],
    ['--host', '', "--host takes an address, not ''."],
    ['--allowed-host', 'http://x/', "--allowed-host takes a name or an address, perhaps with a port, not 'http://x/'."],
  ])('of the dashboard are refused before anything is started: %s "%s"', async (option, value, sentence) => {
    expect(await box.cairn('dashboard', '--no-open', option, value, ...STORE)).toEqual({
      code: 2,
      stdout: '',
      stderr: `${sentence}\n`,
    })
  })
})

describe('a list of sessions', () => {
  it('distinguishes an empty store from filters that match nothing', async () => {
    const { stdout } = await box.cairn('session', 'list', '--text', 'nobody wrote this', ...STORE)
    expect(stdout).toMatch(/\nNo sessions match\.\n$/)
    expect((await box.cairn('session', 'list')).stdout).toMatch(
      /\nNo sessions; take in what your agents did: cairn import\n$/,
    )
  })
})

describe('doctor --rebuild', () => {
  it("prices unpriced requests with the user's prices", async () => {
    const own = ['--store', 'file:priced.db']
    box.file(
      'unpriced/x.jsonl',
      `${claudeLine({ session: 'x', id: 'x1', at: '2026-02-02T10:00:00.000Z', text: 'hm', model: 'house-model' })}\n`,
    )
    await box.cairn('import', '--from', 'unpriced', ...own)
    await box.cairn('config', 'set', 'prices.house-model', '3,15')
    const { code, stdout } = await box.cairn('doctor', '--rebuild', ...own)
    expect(code).toBe(0)
    expect(stdout).toContain('1 request without a price got one.')
    expect(await box.json('usage', ...own)).toMatchObject({ total: { unpricedRequests: 0 } })
  })
})

describe('an impossible path', () => {
  const LONG = 'a'.repeat(5000)

  beforeAll(() => symlinkSync('circle', join(box.folder, 'circle')))

  it.each([
    ['a long name replayed', ['replay', LONG], 'its name is too long'],
    ['a long path replayed', ['replay', `x/${LONG}.jsonl`], 'its name is too long'],
    ['a circle replayed', ['replay', 'circle'], 'its links lead in a circle'],
    ['a long name imported', ['import', '--from', LONG], 'There is no file or folder'],
    ['a file below a file imported', ['import', '--from', 'logs/a.jsonl/x'], 'There is no file or folder'],
    ['a long name as a memory', ['memory', 'import', LONG], 'its name is too long'],
    ['a long name of queries', ['recall', '--queries', LONG], 'its name is too long'],
  ])('is wrong usage, in one sentence: %s', async (_what, given, sentence) => {
    const { code, stderr } = await box.cairn(...given, ...STORE)
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1])
    expect(stderr).toContain(sentence)
    expect(stderr).not.toMatch(/not expected|ENAMETOOLONG|ELOOP|ENOTDIR/)
  })
})
