/** `cairn replay` as a process: the documented JSON fields, a trace that adds up, and errors. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { textWidth } from '../terminal/text-width.ts'
import { claudeLine } from '../testing/transcripts.ts'

let box: Sandbox

const FIELDS = [
  'policy',
  'requests',
  'costUsd',
  'costWithRestoresUsd',
  'costRelative',
  'cacheHitRatio',
  'peakTokens',
  'removals',
  'overflows',
  'referencesVisible',
  'anchorsVisible',
  'missedReferences',
  'missedContent',
]

interface Report {
  readonly session: string
  readonly window: number
  readonly prices: Readonly<Record<string, number>>
  readonly policies: readonly Readonly<Record<string, number | string>>[]
}

interface TraceLine {
  readonly policy: string
  readonly request: number
  readonly at: number
  readonly blocks: readonly {
    readonly message: number | null
    readonly block: number | null
    readonly state: string
    readonly tokens: number
    readonly text?: string
  }[]
}

const time = (second: number): string => new Date(Date.UTC(2026, 0, 31, 8, 0, second)).toISOString()

/** Questions and answers of about 1,000 tokens each. */
const longTalk = (rounds: number): string =>
  Array.from({ length: rounds }, (_, index) => [
    claudeLine({
      session: 'talk-1',
      id: `u${index}`,
      at: time(index * 10),
      role: 'user',
      text: `Question ${index}: ${'why '.repeat(300)}`,
    }),
    claudeLine({
      session: 'talk-1',
      id: `a${index}`,
      at: time(index * 10 + 5),
      text: `Answer ${index}: ${'because '.repeat(300)}`,
      tokens: [1, 2, 3, 900],
    }),
  ])
    .flat()
    .map((line) => `${line}\n`)
    .join('')

beforeAll(() => {
  box = createSandbox()
  box.file('talk.jsonl', longTalk(30))
  box.file('talk.jsonl.gz', gzipSync(longTalk(30)))
})

afterAll(() => box.remove())

describe('replay of a file', () => {
  it('has the documented JSON fields, and creates no store', async () => {
    const report = (await box.json('replay', 'talk.jsonl')) as Report
    expect(report).toMatchObject({
      session: 'claude-code:talk-1',
      window: 200_000,
      prices: { input: 3, output: 15, write: 3.75, read: 0.3 },
    })
    expect(report.policies.map(({ policy }) => policy)).toEqual(['none', 'cline', 'clio', 'cache-aware'])
    for (const policy of report.policies) {
      expect(Object.keys(policy)).toEqual(expect.arrayContaining(FIELDS))
      expect(policy).toMatchObject({ requests: 30 })
    }
    expect(report.policies[0]).toMatchObject({ costRelative: 1, overflows: 0, removals: 0, missedReferences: 0 })
    expect(existsSync(join(box.folder, 'data'))).toBe(false)
  })

  it('reads a compressed file the same', async () => {
    expect(await box.json('replay', 'talk.jsonl.gz')).toEqual(await box.json('replay', 'talk.jsonl'))
  })

  it('compares with the policy none even if that was not asked for, and counts requests larger than the window', async () => {
    const all = (await box.json('replay', 'talk.jsonl', '--window', '30000')) as Report
    const one = (await box.json('replay', 'talk.jsonl', '--window', '30000', '--policy', 'clio')) as Report
    expect(all.policies[0]?.['overflows']).toBeGreaterThan(0)
    expect(one.policies).toEqual(all.policies.filter(({ policy }) => policy === 'clio'))
    expect(one.policies[0]?.['costRelative']).toBeLessThan(1)
    // What every policy has to keep is larger than this window.
    const { stdout } = await box.cairn('replay', 'talk.jsonl', '--window', '300', '--prefix', '100')
    expect(stdout.replaceAll('\n', ' ')).toMatch(
      /Warning: 30 of 30 requests under cline, .* are larger than the window and could not have been sent/,
    )
  })

  it("prices by a model's name, or without a cache", async () => {
    expect(await box.json('replay', 'talk.jsonl', '--policy', 'none', '--prices', 'claude-opus-4-1')).toMatchObject({
      prices: { input: 15, output: 75, write: 18.75, read: 1.5 },
    })
    const uncached = (await box.json('replay', 'talk.jsonl', '--prices', '3,15,-,-')) as Report
    expect(uncached.prices).toEqual({ input: 3, output: 15, write: 3, read: 3 })
    expect(uncached.policies.map((policy) => policy['cacheHitRatio'])).toEqual([0, 0, 0, 0])
  })

  it('prints tables within 80 columns, the last line of sums starting with Total', async () => {
    const { code, stdout, stderr } = await box.cairn('replay', 'talk.jsonl', '--window', '30000')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])
    expect(stdout).toMatch(/^Total /m)
    expect(stdout).toMatch(/^cache-aware .*\$/m)
    expect(stdout.replaceAll('\n', ' ')).toMatch(
      /Append only, simulated, costs \$\S+ and does not fit the window in \d+ requests; what the agent did, simulated, \$\S+\. clio, simulated, costs \$\S+: \$\S+ \(\S+ %\) less than what the agent did/,
    )
  })
})

