/** `cairn run` as a process, asking a model server on loopback. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { startModelServer, type ModelServer, type Reply, type ReplyBlock } from '@cairn/core/testing'
import { createSandbox, environmentOf, resultOf, type Sandbox } from '../testing/run-cli.ts'

const KEYS = { ANTHROPIC_API_KEY: 'test-key' }
const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))

interface Line {
  readonly type: string
  readonly [field: string]: unknown
}

const text = (words: string): ReplyBlock => ({ type: 'text', text: words })
const call = (name: string, input: Readonly<Record<string, unknown>>): ReplyBlock => ({
  type: 'tool-call',
  name,
  input,
})
const reply = (...blocks: readonly ReplyBlock[]): { readonly reply: Reply } => ({ reply: { blocks } })

describe('cairn run', () => {
  let box: Sandbox
  let server: ModelServer
  beforeEach(async () => {
    box = createSandbox(KEYS)
    box.file('project/.git/HEAD', 'ref: refs/heads/main\n')
    box.file('project/a.ts', 'export const port = 1\n')
    server = await startModelServer()
  })
  afterEach(async () => {
    await server.close()
    box.remove()
  })

  const run = (...args: readonly string[]) =>
    box.cairn('run', ...args, '--model', 'claude-sonnet-5', '--base-url', server.url, '--workspace', 'project')
  const linesOf = (stdout: string): readonly Line[] =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  const fileText = (path: string): string => readFileSync(join(box.folder, 'project', path), 'utf8')

  it('does the task with the tools: the answer on standard output, what was done on standard error', async () => {
    server.script(
      reply(text('I look.'), call('read_file', { path: 'a.ts' })),
      reply(call('edit_file', { path: 'a.ts', edits: [{ old_text: 'port = 1', new_text: 'port = 2' }] })),
      reply(text('The port is 2 now.')),
      reply(text('Nothing.')),
    )
    const { code, stdout, stderr } = await run('Set the port to 2', '--approve', 'edits')
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: 'The port is 2 now.\n' })
    expect(fileText('a.ts')).toBe('export const port = 2\n')
    expect(stderr).toMatch(/▸ read a\.ts/)
    expect(stderr).toMatch(/-export const port = 1\n.*\+export const port = 2/)
    expect(stderr).toMatch(/: 4 requests, \$0\.\d+, context \d+\.\d % full\.\n$/)
    expect(server.requests.map(({ problem }) => problem?.message)).toEqual([undefined, undefined, undefined, undefined])
    const shown = await box.cairn('session', 'show', '--workspace', 'project')
    expect(shown.stdout).toMatch(/Set the port to 2[^]*The port is 2 now\./)
  })

  it('asks nobody in a pipe: a call that needs an approval ends it with 3, and --resume goes on', async () => {
    server.script(reply(call('write_file', { path: 'b.ts', content: 'b\n' })))
    const stopped = await run('Write b')
    expect(stopped.code).toBe(3)
    expect(stopped.stdout).toBe('')
    expect(stopped.stderr).toMatch(/needs an approval, and nobody can give it here/)
    expect(stopped.stderr).toMatch(/It goes on with: cairn run --resume cairn:\S+ --base-url http:\S+\n$/)
    server.script(reply(text('Written.')), reply(text('Nothing.')))
    const done = await run('--resume', '--approve', 'all')
    expect(done).toMatchObject({ code: 0, stdout: 'Written.\n' })
    expect(fileText('b.ts')).toBe('b\n')
  })

  it('--json prints valid lines, the last says how it ended; --max-cost stops in time with 3', async () => {
    for (let index = 0; index < 40; index += 1)
      server.script(reply(text('\u001b[2J\u202eagain'), call('search_files', { pattern: `x${index}` })))
    const { code, stdout } = await run('Look for ever', '--json', '--max-cost', '0.02')
    expect(code).toBe(3)
    const lines = linesOf(stdout)
    expect(lines[0]).toMatchObject({ type: 'session', isResumed: false })
    expect(lines.at(-1)).toMatchObject({ type: 'ended', end: 'max-cost', error: null })
    expect(lines.filter(({ type }) => type === 'ended')).toHaveLength(1)
    // eslint-disable-next-line no-control-regex -- the characters that must not be there
    expect(stdout).not.toMatch(/\\u001b|\u001b|\u202e/)
    const billed = server.ledger.reduce((sum, { costNano }) => sum + costNano, 0n)
    expect(Number(billed) / 1e9).toBeLessThanOrEqual(0.02)
    expect(lines.at(-1)?.['costUsd']).toBeCloseTo(Number(billed) / 1e9, 9)
  })

  it('Ctrl-C ends it with 130, what was done stays, and it goes on after', async () => {
    server.script(reply(call('write_file', { path: 'c.ts', content: 'c\n' })), {
      fault: { kind: 'stall', at: 'after-first-event' },
    })
    const args = [
      'run',
      'Write c',
      '--model',
      'claude-sonnet-5',
      '--base-url',
      server.url,
      '--approve',
      'all',
      '--json',
    ]
    const child = spawn(process.execPath, [BIN, ...args, '--workspace', 'project'], {
      cwd: box.folder,
      env: environmentOf(box.folder, KEYS),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let seen = ''
    let isStopped = false
    child.stdout.on('data', (piece: Buffer) => {
      seen += piece.toString()
      // The second request is under way.
      if (isStopped || seen.split('"stored"').length < 3) return
      isStopped = true
      child.kill('SIGINT')
    })
    const { code, stdout } = await resultOf(child)
    expect(code).toBe(130)
    expect(linesOf(stdout).at(-1)).toMatchObject({ type: 'ended', end: 'cancelled' })
    expect(fileText('c.ts')).toBe('c\n')
    server.script(reply(text('All written.')))
    const done = await run('--resume', '--approve', 'all', '--no-ltm')
    expect(done).toMatchObject({ code: 0, stdout: 'All written.\n' })
  })

  it('reads the task from standard input; plan mode changes nothing; a rule denies', async () => {
    server.script(reply(call('write_file', { path: 'd.ts', content: 'd' })), reply(text('I would write d.')))
    const plan = await box.shell(
      `echo "Write d" | cairn run - --mode plan --approve all --model claude-sonnet-5 --base-url ${server.url} --workspace project`,
    )
    expect(plan).toMatchObject({ code: 0, stdout: 'I would write d.\n' })
    expect(() => fileText('d.ts')).toThrow('ENOENT')
    expect(server.requests[1]?.text).toContain('In plan mode nothing is changed')
    expect(server.requests[0]?.text).toContain('Write d')
    server.script(reply(call('write_file', { path: 'd.ts', content: 'd' })), reply(text('No.')))
    const denied = await run('Write d', '--approve', 'all', '--rule', 'deny path d.*')
    expect(denied).toMatchObject({ code: 0, stdout: 'No.\n' })
    expect(() => fileText('d.ts')).toThrow('ENOENT')
  })

  it('is told what earlier sessions learnt, and with --incognito nothing, and keeps nothing', async () => {
    await box.cairn('memory', 'add', 'discovery', 'The port is 7777.', '--workspace', 'project')
    await run('Which port?')
    expect(server.requests[0]?.text).toContain('The port is 7777.')
    const secret = await run('Which port again?', '--incognito')
    expect(secret.code).toBe(0)
    expect(server.requests[1]?.text).not.toContain('7777')
    const { stdout } = await box.cairn('session', 'list')
    expect(stdout).toContain('Which port?')
    expect(stdout).not.toContain('again')
  })

  it('--checkpoint keeps the files before the first change, which a restore gives back', async () => {
    server.script(
      reply(call('write_file', { path: 'e.ts', content: 'e' }), call('write_file', { path: 'f.ts', content: 'f' })),
      reply(text('Both.')),
    )
    await run('Write two', '--approve', 'edits', '--checkpoint', '--no-ltm')
    const list = (await box.json('checkpoint', 'list', '--workspace', 'project')) as {
      readonly checkpoints: readonly { readonly id: string; readonly sessionId: string | null }[]
    }
    expect(list.checkpoints).toHaveLength(1)
    expect(list.checkpoints[0]?.sessionId).toMatch(/^cairn:/)
    const id = list.checkpoints[0]?.id ?? ''
    await box.cairn('checkpoint', 'restore', id, '--workspace', 'project', '--only', 'files', '--yes')
    expect(() => fileText('e.ts')).toThrow('ENOENT')
    expect(fileText('a.ts')).toBe('export const port = 1\n')
  })

  it.each([
    [[], /What is to be done\?/],
    [['Go', '--rule', 'allow everything'], /--rule takes allow, ask or deny/],
    [['Go', '--max-cost', '0'], /--max-cost must be above 0/],
    [['Go', '--system-file', 'none.md'], /none\.md can't be read/],
  ])('wrong usage %j is one sentence and exit code 2', async (args, message) => {
    const { code, stderr } = await run(...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
    expect(server.requests).toHaveLength(0)
  })
})
