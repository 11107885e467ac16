/** Taking sessions back, trimming, choosing, naming and exporting them, as processes over one store. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { claudeLine, claudeSession } from '../testing/transcripts.ts'
import { textWidth } from '../terminal/text-width.ts'

let box: Sandbox
const STORE = ['--store', 'file:s.db']
const FILE = 'a line of a file that nobody mentions again\n'.repeat(300)
const READS = 10
const time = (second: number): string => new Date(Date.UTC(2026, 0, 31, 8, 0, second)).toISOString()

const readLines = (index: number, cwd: string): readonly string[] => {
  const common = { sessionId: 'long', cwd, gitBranch: 'main' }
  return [
    JSON.stringify({
      ...common,
      type: 'assistant',
      uuid: `call-${index}`,
      timestamp: time(index * 10),
      requestId: `req-${index}`,
      message: {
        id: `msg-${index}`,
        role: 'assistant',
        model: 'claude-sonnet-4-5-20250929',
        content: [{ type: 'tool_use', id: `toolu_${index}`, name: 'Read', input: { file_path: `src/f${index}.ts` } }],
        usage: { input_tokens: 10, output_tokens: 50 },
      },
    }),
    JSON.stringify({
      ...common,
      type: 'user',
      uuid: `result-${index}`,
      timestamp: time(index * 10 + 1),
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `toolu_${index}`, content: `${index}\n${FILE}` }],
      },
    }),
  ]
}

beforeAll(async () => {
  box = createSandbox()
  const cwd = box.folder
  const lines = [
    claudeLine({ session: 'long', id: 'first-question', at: time(0), role: 'user', text: 'Read all of them', cwd }),
    ...Array.from({ length: READS }, (_, index) => readLines(index + 1, cwd)).flat(),
    claudeLine({ session: 'long', id: 'the-answer', at: time(300), text: 'All of them are <b>read</b>.', cwd }),
    claudeLine({ session: 'long', id: 'last-question', at: time(310), role: 'user', text: 'Now explain f3.ts', cwd }),
  ]
  box.file('logs/long.jsonl', lines.map((line) => `${line}\n`).join(''))
  box.file('logs/other.jsonl', claudeSession('other', '2026-01-30').replaceAll('/code/app', cwd))
  await box.cairn('import', '--from', 'logs', ...STORE)
})
afterAll(() => box.remove())

interface Rewound {
  readonly changed: boolean
  readonly to: { readonly messageId: string; readonly seq: number }
  readonly left: { readonly entries: number; readonly messages: readonly { readonly messageId: string }[] }
  readonly back: { readonly messages: readonly { readonly messageId: string }[] }
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly undo: string | null
}
const rewind = async (...args: readonly string[]): Promise<Rewound> =>
  (await box.json('session', 'rewind', 'long', ...args, ...STORE)) as Rewound
const shown = async (): Promise<readonly string[]> =>
  (
    (await box.json('context', 'show', 'long', '--policy', 'none', ...STORE)) as {
      readonly messages: readonly { readonly id: string }[]
    }
  ).messages.map(({ id }) => id)
const exported = async (session: string): Promise<string> =>
  JSON.stringify(await box.json('session', 'export', session, '--format', 'json', ...STORE))
const narrow = (stdout: string): void => expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])

describe('session rewind', () => {
  it('lists with --dry-run what would be removed, and changes nothing', async () => {
    const before = await exported('long')
    const dry = await rewind('--to', 'the-answer', '--dry-run')
    expect(dry).toMatchObject({ changed: false, dryRun: true, to: { messageId: 'the-answer' }, undo: null })
    expect(dry.left.messages.map(({ messageId }) => messageId)).toEqual(['last-question'])
    expect(await exported('long')).toBe(before)
  })

  it('rewinds, marks rewound messages, and can be undone again and again', async () => {
    const whole = await shown()
    const back = await rewind('--to', 'call-3')
    expect(back).toMatchObject({ session: 'claude-code:long', changed: true, to: { messageId: 'call-3' } })
    expect(back.tokensAfter).toBeLessThan(back.tokensBefore)
    expect(back.undo).toContain('session rewind long --undo')
    expect((await shown()).at(-1)).toBe('call-3')
    const page = await box.cairn('session', 'show', 'long', ...STORE)
    narrow(page.stdout)
    expect(page.stdout).toMatch(/user · undone\n.*Now explain f3.ts/)
    expect(page.stdout).toContain('rewound to #')
    expect(await box.json('session', 'show', 'long', ...STORE)).toMatchObject({
      takenBack: [{ fromSeq: back.to.seq + 1 }],
    })

    const undone = await box.cairn('session', 'rewind', 'long', '--undo', ...STORE)
    expect(undone.code).toBe(0)
    narrow(undone.stdout)
    expect(undone.stdout).toMatch(/^Back: \d+ messages/m)
    expect(await shown()).toEqual(whole)
    expect((await rewind('--undo')).left.messages.at(-1)?.messageId).toBe('last-question')
    await rewind('--undo')
    expect(await shown()).toEqual(whole)
    expect(await rewind('--to', 'last-question')).toMatchObject({ changed: false, left: { entries: 0 } })
  })

  it("accepts a time, and says why one can't be used", async () => {
    expect((await rewind('--to', time(300), '--dry-run')).to.messageId).toBe('the-answer')
    const early = await box.cairn('session', 'rewind', 'long', '--to', '2020-01-01', ...STORE)
    expect([early.code, early.stderr]).toEqual([
      1,
      'Nothing had been said by 2020-01-02T00:00:00.000Z; the session begins at 2026-01-31T08:00:00.000Z.\n',
    ])
  })

  it('refuses unknown and ambiguous targets', async () => {
    const codes = async (...args: readonly string[]): Promise<number | null> =>
      (await box.cairn('session', 'rewind', 'long', ...args, ...STORE)).code
    expect(await codes('--to', 'nothing-such')).toBe(1)
    expect(await codes('--to', 'call-')).toBe(2)
    expect(await codes()).toBe(2)
    expect(await codes('--to', 'call-1', '--undo')).toBe(2)
    expect(await codes('--to', '')).toBe(2)
    expect((await box.cairn('session', 'rewind', 'other', '--undo', ...STORE)).stderr).toMatch(/never rewound/)
  })
})

describe('session summarise', () => {
  it('prints a summary and the conversation within the target, as JSON too', async () => {
    const text = await box.cairn('session', 'summarise', 'long', ...STORE)
    expect(text.code).toBe(0)
    expect(text.stdout).toContain('Now explain f3.ts')
    expect(text.stdout.replace(/\s+/g, ' ')).toMatch(/Total 23 messages of .* No model was asked\./)
    const { conversation } = (await box.json('session', 'summarise', 'long', '--target', '10%', ...STORE)) as {
      readonly conversation: { readonly tokensBefore: number; readonly target: number; readonly tokens: number }
    }
    expect(conversation.target).toBe(Math.floor(conversation.tokensBefore / 10))
    expect(conversation.tokens).toBeLessThanOrEqual(conversation.target)
  })

  it('refuses an invalid target', async () => {
    const { code, stderr } = await box.cairn('session', 'summarise', 'long', '--target', 'small', ...STORE)
    expect(code).toBe(2)
    expect(stderr).toContain("not 'small'")
  })
})

describe('session show', () => {
  it("shows the state of the session's tasks", async () => {
    const { stdout } = await box.cairn('session', 'show', 'long', ...STORE)
    expect(stdout).toContain('11 answers of the model')
    const { task } = (await box.json('session', 'show', 'long', ...STORE)) as { readonly task: unknown }
    expect(task).toMatchObject({
      apiRequestCount: 11,
      consecutiveMistakeCount: 0,
      currentFocusChainChecklist: null,
      ready: [],
    })
  })

  it('is an item of the task history, as JSON', async () => {
    const { historyItem, session } = (await box.json('session', 'show', 'long', ...STORE)) as {
      readonly historyItem: { readonly size: number; readonly tokensOut: number }
      readonly session: { readonly id: string; readonly updatedAt: number; readonly costUsd: number }
    }
    const { id, updatedAt: ts, costUsd: totalCost } = session
    expect(historyItem).toMatchObject({ id, ts, totalCost, isFavorited: false })
    expect(historyItem).not.toHaveProperty('conversationHistoryDeletedRange')
    expect(historyItem.size).toBeGreaterThan(1000)
  })

  it('has the notes that were written before trims', async () => {
    const none = await box.cairn('session', 'show', 'other', '--notes', ...STORE)
    expect(none.stdout).toContain('never trimmed')
    await box.cairn('session', 'trim', 'long', '--policy', 'clio', ...STORE)
    const { notes } = (await box.json('session', 'show', 'long', '--notes', ...STORE)) as {
      readonly notes: readonly { readonly by: string; readonly origin: string; readonly text: string }[]
    }
    expect(notes).toMatchObject([{ by: 'clio', origin: 'written' }])
    const { stdout } = await box.cairn('session', 'show', 'long', '--notes', ...STORE)
    expect(stdout).toContain('> Now explain f3.ts')
    expect(await box.json('session', 'show', 'long', ...STORE)).toHaveProperty(
      'historyItem.conversationHistoryDeletedRange',
      [expect.any(Number), expect.any(Number)],
    )
    expect(stdout).toMatch(/^Total 1 note$/m)
    await box.cairn('session', 'rewind', 'long', '--to', 'last-question', ...STORE)
  })
})

describe('session trim', () => {
  it('removes what the policy decides, in this session only, and can be undone', async () => {
    const other = await exported('other')
    const whole = await shown()
    const dry = await box.cairn('session', 'trim', 'long', '--target', '30%', '--dry-run', ...STORE)
    narrow(dry.stdout)
    expect(dry.stdout).toMatch(/^Total/m)
    expect(dry.stdout).toMatch(/Nothing was changed\.$/m)
    const trimmed = (await box.json('session', 'trim', 'long', '--target', '30%', '--policy', 'clio', ...STORE)) as {
      readonly tokensBefore: number
      readonly tokensAfter: number
      readonly target: number
      readonly removals: readonly { readonly messageId: string }[]
      readonly undo: string
    }
    expect(trimmed).toMatchObject({ changed: true, met: true, policy: 'clio' })
    expect(trimmed.tokensAfter).toBeLessThanOrEqual(trimmed.target)
    expect(trimmed.target).toBe(Math.floor(trimmed.tokensBefore * 0.3))
    expect(trimmed.removals.map(({ messageId }) => messageId)).toContain('result-1')
    expect(await exported('other')).toBe(other)
    // The log still has every entry.
    expect(
      (
        (await box.json('session', 'show', 'long', ...STORE)) as {
          readonly entries: readonly { readonly kind: string }[]
        }
      ).entries.filter(({ kind }) => kind === 'message').length,
    ).toBe(READS * 2 + 3)
    expect(trimmed.undo).toContain('session rewind long --to last-qu')
    expect(await rewind('--to', 'last-question')).toMatchObject({ changed: true })
    expect(await shown()).toEqual(whole)
  })

  it('exits with 3 for a target out of reach, and changes nothing', async () => {
    const before = await exported('long')
    for (const policy of ['cache-aware', 'cline', 'clio']) {
      const args = ['session', 'trim', 'long', '--target', '3', '--policy', policy]
      const { code, stdout, stderr } = await box.cairn(...args, ...STORE)
      expect([code, stdout]).toEqual([3, ''])
      expect(stderr).toMatch(/at least, not to the 3 asked for, .*; nothing was changed\.\n$/)
      const failed = await box.cairn(...args, '--json', ...STORE)
      expect(failed.code).toBe(3)
      expect(JSON.parse(failed.stdout)).toMatchObject({ error: { code: 'budget-exceeded' } })
    }
    expect(await exported('long')).toBe(before)
  })

  it('changes nothing in a small context, and refuses an invalid target', async () => {
    expect(await box.json('session', 'trim', 'other', '--target', '1M', ...STORE)).toMatchObject({
      changed: false,
      met: true,
      removals: [],
      undo: null,
    })
    for (const args of [
      ['--target', 'half'],
      ['--target', '0'],
      ['--target', '100%'],
      ['--policy', 'none'],
      ['--policy', 'clioo'],
    ])
      expect((await box.cairn('session', 'trim', 'other', ...args, ...STORE)).code).toBe(2)
  })
})

describe('the current session', () => {
  it('is the newest of the project until another one is chosen', async () => {
    expect(await box.json('session', 'switch', ...STORE)).toMatchObject({
      session: { externalId: 'long' },
      switched: false,
    })
    expect(await box.json('session', 'switch', 'other', ...STORE)).toMatchObject({
      session: { externalId: 'other' },
      switched: true,
    })
    expect(await box.json('context', 'show', ...STORE)).toMatchObject({ session: { id: 'claude-code:other' } })
    expect((await box.cairn('session', 'show', ...STORE)).stdout).toContain('flaky')
    expect(await box.json('session', 'switch', '--newest', ...STORE)).toMatchObject({ session: { externalId: 'long' } })
    expect(await box.json('context', 'show', ...STORE)).toMatchObject({ session: { id: 'claude-code:long' } })
    expect((await box.cairn('session', 'switch', 'nothing', ...STORE)).code).toBe(1)
    expect((await box.cairn('session', 'switch', 'other', '--newest', ...STORE)).code).toBe(2)
    expect((await box.cairn('session', 'show', '--workspace', 'no-such-project', ...STORE)).code).toBe(1)
  })

  it('can have a title and be a favourite', async () => {
    expect(await box.json('session', 'name', 'other', 'The', 'flaky \u001b[31mtest', ...STORE)).toMatchObject({
      session: 'claude-code:other',
      title: 'The flaky ␛[31mtest',
    })
    expect(await box.json('session', 'favourite', 'other', ...STORE)).toEqual({
      session: 'claude-code:other',
      favourite: true,
      changed: true,
    })
    expect((await box.cairn('session', 'list', ...STORE)).stdout).toContain('★ The flaky')
    expect(await box.json('session', 'favourite', 'other', '--off', ...STORE)).toMatchObject({
      favourite: false,
      changed: true,
    })
    expect((await box.cairn('session', 'favourite', 'other', '--off', ...STORE)).stdout).toBe(
      'claude-code:other is no favourite.\n',
    )
    expect((await box.cairn('session', 'name', 'other', ' ', ...STORE)).code).toBe(2)
    expect((await box.cairn('session', 'name', 'other', 'x'.repeat(501), ...STORE)).code).toBe(2)
    // An import does not restore the agent's own title.
    await box.cairn('import', '--from', 'logs', ...STORE)
    expect((await box.cairn('session', 'list', ...STORE)).stdout).toContain('The flaky')
  })
})

describe('session export --format html', () => {
  it('writes one file with all messages', async () => {
    const { file, bytes } = (await box.json(
      'session',
      'export',
      'long',
      '--format',
      'html',
      '--output',
      'talk.html',
      ...STORE,
    )) as { readonly file: string; readonly bytes: number }
    expect(file).toBe(join(box.folder, 'talk.html'))
    const html = readFileSync(file, 'utf8')
    expect(Buffer.byteLength(html)).toBe(bytes)
    expect(html).toMatch(/^<!doctype html>\n/)
    expect(html).toContain("default-src 'none'; style-src 'sha256-")
    expect(html).not.toMatch(/<script|<iframe|\son\w+=/)
    expect(html).toContain('All of them are &lt;b&gt;read&lt;/b&gt;.')
    expect(html).toContain('10 files touched')
    expect(html).toMatch(/<article class="user" id="m0">/)
    expect(html.match(/<details class="tool">/g)).toHaveLength(READS)
    expect(await box.json('session', 'export', 'other', '--format', 'html', ...STORE)).toMatchObject({
      sessionId: 'claude-code:other',
    })
  })
})

describe('details of session commands', () => {
  it('session show --at shows the facts of that time', async () => {
    const { stdout } = await box.cairn('session', 'show', 'other', '--at', '2000-01-01', ...STORE)
    expect(stdout).toContain('length   0 messages, 0 requests')
    expect(stdout).toContain('As it was at 2000-01-02 00:00.')
    const all = (await box.json('session', 'show', 'long', ...STORE)) as {
      readonly session: { readonly messages: number; readonly requests: number }
    }
    const then = (await box.json('session', 'show', 'long', '--at', time(25), ...STORE)) as {
      readonly session: { readonly messages: number; readonly requests: number; readonly updatedAt: number }
      readonly entries: readonly { readonly kind: string }[]
    }
    expect(then.session.messages).toBe(then.entries.filter(({ kind }) => kind === 'message').length)
    expect(then.session.messages).toBeLessThan(all.session.messages)
    expect(then.session).toMatchObject({ requests: 2 })
    expect(all.session.requests).toBeGreaterThan(2)
  })

  it('a new title, a star and a trim do not make an old session newer', async () => {
    const order = async (): Promise<readonly string[]> =>
      (
        (await box.json('session', 'list', ...STORE)) as { readonly sessions: readonly { readonly id: string }[] }
      ).sessions.map(({ id }) => id)
    const before = await order()
    const oldest = before.at(-1) ?? ''
    await box.cairn('session', 'name', oldest, 'An old one', ...STORE)
    await box.cairn('session', 'favourite', oldest, ...STORE)
    expect(await order()).toEqual(before)
    expect(await box.json('session', 'list', '--since', '7d', ...STORE)).toMatchObject({ total: 0 })
    // Nor was it called so then.
    expect(await box.json('session', 'show', oldest, '--at', '2026-01-20', ...STORE)).toMatchObject({
      session: { title: null },
    })
  })

  it('a name that two projects have is reported', async () => {
    for (const project of ['one', 'two']) {
      box.file(
        `both/${project}.jsonl`,
        claudeSession(project, '2026-01-05').replaceAll('/code/app', `/code/${project}/cli`),
      )
    }
    const both = ['--store', 'file:both.db', '--workspace', 'cli']
    await box.cairn('import', '--from', 'both', '--store', 'file:both.db')
    const list = await box.cairn('session', 'list', ...both)
    expect(list).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /'cli' could be several projects; give the folder: \/code\/one\/cli,\s+\/code\/two\/cli\./,
      ),
    })
    expect(await box.cairn('session', 'switch', ...both)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('several projects'),
    })
    expect((await box.cairn('session', 'switch', '--store', 'file:both.db', '--workspace', '/code/one/cli')).code).toBe(
      0,
    )
  })

  it.each([
    ['--help', '--json'],
    ['memory', '--help', '--json'],
    ['--json', 'memory', '--help'],
    ['session', 'list', '--json', '--help'],
  ])('--help takes precedence: %s %s %s', async (...args) => {
    expect(await box.cairn(...args)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Usage:') })
  })
})
