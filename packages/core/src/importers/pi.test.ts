import { describe, expect, it } from '@jest/globals'
import { parseAll, parserOf, requestsOf, writesOf } from '../testing/parse-lines.ts'
import { piImporter } from './pi.ts'

const ID = '11111111-2222-4333-8444-555555555555'
const AT = '2026-01-01T00:00:00.000Z'
const header = (more: object = {}) => ({
  type: 'session',
  version: 3,
  id: ID,
  timestamp: AT,
  cwd: '/code/app',
  ...more,
})
const message = (id: string, body: object) => ({
  type: 'message',
  id,
  parentId: null,
  timestamp: AT,
  message: { timestamp: 1763681630793, ...body },
})
const reply = (usage: object) => ({
  role: 'assistant',
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  usage,
  content: [
    { type: 'text', text: 'hi' },
    { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a' } },
  ],
})
const USAGE = { input: 3, output: 191, cacheRead: 5, cacheWrite: 1684, cost: { total: 0.009189 } }
const parse = (lines: readonly unknown[]) =>
  parseAll(parserOf(piImporter, `/home/me/.pi/agent/sessions/--code-app--/2026_${ID}.jsonl`), lines)

describe('pi', () => {
  it('maps messages, and calls with their results', () => {
    const lines = parse([
      header({ parentSession: '/x/2025_99999999-2222-4333-8444-555555555555.jsonl' }),
      message('u1', { role: 'user', content: [{ type: 'text', text: '/mode' }] }),
      message('u2', { role: 'user', content: 'Do it' }),
      message('a1', reply(USAGE)),
      message('r1', {
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: 'read',
        isError: true,
        content: [{ type: 'text', text: 'no' }],
      }),
      {
        type: 'compaction',
        id: 'k1',
        timestamp: AT,
        summary: 'so far',
        tokensBefore: 50000,
        firstKeptEntryId: 'a1',
      },
      { type: 'model_change', id: 'm1', timestamp: AT, provider: 'openai', modelId: 'gpt-5' },
      { type: 'session_info', id: 's1', timestamp: AT, name: 'Named' },
    ])
    expect(lines[2]?.session).toEqual({
      id: `pi:${ID}`,
      agent: 'pi',
      externalId: ID,
      workspace: '/code/app',
      forkedFrom: 'pi:99999999-2222-4333-8444-555555555555',
      title: 'Do it',
    })
    expect(lines.at(-1)?.session?.title).toBe('Named')
    expect(writesOf(lines).map(({ entry }) => entry)).toMatchObject([
      { kind: 'message', id: 'u1', role: 'user' },
      { kind: 'message', id: 'u2', role: 'user' },
      {
        kind: 'message',
        id: 'a1',
        role: 'assistant',
        content: [{ type: 'text' }, { type: 'tool_call', id: 'c1', input: { path: 'a' } }],
      },
      {
        kind: 'message',
        id: 'r1',
        role: 'tool',
        content: [{ type: 'tool_result', callId: 'c1', isError: true }],
      },
      { kind: 'compaction', tokensBefore: 50000 },
      { kind: 'message', id: 'k1', origin: 'summary' },
      { kind: 'model', model: 'gpt-5', provider: 'openai' },
      { kind: 'title', title: 'Named' },
    ])
  })

  it('uses a recorded cost, leaves a missing one to be computed, and counts no request without tokens', () => {
    const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: { total: 0 } }
    const requests = requestsOf(
      parse([
        header(),
        message('a', reply(USAGE)),
        message('b', reply({ ...USAGE, cost: { total: 0 } })),
        message('c', reply(zero)),
      ]),
    )
    expect(requests).toMatchObject([
      {
        inputTokens: 3,
        cacheReadTokens: 5,
        cacheWrite5mTokens: 1684,
        outputTokens: 191,
        costNano: 9_189_000n,
        costState: 'recorded',
        workspace: '/code/app',
      },
      { costNano: null, costState: 'unpriced' },
    ])
  })

  it('gives a reply that a fork repeats the key it has in the parent', () => {
    const [original] = requestsOf(parse([header(), message('a', reply(USAGE))]))
    const [copy] = requestsOf(parse([header({ id: 'other' }), message('zz', reply(USAGE))]))
    expect(copy?.callId).toBe(original?.callId)
  })

  it('finds the first message that a compaction kept, also by a setting before it, wherever the import was interrupted', () => {
    const user = (id: string) => message(id, { role: 'user', content: [{ type: 'text', text: id }] })
    const compaction = (id: string, firstKeptEntryId: string) => ({
      type: 'compaction',
      id,
      timestamp: AT,
      summary: 'S',
      firstKeptEntryId,
    })
    const lines = [
      header(),
      user('u1'),
      { type: 'model_change', id: 'm1', timestamp: AT, modelId: 'x' },
      { type: 'thinking_level_change', id: 't1', timestamp: AT },
      user('u2'),
      compaction('k1', 'm1'),
      compaction('k2', 'u2'),
    ]
    const keptOf = (writes: ReturnType<typeof writesOf>) =>
      writes.flatMap(({ entry }) => (entry.kind === 'compaction' ? [entry.keptFrom] : []))
    expect(keptOf(writesOf(parse(lines)))).toEqual(['u2', 'u2'])
    for (let cut = 1; cut < lines.length; cut++) {
      const path = `/home/me/.pi/agent/sessions/--code-app--/2026_${ID}.jsonl`
      const first = parserOf(piImporter, path)
      parseAll(first, lines.slice(0, cut))
      const rest = parseAll(parserOf(piImporter, path, { state: first.state() }), lines.slice(cut), cut + 1)
      const left = lines.slice(cut).filter((one) => 'firstKeptEntryId' in one).length
      expect(keptOf(writesOf(rest))).toEqual(['u2', 'u2'].slice(2 - left))
    }
  })
})