describe("other agents' files", () => {
  const at = time(0)
  const codex = [
    {
      timestamp: at,
      type: 'session_meta',
      payload: {
        id: '0198c0de-0000-7000-8000-000000000001',
        timestamp: at,
        cwd: '/code',
        originator: 'codex',
        cli_version: '1',
        model_provider: 'openai',
      },
    },
    {
      timestamp: at,
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
    },
    {
      timestamp: at,
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] },
    },
  ]
  const pi = [
    { type: 'session', version: 3, id: '11111111-2222-4333-8444-555555555555', timestamp: at, cwd: '/code' },
    { type: 'message', id: 'u', parentId: null, timestamp: at, message: { role: 'user', content: 'hello' } },
    {
      type: 'message',
      id: 'a',
      parentId: 'u',
      timestamp: at,
      message: { role: 'assistant', model: 'm', provider: 'p', content: [{ type: 'text', text: 'hi' }] },
    },
  ]
  const generic = [
    { session: 'g', role: 'user', text: 'hello', at: null },
    { session: 'g', role: 'assistant', text: 'hi', at: null },
  ]

  it.each([
    ['codex', codex],
    ['pi', pi],
    ['generic', generic],
  ])('of %s are replayed', async (agent, lines) => {
    box.file(`${agent}.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const report = (await box.json('replay', `${agent}.jsonl`, '--chars-per-token', '1')) as Report
    expect(report.session.startsWith(`${agent}:`)).toBe(true)
    // The prefix, "hello", and what frames a text.
    expect(report.policies.map(({ requests, peakTokens }) => [requests, peakTokens])).toEqual(
      report.policies.map(() => [1, 20_000 + 5 + 4]),
    )
  })
})

it('reads a folder with one transcript below, also a compressed one', async () => {
  box.file('samples/pi/sessions/talk.jsonl.gz', gzipSync(longTalk(2)))
  const { code, stderr } = await box.cairn('replay', 'samples/pi', '--policy', 'none')
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Read: samples/pi/sessions/talk.jsonl.gz.\n' })
  box.file('samples/other/deeper/talk.jsonl', longTalk(2))
  const several = await box.cairn('replay', 'samples')
  expect([several.code, several.stdout]).toEqual([1, ''])
  expect(several.stderr).toMatch(/several transcripts; .*pi\/sessions\/talk\.jsonl\.gz/)
})

describe("a task's folder of Roo", () => {
  const messageOf = (ts: number, role: string, text: string) => ({ role, ts, content: [{ type: 'text', text }] })

  it.each(['', '/api_conversation_history.json', '/ui_messages.json'])(
    'is replayed from its messages (%s)',
    async (fileName) => {
      const task = '.roo/tasks/1700000000000'
      box.file(
        `${task}/api_conversation_history.json`,
        JSON.stringify([messageOf(10, 'user', '<task>\nFix it\n</task>'), messageOf(20, 'assistant', 'Done.')]),
      )
      box.file(`${task}/ui_messages.json`, JSON.stringify([{ ts: 10, type: 'say', say: 'text', text: 'Fix it' }]))
      const report = (await box.json('replay', `${task}${fileName}`)) as Report
      expect([report.session, report.policies[0]?.['requests']]).toEqual(['roo:1700000000000', 1])
    },
  )
})

describe('the trace', () => {
  it('has each request of each policy, from which the cost of none can be computed', async () => {
    const report = (await box.json(
      'replay',
      'talk.jsonl',
      '--policy',
      'none,clio',
      '--window',
      '30000',
      '--trace',
      'out/../trace.jsonl',
    )) as Report
    const lines = readFileSync(join(box.folder, 'trace.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as TraceLine)
    expect(lines.map(({ policy, request }) => `${policy} ${request}`)).toEqual(
      ['none', 'clio'].flatMap((policy) => Array.from({ length: 30 }, (_, request) => `${policy} ${request}`)),
    )
    expect(lines[1]).toMatchObject({ at: Date.parse(time(15)) })
    expect(lines[1]?.blocks.map(({ message, block, state }) => [message, block, state])).toEqual(
      [0, 1, 2].map((message) => [message, 0, 'full']),
    )
    let cost = 0
    let before = 0
    for (const { policy, blocks } of lines) {
      if (policy !== 'none') continue
      const input = 20_000 + blocks.reduce((sum, { tokens }) => sum + tokens, 0)
      cost += (before * 0.3 + (input - before) * 3.75 + 900 * 15) / 1e6
      before = input
    }
    expect(report.policies[0]?.['costUsd']).toBeCloseTo(cost, 9)
    const changed = lines.flatMap(({ blocks }) => blocks).filter(({ state }) => state !== 'full')
    expect(changed.length).toBeGreaterThan(0)
    expect(changed.every(({ text }) => typeof text === 'string')).toBe(true)
    expect(
      changed
        .filter(({ state }) => state === 'digest')
        .every(({ message, block }) => message === null && block === null),
    ).toBe(true)
  })

  it.each([
    ['nowhere/trace.jsonl', /^nowhere\/trace\.jsonl can't be written: there is no such folder\.\n$/],
    ['folder', /^folder can't be written: it is a folder\.\n$/],
    ['/dev/full', /^\/dev\/full can't be written: ENOSPC: no space left on device\.\n$/],
  ])('to %s leaves no file, and fails with one sentence', async (target, sentence) => {
    mkdirSync(join(box.folder, 'folder'), { recursive: true })
    const { code, stdout, stderr } = await box.cairn('replay', 'talk.jsonl', '--trace', target)
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) })
    expect(readdirSync(box.folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('keeps the mode of a file that it replaces', async () => {
    const path = box.file('shared.jsonl', 'old')
    chmodSync(path, 0o664)
    expect((await box.cairn('replay', 'talk.jsonl', '--policy', 'none', '--trace', 'shared.jsonl')).code).toBe(0)
    expect(statSync(path).mode & 0o777).toBe(0o664)
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(31)
  })

  it('never replaces the transcript', async () => {
    const { code, stderr } = await box.cairn('replay', 'talk.jsonl', '--trace', './talk.jsonl')
    expect(code).toBe(2)
    expect(stderr).toContain('would replace the transcript itself')
    expect(readFileSync(join(box.folder, 'talk.jsonl'), 'utf8')).toBe(longTalk(30))
  })
})

describe('replay of a stored session', () => {
  it('gives the same as a replay of its file', async () => {
    await box.cairn('import', '--from', 'talk.jsonl', '--store', 'file:s.db')
    const stored = (await box.json('replay', 'talk', '--window', '30000', '--store', 'file:s.db')) as Report
    expect(stored).toEqual(await box.json('replay', 'talk.jsonl', '--window', '30000'))
    const unknown = await box.cairn('replay', 'nobody', '--store', 'file:s.db')
    expect(unknown.code).toBe(1)
    expect(unknown.stderr).toMatch(/There is no session whose id is, or starts with, "nobody"/)
  })
})

describe('bad input', () => {
  beforeAll(() => {
    box.file('empty.jsonl', '')
    box.file('other.jsonl', '{"a":1}\n')
    box.file('notes.txt', 'not a transcript\n')
    box.file('question.jsonl', `${claudeLine({ session: 'q', id: 'u', at: time(0), role: 'user', text: 'Hello?' })}\n`)
  })

  it.each([
    [['talk.jsonl', '--policy', 'clime'], 2, /no policy 'clime'.*Did you mean 'cline'/],
    [['talk.jsonl', '--preset', 'brave'], 2, /--preset takes one of safe, quality, lean/],
    [['talk.jsonl', '--window', '20000'], 2, /A window of 20,000 tokens has no room beside a prefix of 20,000/],
    [['talk.jsonl', '--window', '-5'], 2, /--window takes a whole number/],
    [['talk.jsonl', '--prefix', '-1'], 2, /--prefix takes a whole number/],
    [['talk.jsonl', '--ttl', 'long'], 2, /--ttl takes a whole number/],
    [['talk.jsonl', '--chars-per-token', '0'], 2, /--chars-per-token takes a number above 0/],
    [['talk.jsonl', '--prices', '3,15'], 2, /--prices takes a model's name or four prices/],
    [['talk.jsonl', '--prices', 'no-such-model'], 2, /No price is known for the model 'no-such-model'/],
    [['talk.jsonl', '--trace', '/dev/stdout'], 2, /--trace takes a file/],
    [['talk.jsonl', '--trace', '-'], 2, /--trace takes a file, not -: the report goes there/],
    [[], 2, /argument/],
    [['empty.jsonl'], 1, /empty\.jsonl/],
    [['question.jsonl'], 1, /question\.jsonl holds no reply of a model/],
    [['other.jsonl'], 1, /not a transcript of a known agent/],
    [['notes.txt'], 1, /not JSON Lines/],
    [['missing.jsonl'], 1, /There is no file missing\.jsonl/],
    [['.'], 1, /is a folder/],
  ])('%j ends with %i and one sentence', async (args, expected, sentence) => {
    const { code, stdout, stderr } = await box.cairn('replay', ...args)
    expect({ code, stdout, stderr }).toEqual({ code: expected, stdout: '', stderr: expect.stringMatching(sentence) })
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('is reported as JSON with --json', async () => {
    const { code, stdout } = await box.cairn('replay', 'other.jsonl', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'invalid-input' } })
  })
})
