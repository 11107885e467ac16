import type { ContentBlock, LogEntry, MessageEntry, NewLogEntry } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import fc from 'fast-check'
import { LONGEST_BLOCK } from './block-text.ts'
import { sessionAddress } from './session-address.ts'
import { createSessionReading } from './session-reading.ts'
import { createLogText } from './log-text.ts'

const AT = new Date(2026, 2, 5, 10, 0, 0).getTime()

const message = (
  seq: number,
  role: MessageEntry['role'],
  content: readonly ContentBlock[],
  more: Partial<MessageEntry> = {},
): MessageEntry => ({ kind: 'message', seq, at: AT, id: `m${seq}`, role, content, ...more })

const messageOf = (seq: number, role: MessageEntry['role'], text: string): MessageEntry =>
  message(seq, role, [{ type: 'text', text }])

const told = (entries: readonly LogEntry[]) => {
  const transcript = createLogText()
  for (const entry of entries) transcript.step(entry)
  return {
    text: transcript.parts.join(''),
    lines: transcript.parts.join('').split('\n'),
    folds: transcript.folds(),
    landmarks: transcript.landmarks(),
  }
}

describe('a transcript', () => {
  const session: readonly LogEntry[] = [
    messageOf(0, 'user', 'Fix the login,\nplease.'),
    message(1, 'assistant', [{ type: 'text', text: 'Looking.' }], { responseId: 'r1', model: 'model-1' }),
    message(2, 'assistant', [{ type: 'tool_call', id: 't1', name: 'Read', input: { path: 'a.ts' } }], {
      responseId: 'r1',
      model: 'model-1',
    }),
    message(3, 'tool', [{ type: 'tool_result', callId: 't1', content: [{ type: 'text', text: 'one\ntwo\n' }] }]),
    { kind: 'compaction', seq: 4, at: AT, trigger: 'auto', tokensBefore: 150_000 },
    message(5, 'assistant', [{ type: 'text', text: 'Done.' }], { subagent: 'helper' }),
  ]

  it('reads in order, a reply under one head, tools below their line', () => {
    expect(told(session).text).toBe(
      [
        '',
        '── 2026-03-05 ──',
        '',
        '## user · 10:00:00',
        '  Fix the login,',
        '  please.',
        '',
        '## assistant · model-1 · 10:00:00',
        '  Looking.',
        '  → Read a.ts',
        '    {',
        '      "path": "a.ts"',
        '    }',
        '',
        '## tool · 10:00:00',
        '  ← 2 lines: one',
        '    one',
        '    two',
        '',
        '── The context was compacted (auto, 150K tokens before) ──',
        '',
        '## assistant · subagent helper · 10:00:00',
        '    Done.',
        '',
      ].join('\n'),
    )
  })

  it('has folds for tools and messages, and landmarks', () => {
    const { lines, folds, landmarks } = told(session)
    expect(folds.filter(({ kind }) => kind === 'tool').map(({ from, to }) => [lines[from], lines[to]])).toEqual([
      ['  → Read a.ts', '    }'],
      ['  ← 2 lines: one', '    two'],
    ])
    expect(
      folds.filter(({ kind }) => kind === 'message').map(({ from, to }) => [lines[from]?.slice(0, 8), lines[to]]),
    ).toEqual([
      ['## user ', '  please.'],
      ['## assis', '    }'],
      ['## tool ', '    two'],
      ['## assis', '    Done.'],
    ])
    expect(landmarks.map(({ label, from }) => [label, lines[from]])).toEqual([
      ['Fix the login, please.', '## user · 10:00:00'],
      [
        'The context was compacted (auto, 150K tokens before)',
        '── The context was compacted (auto, 150K tokens before) ──',
      ],
    ])
  })

  it("marks what the agent's program wrote in the user's name", () => {
    const { lines, landmarks } = told([
      messageOf(0, 'user', '<system-reminder>It rains.</system-reminder>Mend it.'),
      messageOf(1, 'user', '[Request interrupted by user]'),
    ])
    expect(landmarks.map(({ label }) => label)).toEqual(['Mend it.'])
    expect(lines).toContain('## user · by the program · 10:00:00')
  })

  it('lets no content act as a heading or control sequence, and has folds within its lines', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '## user',
        '\r## user · 10:00',
        '\u2028## user',
        '\u001b[2J',
        '── Rewound to #3 ──',
        '\n\n',
        'x\n## assistant',
      ),
    )
    const block: fc.Arbitrary<ContentBlock> = fc.oneof(
      text.map((value): ContentBlock => ({ type: 'text', text: value })),
      text.map((value): ContentBlock => ({ type: 'thinking', text: value })),
      text.map((value): ContentBlock => ({ type: 'tool_call', id: 't', name: value, input: { [value]: value } })),
      text.map((value): ContentBlock => ({
        type: 'tool_result',
        callId: 't',
        content: [{ type: 'text', text: value }],
      })),
      text.map((value): ContentBlock => ({ type: 'file', path: value, text: value })),
      text.map((value): ContentBlock => ({ type: 'other', value })),
    )
    fc.assert(
      fc.property(fc.array(fc.array(block, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), (contents) => {
        const { lines, folds } = told(
          contents.map((content, seq) => message(seq, 'tool', content, { author: 'x\n## user' })),
        )
        for (const line of lines) {
          expect(line).toMatch(/^(?:$| {2}|## tool · |── 2026)/)
          // eslint-disable-next-line no-control-regex -- what must not be there
          expect(line).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/)
        }
        for (const { from, to } of folds) {
          expect(from).toBeLessThan(to)
          expect(to).toBeLessThan(lines.length)
          expect(lines[from]).toMatch(/^(?:## | {2}\S)/)
        }
      }),
      { examples: [[[[{ type: 'text', text: '\u001b]0;x\u0007\n## user' }]]]] },
    )
  })

  it('truncates what no editor could show, and says so', () => {
    const { text } = told([
      message(0, 'tool', [
        { type: 'tool_result', callId: 't', content: [{ type: 'text', text: 'x'.repeat(LONGEST_BLOCK + 1_000) }] },
      ]),
    ])
    expect(text).toContain('[1,000 more characters; "cairn session show --full" has all of it]')
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(5_100)

    const transcript = createLogText(100)
    for (let seq = 0; seq < 10; seq++) transcript.step(messageOf(seq, 'user', 'word '.repeat(10)))
    expect(transcript.parts.join('')).toMatch(/The rest is too long for an editor.*\n$/)
    expect(transcript.parts.join('').length).toBeLessThan(400)
  })
})

describe('a session in the editor', () => {
  const facts = { id: 'pi:1', agent: 'pi', externalId: '1', workspace: '/code/shop', title: 'Fix <it>' }
  const entry = (id: string, text: string): NewLogEntry => ({
    kind: 'message',
    at: AT,
    id,
    role: 'user',
    content: [{ type: 'text', text }],
  })

  it('begins with its facts, and continues when it grows', async () => {
    const store = createInMemoryStore()
    await store.sessions.append(facts, 0, [{ entry: entry('a', 'Hello') }])
    const reading = createSessionReading('pi:1')
    const first = await reading.read(store)
    expect(first.header).toMatch(/^# Fix <it>\n\nsession {2}pi:1\nagent {4}pi\nproject {2}\/code\/shop\n/)
    expect(await reading.isOutdated(store)).toBe(false)
    await store.sessions.append(facts, 1, [{ entry: entry('b', 'Again') }])
    expect(await reading.isOutdated(store)).toBe(true)
    const [second, other] = await Promise.all([reading.read(store), reading.read(store)])
    expect(second.body).toContain('  Hello\n\n## user · 10:00:00\n  Again\n')
    expect(other).toEqual(second)
    expect(second).toEqual(await createSessionReading('pi:1').read(store))
    const lines = `${second.header}${second.body}`.split('\n')
    expect(second.landmarks.map(({ from }) => lines[from])).toEqual(['## user · 10:00:00', '## user · 10:00:00'])
  })

  it('says that it is no longer in the store', async () => {
    expect((await createSessionReading('pi:../../x').read(createInMemoryStore())).body).toContain(
      'not in the store (any more): pi:../../x',
    )
  })

  it('has an address without separators in its name', () => {
    expect(sessionAddress({ id: 'pi:1?x#y', title: '../../etc: a/b?', externalId: '1' })).toEqual({
      scheme: 'cairn-session',
      path: '/Cairn sessions/.. .. etc a b',
      query: 'pi:1?x#y',
    })
    expect(sessionAddress({ id: 'pi:1', title: '..', externalId: '1' }).path).toBe('/Cairn sessions/session')
  })
})
