/** `cairn context` as a process: what would be sent and why, and pins that hold in a real store. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'
import { textWidth } from '../terminal/text-width.ts'

let box: Sandbox
const STORE = ['--store', 'file:s.db']
const ESCAPES = '\u001b[2J\u001b]0;owned\u0007 and \u202e turned'
const READS = 14
const FILE = 'a line of a file that nobody mentions again\n'.repeat(300)

interface Block {
  readonly block: number
  readonly kind: string
  readonly state: string
  readonly why: string
  readonly tokens: number
  readonly tokensSent: number
  readonly changesNow: boolean
  readonly restore: string | null
  readonly text: string
}
interface Shown {
  readonly session: { readonly id: string }
  readonly tokens: number
  readonly room: number
  readonly level: string
  readonly decisions: readonly unknown[]
  readonly messages: readonly {
    readonly id: string
    readonly shortId: string
    readonly seq: number
    readonly role: string
    readonly at: number | null
    readonly blocks: readonly Block[]
  }[]
  readonly totals: readonly { readonly kind: string; readonly tokens: number }[]
}

const time = (second: number): string => new Date(Date.UTC(2026, 0, 31, 8, 0, second)).toISOString()

/** A call and its result, in Claude Code's form. */
const readLines = (session: string, index: number, cwd: string): readonly string[] => {
  const common = { sessionId: session, cwd, gitBranch: 'main' }
  const call = { type: 'tool_use', id: `toolu_${index}`, name: 'Read', input: { file_path: `src/f${index}.ts` } }
  return [
    JSON.stringify({
      ...common,
      type: 'assistant',
      uuid: `${index}aaaaaaa-call`,
      timestamp: time(index * 10),
      requestId: `req-${session}-${index}`,
      message: {
        id: `msg-${session}-${index}`,
        role: 'assistant',
        model: 'claude-sonnet-4-5-20250929',
        content: [call],
        usage: { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 50 },
      },
    }),
    JSON.stringify({
      ...common,
      type: 'user',
      uuid: `${index}bbbbbbb-result`,
      timestamp: time(index * 10 + 1),
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `toolu_${index}`, content: `${index}\n${FILE}` }],
      },
    }),
  ]
}

const transcript = (session: string, cwd: string): string =>
  [
    claudeLine({ session, id: 'first-question', at: time(0), role: 'user', text: 'Read all of them', cwd }),
    ...Array.from({ length: READS }, (_, index) => readLines(session, index + 1, cwd)).flat(),
    claudeLine({
      session,
      id: 'the-answer',
      at: time(300),
      text: `Done: ${ESCAPES}`,
      cwd,
      tokens: [10, 67_000, 20, 50],
    })
      .replace('"req-the-answer"', `"req-${session}-answer"`)
      .replace('"msg-the-answer"', `"msg-${session}-answer"`),
    claudeLine({ session, id: 'last-question', at: time(310), role: 'user', text: 'Now explain f3.ts', cwd }),
  ]
    .map((line) => `${line}\n`)
    .join('')

const show = async (...args: readonly string[]): Promise<Shown> => (await box.json('context', 'show', ...args)) as Shown
const blockOf = (shown: Shown, id: string, index = 0): Block | undefined =>
  shown.messages.find((message) => message.id.startsWith(id))?.blocks[index]
const fingerprint = (): string =>
  createHash('sha256')
    .update(readFileSync(join(box.folder, 's.db')))
    .digest('hex')

beforeAll(async () => {
  box = createSandbox()
  box.file('logs/reads.jsonl', transcript('reads-1', box.folder))
  box.file('logs/other.jsonl', transcript('other-1', '/code/elsewhere'))
  await box.cairn('import', '--from', 'logs', ...STORE)
})

afterAll(() => box.remove())

