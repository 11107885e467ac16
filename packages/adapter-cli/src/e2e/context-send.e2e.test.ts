/** `cairn context send` as a process, asking a model server on loopback. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startModelServer, type Fault, type ModelServer } from '@cairn/core/testing'
import { createSandbox, environmentOf, resultOf, type Sandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

const KEYS = {
  ANTHROPIC_API_KEY: 'test-key',
  OPENAI_API_KEY: 'test-key',
  GEMINI_API_KEY: 'test-key',
}
const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))

interface Usage {
  readonly total: { readonly requests: number }
  readonly failures: readonly { readonly code: string; readonly failures: number }[]
}

interface Sent {
  readonly session: string
  readonly model: string
  readonly provider: string
  readonly text: string
  readonly costUsd: number | null
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
  readonly attempt: number
}

describe('cairn context send', () => {
  let box: Sandbox
  let server: ModelServer
  beforeAll(async () => {
    box = createSandbox(KEYS)
    const common = { session: 'talk', model: 'claude-sonnet-5', cwd: '/code/app' }
    const lines = [
      claudeLine({
        ...common,
        id: 'q1',
        at: '2026-01-31T08:00:00.000Z',
        role: 'user',
        text: 'Which cache do we take?',
      }),
      claudeLine({ ...common, id: 'a1', at: '2026-01-31T08:00:05.000Z', text: 'We decided on the file cache.' }),
      claudeLine({
        ...common,
        session: 'mute',
        id: 'q2',
        at: '2026-01-31T09:00:00.000Z',
        role: 'user',
        text: 'Hello?',
      }),
      claudeLine({ ...common, session: 'silent', id: 'q4', at: '2026-01-31T09:30:00.000Z', role: 'user', text: 'Hm?' }),
      claudeLine({
        ...common,
        session: 'grok',
        model: 'grok-4',
        id: 'a3',
        at: '2026-01-31T09:00:00.000Z',
        text: 'Yes.',
      }),
    ]
    const from = box.file('home/.claude/projects/app/talk.jsonl', `${lines.join('\n')}\n`)
    expect((await box.cairn('import', '--from', from)).code).toBe(0)
  })
  afterAll(() => box.remove())
  beforeEach(async () => {
    server = await startModelServer()
  })
  afterEach(() => server.close())

  const baseUrl = (path = ''): readonly string[] => ['--base-url', server.url + path]
  const usage = async () => (await box.json('usage', '--by', 'session')) as Usage
  const totals = async () => (await usage()).total.requests
  /** Requests that were billed, and those that were cancelled before anything of a reply had come. */
  const cancelledOrBilled = async () => {
    const { total, failures } = await usage()
    return failures.reduce((sum, { code, failures: count }) => sum + (code === 'cancelled' ? count : 0), total.requests)
  }
  const failing = (...faults: readonly Fault[]): void => server.script(...faults.map((fault) => ({ fault })))

  it('answers from the session with the model that it used last, and records both', async () => {
    const before = await totals()
    const { code, stdout, stderr } = await box.cairn('context', 'send', 'talk', 'What did we decide?', ...baseUrl())
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Reply 0 of claude-sonnet-5: all is well, and 2 × 2 = 4 ✓.\n' })
    expect(stderr).toMatch(
      /^claude-sonnet-5: \d+ tokens of input, \d+ of output, \$0\.\d+ in .* s; recorded in the session\.\n$/,
    )
    const [{ text, problem } = { text: '', problem: undefined }] = server.requests
    expect(problem).toBeUndefined()
    expect(text).toMatch(/Which cache do we take\?.*We decided on the file cache\..*What did we decide\?/)
    expect(await totals()).toBe(before + 1)
    const shown = await box.cairn('session', 'show', 'talk')
    expect(shown.stdout).toMatch(/What did we decide\?[^]*Reply 0 of claude-sonnet-5/)
  })

  it.each([
    ['gpt-5.1', '/v1', []],
    ['gpt-4.1', '/v1', ['--provider', 'openai-chat']],
    ['gemini-2.5-flash', '', []],
    ['claude-opus-5-5', '', []],
  ])('asks %s, and goes on where another model has answered', async (model, path, more) => {
    const sent = (await box.json(
      'context',
      'send',
      'talk',
      `And ${model}?`,
      '--model',
      model,
      ...more,
      ...baseUrl(path),
    )) as Sent
    expect(sent).toMatchObject({ session: 'claude-code:talk', model, attempt: 1 })
    expect(sent.text).toContain(model)
    expect(sent.costUsd).toBeGreaterThan(0)
    expect(server.requests.map(({ problem }) => problem)).toEqual([undefined])
    expect(sent.usage.outputTokens).toBe(server.ledger[0]?.tokens.outputTokens)
  })

  it('goes on when the agent has gone on, too: its new messages and what was sent stand in one session', async () => {
    const path = 'home/.claude/projects/app/both.jsonl'
    const line = (id: string, role: 'user' | 'assistant', text: string, minute: number): string =>
      claudeLine({
        session: 'both',
        id,
        role,
        text,
        model: 'claude-opus-5-5',
        at: `2026-02-01T08:0${minute}:00.000Z`,
      })
    const begun = [line('b1', 'user', 'Rename it.', 0), line('b2', 'assistant', 'Renamed.', 1)]
    const from = box.file(path, `${begun.join('\n')}\n`)
    await box.cairn('import', '--from', from)
    expect((await box.cairn('context', 'send', 'both', 'To what?', ...baseUrl())).code).toBe(0)
    box.file(
      path,
      `${[...begun, line('b3', 'user', 'Now test it.', 2), line('b4', 'assistant', 'Green.', 3)].join('\n')}\n`,
    )
    await box.cairn('import', '--from', from)
    expect((await box.cairn('context', 'send', 'both', 'And?', ...baseUrl())).code).toBe(0)
    expect(server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined])
    expect(server.requests[1]?.text).toMatch(/Rename it\..*To what\?.*Now test it\..*Green\..*And\?/)
    expect((await box.cairn('doctor', '--json')).code).toBe(0)
  })

  it('asks the model, with the address and in the language, that is set for the session or its project', async () => {
    const send = async (...more: readonly string[]): Promise<Sent> =>
      (await box.json('context', 'send', ...more)) as Sent
    const session = ['--session', 'talk'] as const
    await box.cairn('config', 'set', 'model', 'claude-haiku-4-5', ...session)
    await box.cairn('config', 'set', 'baseUrl', server.url, ...session)
    await box.cairn('config', 'set', 'language', 'German', ...session)
    expect(await send('talk', 'Which one is set?')).toMatchObject({ model: 'claude-haiku-4-5' })
    // A flag comes first.
    expect(await send('talk', 'And now?', '--model', 'claude-sonnet-5', ...baseUrl())).toMatchObject({
      model: 'claude-sonnet-5',
    })
    for (const { text } of server.requests) expect(text).toContain('Answer in this language: German.')
    // One for all projects is for sessions that name none.
    await box.cairn('config', 'set', 'model', 'claude-haiku-4-5')
    expect(await send('silent', 'Hi.', ...baseUrl())).toMatchObject({ model: 'claude-haiku-4-5' })
    expect(server.requests.at(-1)?.text).not.toContain('German')
    for (const key of ['model', 'baseUrl', 'language']) await box.cairn('config', 'unset', key, ...session)
    await box.cairn('config', 'unset', 'model')
    expect(await send('talk', 'And after that?', ...baseUrl())).toMatchObject({ model: 'claude-sonnet-5' })
  })

  it('tells of attempts that are made again on standard error only', async () => {
    failing({ kind: 'refuse', as: 'overloaded' }, { kind: 'cut', at: 'in-text' })
    const { code, stdout, stderr } = await box.cairn(
      'context',
      'send',
      'talk',
      'Again?',
      '--model',
      'claude-sonnet-5',
      ...baseUrl(),
    )
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Reply 1 of claude-sonnet-5: all is well, and 2 × 2 = 4 ✓.\n' })
    expect(stderr).toMatch(/asked again in .* s \(attempt 2\).*\n.*\(attempt 3\)/)
    expect(stderr.split('\n').length).toBe(4)
  })

  it('says in a sentence what failed, and does not repeat the message when it is sent again', async () => {
    const send = () => box.cairn('context', 'send', 'talk', 'Only once?', '--model', 'claude-sonnet-5', ...baseUrl())
    failing({ kind: 'refuse', as: 'quota' })
    const before = await totals()
    const failed = await send()
    expect([failed.code, failed.stdout]).toEqual([1, ''])
    const [, show = ''] =
      /Your message is in the session \((cairn session show talk)\); the same/.exec(failed.stderr) ?? []
    // From a folder without sessions of its own, too.
    expect((await box.shell(show)).stdout).toContain('Only once?')
    expect(failed.stderr.split('\n').length).toBe(2)
    expect(await totals()).toBe(before)
    expect((await send()).code).toBe(0)
    expect(server.requests.at(-1)?.text.split('Only once?').length).toBe(2)
    expect(await totals()).toBe(before + 1)
  })

  it('ends at Ctrl-C, and records what was billed', async () => {
    const before = await cancelledOrBilled()
    server.script({ fault: { kind: 'stall', at: 'in-text' } })
    const args = ['context', 'send', 'talk', 'Stop?', '--model', 'claude-sonnet-5', ...baseUrl()]
    const child = spawn(process.execPath, [BIN, ...args], {
      env: environmentOf(box.folder, KEYS),
      cwd: box.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = resultOf(child)
    const untilAsked = async (): Promise<void> => {
      while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await untilAsked()
    child.kill('SIGINT')
    const { code, stdout, stderr } = await ended
    expect([code, stdout]).toEqual([130, ''])
    expect(stderr).toMatch(/^Stopped\. Your message/)
    expect(await cancelledOrBilled()).toBe(before + 1)
    const again = await box.cairn(...args)
    expect(again.code).toBe(0)
    expect(server.requests.at(-1)?.text.split('Stop?').length).toBe(2)
  })

  it('refuses in one sentence what can not be asked, and writes nothing', async () => {
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [['talk', ' '], 2, /The message is empty/],
      [['nobody', 'Hi.'], 1, /no session whose id is, or starts with, "nobody"/],
      [['mute', 'Hi.'], 2, /names no model that it used: name one with --model/],
      [['grok', 'Hi.'], 2, /The session's last model is grok-4\. .*--provider.*name another model with --model/],
      [['talk', 'Hi.', '--model', 'claude-sonet-5'], 2, /There is no model 'claude-sonet-5'.*Nearest: claude-sonnet-5/],
      [['talk', 'Hi.', '--provider', 'antropic'], 2, /Did you mean 'anthropic'\?/],
      [['talk', 'Hi.', '--base-url', 'localhost:8080'], 2, /--base-url takes an address such as http:/],
      [['shwo', 'Hi.'], 2, /Did you mean 'cairn context show'\?/],
    ]
    const before = (await box.cairn('session', 'list', '--json')).stdout
    for (const [args, code, sentence] of cases) {
      const result = await box.cairn('context', 'send', ...args)
      expect([args, result.code, result.stdout]).toEqual([args, code, ''])
      expect(result.stderr).toMatch(sentence)
      expect(result.stderr.split('\n').length).toBe(2)
    }
    expect((await box.cairn('session', 'list', '--json')).stdout).toBe(before)
    const poor = createSandbox()
    poor.file('data/placeholder', '')
    await poor.cairn('import', '--from', `${box.folder}/home/.claude/projects/app/talk.jsonl`)
    const keyless = await poor.cairn('context', 'send', 'talk', 'Hi.')
    expect(keyless.code).toBe(1)
    expect(keyless.stderr).toMatch(/There is no key for Anthropic: .*ANTHROPIC_API_KEY/)
    poor.remove()
  })
})
