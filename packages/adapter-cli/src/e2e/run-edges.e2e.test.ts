/** `cairn run` where something is odd: no task, no reader, a model that is not there, calls that can't be run; what settings allow. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { startModelServer, type ModelServer, type Reply, type ReplyBlock } from '@cairn/core/testing'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'

const KEYS = { ANTHROPIC_API_KEY: 'test-key' }

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
const write = (path: string) => call('write_file', { path, content: `${path}\n` })

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

const common = () => ['--base-url', server.url, '--workspace', 'project', '--no-ltm']
const run = (...args: readonly string[]) => box.cairn('run', ...args, '--model', 'claude-sonnet-5', ...common())
const linesOf = (stdout: string): readonly Line[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

describe('cairn run', () => {
  it('says what is missing where standard input has no task', async () => {
    const { code, stderr } = await box.shell(`cairn run - --model claude-sonnet-5 ${common().join(' ')} < /dev/null`)
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'Standard input was empty; say there what is to be done.\n' })
  })

  it('begins with its session and says nothing of related files where a task of one word has none', async () => {
    server.script(reply(text('Yes?')))
    const { code, stdout, stderr } = await run('now', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = linesOf(stdout)
    expect(lines[0]).toMatchObject({ type: 'session' })
    expect(lines.filter(({ type }) => type === 'notice')).toEqual([])
  })

  it('does not name OpenAI where a model of Claude’s name is not there', async () => {
    server.script({ fault: { kind: 'refuse', as: 'unknown-model' } })
    const { code, stderr } = await box.cairn('run', 'Go', '--model', 'claude-typo', ...common())
    expect(code).toBe(1)
    expect(stderr).toContain('no model named claude-typo')
    expect(stderr).not.toContain('OpenAI')
  })

  const unlessFull = existsSync('/dev/full') ? it : it.skip
  unlessFull.each([
    ['', /^The output can't be written: ENOSPC/m],
    ['--json', /^Stopped, as its output can't be written \(ENOSPC[^)]*\); what was done stays\.$/m],
  ])('says why it ends where its output can’t be written: %j', async (more, reason) => {
    for (let index = 0; index < 9; index += 1) server.script(reply(text('Again.'), write(`f${index}.ts`)))
    server.script(reply(text('Done.')))
    const line = `cairn run Go --approve all --model claude-sonnet-5 ${common().join(' ')} ${more}`
    const { code, stderr } = await box.shell(`${line} > /dev/full`)
    expect(code).toBe(1)
    expect(stderr).toMatch(reason)
    expect(stderr).not.toContain('by the user')
    // With --json each event is for a reader, so the work ends without one.
    if (more !== '') expect(server.requests.length).toBeLessThan(5)
  })

  it('tells of a call that was not run, with the reason: no such tool, declined', async () => {
    const replies = [reply(call('fly', {}), write('b.ts')), reply(text('So.'))]
    server.script(...replies)
    const { code, stdout } = await run('Fly', '--json', '--approve', 'never')
    expect(code).toBe(0)
    expect(linesOf(stdout).filter(({ type }) => type === 'tool-finished')).toEqual([
      expect.objectContaining({
        tool: 'fly',
        isError: true,
        text: expect.stringMatching(/^There is no tool called "fly"/),
      }),
      expect.objectContaining({
        tool: 'write_file',
        isError: true,
        text: expect.stringMatching(/^Not run: write b\.ts/),
      }),
    ])
    // Each of them begins before it ends, and says that it was not run.
    const calls = linesOf(stdout).filter(({ callId }) => callId !== undefined)
    expect(calls.map(({ type, title, notRun }) => [type, title, notRun])).toEqual([
      ['tool-started', 'fly', 'refused'],
      ['tool-finished', undefined, 'refused'],
      ['tool-started', 'write b.ts', 'refused'],
      ['tool-finished', undefined, 'refused'],
    ])
    server.script(...replies)
    const shown = await run('Fly', '--approve', 'never')
    expect(shown.stderr).toMatch(/▸ fly\n {2}✗ There is no tool called "fly"/)
    expect(shown.stderr).toMatch(/▸ write b\.ts\n {2}✗ Not run: write b\.ts/)
    server.script(...replies)
    const chat = await box.cairn('chat', 'Fly', '--approve', 'never', '--model', 'claude-sonnet-5', ...common())
    expect(chat.stderr).toMatch(/✗ fly\n {2}There is no tool called "fly"/)
  })

  it('gives the model the rules of a folder with the first file of it, and shows that', async () => {
    box.file('project/packages/x/AGENTS.md', 'Name tests after bugs.\n')
    box.file('project/packages/x/b.ts', 'export const b = 1\n')
    const read = call('read_file', { path: 'packages/x/b.ts' })
    server.script(reply(read), reply(read), reply(text('Read.')))
    const { code, stderr } = await run('Read b')
    expect(code).toBe(0)
    expect(stderr.match(/▸ read packages\/x\/b\.ts\n( {2}rules of packages\/x\/AGENTS\.md\n)?/g)).toEqual([
      '▸ read packages/x/b.ts\n  rules of packages/x/AGENTS.md\n',
      '▸ read packages/x/b.ts\n',
    ])
    expect(server.requests.at(-1)?.text.match(/Name tests after bugs/g)).toHaveLength(1)
    expect(server.requests[0]?.text).not.toContain('Name tests after bugs')
    server.script(reply(read), reply(text('Read.')))
    const { stdout } = await run('Again', '--resume', '--json')
    expect(linesOf(stdout).flatMap(({ type, rules }) => (type === 'tool-finished' ? [rules] : []))).toEqual([undefined])
    expect(server.requests.at(-1)?.text.match(/Name tests after bugs/g)).toHaveLength(1)
  })

  it('names the agent of the first file, too, that it changed after its checkpoint', async () => {
    server.script(reply(write('b.ts'), write('c.ts')), reply(write('d.ts')), reply(text('Done.')))
    expect((await run('Write', '--approve', 'edits', '--checkpoint')).code).toBe(0)
    const { stdout } = await box.cairn('checkpoint', 'restore', 'latest', '--dry-run', '--workspace', 'project')
    for (const name of ['b', 'c', 'd']) expect(stdout).toMatch(new RegExp(`${name}\\.ts {2}\\(cairn, .*session cairn:`))
  })

  it('edits unasked where the setting allows it, and asks again after so many requests', async () => {
    const has = (name: string) => existsSync(join(box.folder, 'project', `${name}.ts`))
    server.script(reply(write('e')))
    expect((await run('Write')).code).toBe(3)
    await box.cairn('config', 'set', 'approvals.edit', 'true', '--workspace', 'project')
    await box.cairn('config', 'set', 'approvals.maximumRequests', '2', '--workspace', 'project')
    server.script(...['f.ts', 'g.ts', 'h.ts', 'i.ts', 'j.ts'].map((name) => reply(write(name))), reply(text('Done.')))
    const stopped = await run('Write')
    expect(stopped).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('2 requests in a row ran without a question'),
    })
    expect(['e', 'f', 'g', 'h'].map(has)).toEqual([false, true, true, false])
    expect((await run('--resume', '--max-auto', '9')).code).toBe(0)
    expect(['h', 'i', 'j'].map(has)).toEqual([true, true, true])
    // What the command says comes before what is set.
    server.script(reply(write('k.ts')))
    expect((await run('Write', '--approve', 'ask')).stderr).toContain('"write k.ts" needs an approval')
  }, 600_000)
})

describe('what was typed in a chat', () => {
  const folder = () => join(box.folder, 'data', 'chat-history')

  it('goes with the store that is the user’s own, and stays where another one is purged', async () => {
    box.file('data/chat-history/0123456789abcdef01234567.jsonl', '"one"\n')
    box.file('data/chat-history/76543210fedcba9876543210.jsonl', '"two"\n')
    expect((await box.cairn('purge', '--yes', '--store', 'file:other.db')).code).toBe(0)
    expect(readdirSync(folder())).toHaveLength(2)
    const { code, stdout } = await box.cairn('purge', '--yes')
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Removed what was typed in the chats of 2 projects.'),
    })
    expect(existsSync(folder())).toBe(false)
    expect(await box.json('purge', '--yes')).toMatchObject({ removed: { chatHistories: 0 } })
  })

  it('is all that is removed from its folder', async () => {
    box.file('data/chat-history/0123456789abcdef01234567.jsonl', '"one"\n')
    box.file('data/chat-history/notes.txt', 'mine')
    await box.cairn('purge', '--yes')
    expect(readdirSync(folder())).toEqual(['notes.txt'])
    expect(readFileSync(join(folder(), 'notes.txt'), 'utf8')).toBe('mine')
  })
})