describe('context show', () => {
  it('prints one JSON document with each message, its blocks, and sums that agree', async () => {
    const { code, stdout } = await box.cairn('context', 'show', 'reads-1', '--json', ...STORE)
    expect(code).toBe(0)
    const shown = JSON.parse(stdout) as Shown
    expect(Object.keys(shown)).toEqual([
      'session',
      'at',
      'model',
      'estimates',
      'policy',
      'preset',
      'window',
      'windowFrom',
      'prefixTokens',
      'lastInputTokens',
      'room',
      'tokens',
      'level',
      'fits',
      'overflow',
      'cache',
      'cost',
      'decisions',
      'messages',
      'totals',
    ])
    expect(shown).toMatchObject({
      model: 'claude-sonnet-4-5-20250929',
      // One request has no growth to learn from.
      estimates: { learned: false, from: 'model' },
      policy: 'cache-aware',
      preset: 'safe',
      window: 200_000,
      windowFrom: 'model',
      level: 'ok',
      fits: true,
      overflow: null,
      cache: { cold: true },
      lastInputTokens: 67_030,
    })
    const blocks = shown.messages.flatMap(({ blocks: own }) => own)
    expect(Object.keys(blocks[0] ?? {})).toEqual([
      'block',
      'kind',
      'type',
      'tool',
      'path',
      'stale',
      'state',
      'why',
      'reason',
      'by',
      'tokens',
      'tokensSent',
      'changesNow',
      'restore',
      'text',
    ])
    expect(blocks.reduce((sum, { tokensSent }) => sum + tokensSent, 0)).toBe(shown.tokens)
    expect(shown.totals.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(shown.tokens)
    expect(blockOf(shown, 'last-question')).toMatchObject({ kind: 'user', state: 'full', why: 'newest-user' })
  })

  it('shows the newest session of the project when none is named', async () => {
    expect((await show(...STORE)).session.id).toBe('claude-code:reads-1')
    expect((await show('--workspace', 'elsewhere', ...STORE)).session.id).toBe('claude-code:other-1')
    expect(JSON.parse((await box.cairn('context', '--json', ...STORE)).stdout)).toMatchObject({
      session: { id: 'claude-code:reads-1' },
    })
    const none = await box.cairn('context', 'show', '--workspace', 'nowhere', ...STORE)
    expect({ code: none.code, stderr: none.stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^No session of nowhere is in the store\. Name the one that you mean, such as \S+ \(the newest of \d+\): cairn session list --store \S+ shows them\.\n$/,
      ) as unknown,
    })
  })

  it('fits 80 columns, neutralises control sequences, and ends with the total', async () => {
    for (const args of [
      [],
      ['--all'],
      ['--policy', 'cline', '--window', '50000'],
      ['--policy', 'none', '--window', '50000'],
    ]) {
      const { code, stdout, stderr } = await box.cairn('context', 'show', 'reads-1', ...args, ...STORE)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])
      // eslint-disable-next-line no-control-regex -- what must not be there
      expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/)
      expect(stdout.trim().split('\n').at(-1)).toMatch(/^Total /)
    }
  })

  it('shows the window, its usage, the level, and what the policy would change', async () => {
    const { stdout } = await box.cairn('context', 'show', 'reads-1', '--window', '60000', ...STORE)
    expect(stdout).toMatch(/^model {4}claude-sonnet-4-5-20250929; window 60,000 tokens$/m)
    expect(stdout).toMatch(/would change \d+ blocks now \(\*\)/)
    expect(stdout).toMatch(/cold: last request 2026-01-31 08:05; the next request's input costs\s+\$0\.\d+\s+cold/)
    expect(stdout).toContain(`to bring a block back: cairn context restore`)
    const over = await box.cairn('context', 'show', 'reads-1', '--policy', 'none', '--window', '50000', ...STORE)
    expect(over.stdout).toMatch(/%,\s+over\)/)
    expect(over.stdout).toMatch(/The request needs about \d+ tokens/)
  })

  it('shows a session as of an earlier time', async () => {
    const shown = await show('reads-1', '--at', '2026-01-31 08:00:11', ...STORE)
    expect(shown.messages.map(({ id }) => id.slice(-6))).toEqual(['estion', 'a-call', 'result'])
    expect((await show('reads-1', '--at', '2020-01-01', ...STORE)).messages).toEqual([])
  })

  it('writes nothing', async () => {
    const before = fingerprint()
    const log = await box.json('session', 'show', 'reads-1', ...STORE)
    expect((await show('reads-1', '--window', '50000', ...STORE)).decisions.length).toBeGreaterThan(0)
    await box.cairn('context', 'show', 'reads-1', '--policy', 'clio', '--window', '50000', '--all', ...STORE)
    expect(await box.json('session', 'show', 'reads-1', ...STORE)).toEqual(log)
    expect(fingerprint()).toBe(before)
  })

  it.each([
    [['show', 'nothing'], 1, /^There is no session/],
    [['shwo'], 2, /Did you mean 'cairn context show'\?/],
    [['show', ''], 2, /^Which session\?/],
    [['show', '--policy', 'clime'], 2, /--policy takes one of .*Did you mean 'cline'/],
    [['show', '--preset', 'fast'], 2, /--preset takes one of safe, quality, lean/],
    [['show', '--window', '0'], 2, /--window takes a whole number of at least 1/],
    [['show', '--at', 'someday'], 2, /'someday' is not a time/],
    [
      ['show', 'reads-1', '--window', '1000', '--prefix', '5000'],
      1,
      /leaves no room for a message in a window of 1000/,
    ],
    [['pin'], 2, /^Missing required argument 'message'/],
    [['pin', ''], 2, /^Which message\?/],
    [['drop', '1aaaaaaa-call:7', '--session', 'reads-1'], 1, /^Message 1aaaaaaa-call has one block, :0/],
    [['restore', 'nobody', '--session', 'reads-1'], 1, /^There is no message whose id is, or starts with, "nobody"/],
    [['pin', '1', '--session', 'reads-1'], 2, /^"1" could be several messages; give more of the id: 1/],
  ])('refuses %j in one sentence', async (args, expected, sentence) => {
    const { code, stdout, stderr } = await box.cairn('context', ...args, ...STORE)
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('creates no store', async () => {
    for (const args of [['show'], ['pin', 'x']])
      expect((await box.cairn('context', ...args, '--store', 'file:none.db')).code).toBe(2)
    expect(existsSync(join(box.folder, 'none.db'))).toBe(false)
  })

  it.each(['show', 'pin', 'drop', 'restore'])('%s --help teaches with examples', async (name) => {
    const { code, stdout } = await box.cairn('context', name, '--help')
    expect(code).toBe(0)
    for (const text of ['Examples:', '--json', '--store', '--workspace']) expect(stdout).toContain(text)
    expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])
  })
})

