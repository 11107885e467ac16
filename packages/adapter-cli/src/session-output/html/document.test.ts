import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { createEngine } from '@cairn/core'
import type { ContentBlock, NewLogEntry } from '@cairn/core'
import { createHasher, createIds } from '@cairn/core/node'
import { createInMemoryFileSystem, createInMemoryStore, createTestClock } from '@cairn/core/testing'
import { htmlOf } from './document.ts'
import { STYLE } from './style.ts'

const FACTS = { id: 'test:1', agent: 'test', externalId: '1', workspace: '/code/app', title: 'A talk' }
const messageOf = (
  id: string,
  role: 'user' | 'assistant',
  ...content: readonly ContentBlock[]
): Extract<NewLogEntry, { kind: 'message' }> => ({ kind: 'message', at: 0, id, role, content })
const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const call = (id: string): ContentBlock => ({
  type: 'tool_call',
  id,
  name: 'Read',
  input: { file_path: '/code/app/a.ts' },
})
const result = (callId: string, value: string): ContentBlock => ({
  type: 'tool_result',
  callId,
  content: [{ type: 'text', text: value }],
})

const documentOf = async (entries: readonly NewLogEntry[]): Promise<string> => {
  const clock = createTestClock()
  const engine = createEngine({
    store: createInMemoryStore(),
    fileSystem: createInMemoryFileSystem({}),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
  })
  await engine.sessions.append(
    FACTS,
    0,
    entries.map((entry) => ({ entry })),
  )
  let html = ''
  for await (const part of htmlOf(await engine.sessions.find('1'), engine)) html += part
  return html
}

describe('a session as HTML', () => {
  it('allows its own style sheet and nothing else', async () => {
    const html = await documentOf([messageOf('a', 'user', text('hello'))])
    expect(html).toContain(`<style>${STYLE}</style>`)
    expect(html).toContain(
      `content="default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'"`,
    )
    expect(html).not.toMatch(/ style=|https?:/)
    expect(STYLE).not.toMatch(/url\(|@import|</)
  })

  it("lists the user's questions, and folds what the agent's program wrote", async () => {
    const html = await documentOf([
      messageOf('a', 'user', text('Mend the parser.')),
      messageOf('b', 'user', text('[Request interrupted by user]')),
      messageOf('c', 'user', text('ok, go on')),
      messageOf('d', 'user', text('<system-reminder>It rains.</system-reminder>'), text('Test the parser.')),
    ])
    const asked = [...html.matchAll(/<a href="#m(\d+)">([^<]*)<\/a>/g)].map(([, seq, words]) => [seq, words])
    expect(asked).toEqual([
      ['0', 'Mend the parser.'],
      ['3', 'Test the parser.'],
    ])
    expect(html).toMatch(/From the agent[^<]{1,8} program/)
  })

  it('shows a result with its call, even with other messages in between, and has one anchor for each message', async () => {
    const html = await documentOf([
      messageOf('a', 'assistant', call('1'), call('2')),
      messageOf('r2', 'user', result('2', 'second')),
      messageOf('r1', 'user', result('1', 'first'), result('lost', 'nobody asked')),
    ])
    expect(html.indexOf('first')).toBeLessThan(html.indexOf('second'))
    expect(html.match(/<details class="tool">/g)).toHaveLength(3)
    expect(html).toContain('nobody asked')
    for (const seq of [0, 1, 2]) expect(html.match(new RegExp(`id="m${seq}"`, 'g'))).toHaveLength(1)
  })

  it("shows a result that comes very late at its own position, with its tool's name", async () => {
    const html = await documentOf([
      messageOf('a', 'assistant', call('1')),
      ...Array.from({ length: 80 }, (_, index) => messageOf(`u${index}`, 'user', text('wait'))),
      messageOf('r', 'user', result('1', 'at last')),
    ])
    expect(html).toContain('no result')
    expect(html).toMatch(/result of Read[\s\S]*at last/)
  })

  it('shows what left the context, and marks what a rewind took back', async () => {
    const html = await documentOf([
      messageOf('a', 'user', text('first')),
      messageOf('b', 'assistant', text('second')),
      {
        kind: 'rewrite',
        at: 0,
        policy: 'clio',
        trigger: 'window',
        changes: [{ seq: 0, block: 0, why: 'window' }],
        insertions: [{ why: 'record', text: 'a summary of it' }],
      },
      { kind: 'truncation', at: 0, fromSeq: 0, toSeq: 1, reason: 'too long' },
      { kind: 'compaction', at: 0, trigger: 'auto', tokensBefore: 1000 },
      messageOf('c', 'user', text('third')),
      { kind: 'rewind', at: 0, toSeq: 1 },
      { kind: 'pin', at: 0, messageId: 'a', state: 'pinned' },
    ])
    expect(html).toMatch(/context trimmed by clio[\s\S]*<a href="#m0">#0<\/a>[\s\S]*a summary of it/)
    expect(html).toContain('#0 to #1 left the context (too long)')
    expect(html).toContain('context compacted (auto, 1.00k tokens before)')
    expect(html).toMatch(/<article class="user gone" id="m5">\n<header>.*undone/)
    expect(html).toMatch(/rewound to #1[\s\S]*It goes on from <a href="#m1">/)
    expect(html).toContain('message a was pinned by hand')
  })

  it('groups a subagent’s messages', async () => {
    const html = await documentOf([
      messageOf('a', 'user', text('x')),
      { ...messageOf('s1', 'assistant', text('y')), subagent: 'helper' },
      { ...messageOf('s2', 'assistant', text('z')), subagent: 'helper' },
      messageOf('b', 'user', text('w')),
    ])
    expect(html.match(/<details class="sub">/g)).toHaveLength(1)
    expect(html).toContain('Subagent <code>helper</code>, 2 messages')
    expect(html.match(/<details/g)?.length).toBe(html.match(/<\/details>/g)?.length)
    expect(html.match(/<article/g)?.length).toBe(html.match(/<\/article>/g)?.length)
  })
})