describe('context pin, drop and restore', () => {
  const own = ['--store', 'file:own.db']
  const pins = ['--store', 'file:pins.db']
  const SMALL = ['--window', '50000']

  beforeAll(async () => {
    await box.cairn('import', '--from', 'logs', ...own)
    await box.cairn('import', '--from', 'logs', ...pins)
    await box.cairn('context', 'pin', '3bbbbbbb', ...pins)
  })

  it.each(['none', 'cline', 'clio', 'cache-aware'])(
    'pinned blocks survive the policy %s in the store',
    async (policy) => {
      const before = await show('reads-1', '--policy', policy, ...SMALL, ...STORE)
      if (policy !== 'none') expect(blockOf(before, '3bbbbbbb')?.state).not.toBe('full')
      const after = await show('reads-1', '--policy', policy, ...SMALL, ...pins)
      const pinned = blockOf(after, '3bbbbbbb')
      expect(pinned).toMatchObject({ state: 'pinned', why: 'pinned', changesNow: false, restore: null })
      expect(pinned?.tokensSent).toBe(pinned?.tokens)
      expect(blockOf(after, '3aaaaaaa')).toMatchObject({ state: 'pinned' })
      if (policy !== 'none') expect(after.tokens).toBeLessThanOrEqual(after.room)
    },
  )

  it('drops a call with its result, says so, and names an undo that works', async () => {
    const before = await show('reads-1', '--policy', 'none', ...own)
    const dropped = await box.cairn('context', 'drop', '2aaaaaaa:0', ...own)
    expect(dropped).toMatchObject({ code: 0, stderr: '' })
    expect(dropped.stdout).toMatch(
      /^2aaaaaaa:0 is dropped: it is not sent any more; its result goes with it; the next request shrinks by about [\d,]+ tokens under cache-aware\. Undo: cairn context restore 2aaaaaaa:0 --store file:own\.db\n$/,
    )
    const without = await show('reads-1', '--policy', 'none', ...own)
    expect([blockOf(without, '2aaaaaaa')?.state, blockOf(without, '2bbbbbbb')?.state]).toEqual(['dropped', 'dropped'])
    expect(without.tokens).toBeLessThan(before.tokens - 1000)
    const [, undo = ''] = /Undo: cairn (.*)\n$/.exec(dropped.stdout) ?? []
    expect((await box.cairn(...undo.split(' '))).stdout).toMatch(
      /^2aaaaaaa:0 is left to the policy again; its result goes with it; the next request grows by about [\d,]+ tokens under cache-aware\. Undo: /,
    )
    expect((await show('reads-1', '--policy', 'none', ...own)).messages).toEqual(before.messages)
  })

  it('says when the next request grows by what was dropped', async () => {
    const { stdout } = await box.cairn('context', 'drop', '2bbbbbbb:0', ...pins)
    expect(stdout).toMatch(
      /^2bbbbbbb:0 is dropped: it is not sent any more; the model is told that its result is missing; the next request grows by about [\d,]+ tokens under cache-aware, which then chooses differently\. Undo: /,
    )
  })

  it('restores what the policy would leave out, and can be undone', async () => {
    const store = ['--store', 'file:restore.db']
    await box.cairn('import', '--from', 'logs', ...store)
    const gone = (await show('reads-1', ...store)).messages.find(
      ({ id, blocks }) => id.includes('result') && blocks.some(({ state }) => state === 'shortened'),
    )
    expect(gone).toBeDefined()
    const id = gone?.shortId ?? ''
    expect(gone?.blocks[0]?.restore).toBe(`cairn context restore ${id}:0 --session reads-1 --store file:restore.db`)
    expect((await box.cairn('context', 'restore', id, ...store)).stdout).toMatch(
      /is back in the context, pinned so that no policy takes it out again; its call goes with it/,
    )
    expect(blockOf(await show('reads-1', ...store), id)).toMatchObject({ state: 'pinned' })
    expect((await box.cairn('context', 'restore', id, ...store)).stdout).toContain('is left to the policy again')
    expect(blockOf(await show('reads-1', ...store), id)).toMatchObject({ state: 'shortened' })
  })

  it('says when there is nothing to do, and writes nothing then', async () => {
    await box.cairn('context', 'pin', 'the-answer', ...own)
    const entries = ((await box.json('session', 'show', 'reads-1', ...own)) as { readonly entries: readonly unknown[] })
      .entries.length
    expect(await box.json('context', 'pin', 'the-answer', ...own)).toMatchObject({
      changed: false,
      before: 'pinned',
      after: 'pinned',
      undo: null,
    })
    expect((await box.cairn('context', 'restore', 'last-question', ...own)).stdout).toMatch(
      /is in the context as it was said; .* nothing was changed\.\n$/,
    )
    expect(
      ((await box.json('session', 'show', 'reads-1', ...own)) as { readonly entries: readonly unknown[] }).entries,
    ).toHaveLength(entries)
  })

  it('answers as JSON', async () => {
    const answer = (await box.json('context', 'drop', 'last-question', '--session', 'reads-1', ...own)) as Record<
      string,
      unknown
    >
    expect(answer).toMatchObject({
      session: 'claude-code:reads-1',
      messageId: 'last-question',
      block: null,
      action: 'drop',
      changed: true,
      before: 'automatic',
      after: 'dropped',
      along: [],
      undo: 'cairn context restore last-que --session reads-1 --store file:own.db',
      next: { fits: true },
    })
    expect(answer['tokens']).toBeLessThan(0)
    await box.cairn('context', 'restore', 'last-question', ...own)
  })

  it('reports how much the next request grows under its policy', async () => {
    const store = ['--store', 'file:growth.db']
    await box.cairn('import', '--from', 'logs', ...store)
    const before = await show('reads-1', ...store)
    const leaving =
      before.messages.find(
        ({ id, blocks }) =>
          id.includes('result') && blocks.some(({ state, changesNow }) => state === 'shortened' && changesNow),
      )?.shortId ?? ''
    const pinned = (await box.json('context', 'pin', leaving, ...store)) as {
      readonly tokens: number
      readonly next: { readonly tokens: number }
    }
    expect(pinned.tokens).toBeGreaterThan(1000)
    expect(pinned.next.tokens - before.tokens).toBe(pinned.tokens)
    expect((await show('reads-1', ...store)).tokens).toBe(pinned.next.tokens)
  })

  it('neutralises ids of other programs', async () => {
    const store = ['--store', 'file:odd.db']
    box.file(
      'odd.jsonl',
      ['31', '32']
        .map(
          (colour) => `${JSON.stringify({ session: 'odd', id: `ab\u001b[${colour}mx`, role: 'user', text: 'hi' })}\n`,
        )
        .join(''),
    )
    await box.cairn('import', '--from', 'odd.jsonl', '--agent', 'generic', ...store)
    expect(await box.cairn('context', 'drop', 'ab', '--session', 'odd', ...store)).toEqual({
      code: 2,
      stdout: '',
      stderr: '"ab" could be several messages; give more of the id: ab␛[31mx, ab␛[32mx.\n',
    })
  })

  it('keeps all of twelve decisions at the same time', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `${index + 2}bbbbbbb`)
    const codes = await Promise.all(ids.map(async (id) => (await box.cairn('context', 'drop', id, ...own)).code))
    expect(codes).toEqual(ids.map(() => 0))
    const shown = await show('reads-1', ...own)
    expect(ids.map((id) => blockOf(shown, id)?.state)).toEqual(ids.map(() => 'dropped'))
  })

  it('an incremental import keeps the decisions', async () => {
    const store = ['--store', 'file:grow.db']
    const file = box.file('growing/talk.jsonl', transcript('grow-1', '/code/grow'))
    await box.cairn('import', '--from', 'growing', ...store)
    await box.cairn('context', 'drop', '6bbbbbbb', '--session', 'grow-1', ...store)
    appendFileSync(
      file,
      `${claudeLine({ session: 'grow-1', id: 'later-answer', at: time(400), text: 'It exports a.' })}\n`,
    )
    expect(await box.json('import', '--from', 'growing', ...store)).toMatchObject({ messages: 1 })
    const shown = await show('grow-1', ...store)
    expect(blockOf(shown, '6bbbbbbb')?.state).toBe('dropped')
    expect(blockOf(shown, 'later-answer')).toMatchObject({ state: 'full', why: 'new' })
  })
})
