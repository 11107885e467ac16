import { describe, expect, it } from '@jest/globals'
import { nonePolicy } from '../context/policies/none.ts'
import { createHasher } from '../node/hasher.ts'
import { needsOf } from './needs.ts'
import { replayPolicy, replayRequests } from './run.ts'
import { call, conversation, reply, result, userMessage, type Entry } from './session.fixture.ts'
import { createTraceLines } from './trace.ts'
import { trajectoryOf } from './trajectory.ts'

const SETTINGS = {
  window: 10_000,
  prefix: 100,
  cacheLifetime: 300,
  prices: { input: 3, output: 15, write: 3.75, read: 0.3 },
  charactersPerToken: 2.7,
  reply: 0,
}
const trajectory = (entries: readonly Entry[], more: object = {}) =>
  trajectoryOf({ session: 's', entries: conversation(entries), charactersPerToken: 2.7, ...more })
const textsBefore = (entries: readonly Entry[]): string[][] =>
  trajectory(entries).turns.map(({ before }) =>
    before.flatMap((entry) =>
      entry.kind === 'message' ? entry.content.map((block) => JSON.stringify(block)) : [entry.kind],
    ),
  )

describe('turns', () => {
  it('are one per reply, with everything since the previous one', () => {
    const { turns } = trajectory([
      userMessage('a', 1),
      reply('b', 2),
      userMessage('c', 3),
      userMessage('d', 4),
      reply('e', 5),
    ])
    expect(turns.map(({ at, before, reply: own }) => [at, before.length, own.length])).toEqual([
      [2000, 1, 1],
      [5000, 3, 1],
    ])
  })

  it('assign results between the lines of one response to the next request', () => {
    const one = { responseId: 'r1' }
    const entries = [
      userMessage('go', 1),
      call('a', 'Read', { file_path: 'a' }, 2, one),
      result('a', 'first', 3),
      call('b', 'Read', { file_path: 'b' }, 4, one),
      result('b', 'second', 5),
      reply('done', 6, { responseId: 'r2' }),
    ]
    const found = trajectory(entries)
    expect(found.turns.map(({ before, reply: own }) => [before.length, own.length])).toEqual([
      [1, 2],
      [4, 1],
    ])
    // Nothing that was sent changes its place, so that all of it is read from the cache.
    const replayed = replayPolicy(nonePolicy, found, needsOf(found), SETTINGS)
    expect(replayed.costByClass).toMatchObject({ rewritten: 0, cold: 0 })
    expect(replayed.requests).toBe(2)
  })

  it('leave out subagents, compactions with their summaries, and messages the program wrote as the model', () => {
    const entries = [
      userMessage('a', 1),
      reply('b', 2),
      userMessage('other', 3, { subagent: 'x' }),
      reply('other', 3, { subagent: 'x' }),
      { kind: 'compaction', at: 3, trigger: 'auto' } as const,
      userMessage('the story so far', 4, { origin: 'summary' }),
      reply('API error', 4, { origin: 'meta' }),
      userMessage('c', 5, { origin: 'meta' }),
      reply('d', 6),
    ]
    const before = textsBefore(entries)
    expect(before).toHaveLength(2)
    expect(before[1]?.join()).toMatch(/"b".*"c"/)
    expect(before[1]).toHaveLength(2)
  })

  it('use the previous time where one is missing, and null where none has one', () => {
    const { turns } = trajectory([
      userMessage('a', null),
      reply('b', null),
      userMessage('c', 7),
      reply('d', null),
      userMessage('e', null),
      reply('f', 8),
    ])
    expect(turns.map(({ at }) => at)).toEqual([null, 7000, 8000])
    const timeless = trajectory([userMessage('a', null), reply('b', null), userMessage('c', null), reply('d', null)])
    const replayed = replayPolicy(nonePolicy, timeless, needsOf(timeless), SETTINGS)
    expect(replayed.costByClass.cold).toBe(0)
    expect(replayed.cacheHitRatio).toBeGreaterThan(0)
    const [trace] = replayRequests(nonePolicy, timeless, needsOf(timeless), SETTINGS)
    expect(trace?.at).toBeNull()
  })

  it('follow a rewind to its target, also past entries that are left out', () => {
    const entries: Entry[] = [
      userMessage('a', 1),
      reply('b', 2),
      { kind: 'compaction', at: 2, trigger: 'auto' },
      userMessage('wrong', 3),
      { kind: 'rewind', at: 4, toSeq: 2 },
      userMessage('right', 5),
      reply('c', 6),
    ]
    const found = trajectory(entries)
    const sent = [...replayRequests(nonePolicy, found, needsOf(found), SETTINGS)].map(({ prepared }) =>
      prepared.blocks.map(({ content }) => (content.type === 'text' ? content.text : '')),
    )
    expect(sent).toEqual([['a'], ['a', 'b', 'right']])
  })
})

describe('output', () => {
  const outputs = (recorded: readonly (number | undefined)[]): number[] =>
    trajectory(
      [
        userMessage('a', 1),
        reply('x'.repeat(27), 2, { responseId: 'r' }),
        reply('y'.repeat(27), 2, { responseId: 'r' }),
      ],
      {
        requests: [
          undefined,
          ...recorded.map((outputTokens) => (outputTokens === undefined ? undefined : { outputTokens })),
        ],
      },
    ).turns.map(({ outputTokens }) => outputTokens)

  it('is the largest recorded for a reply, unless that is under half of the visible text', () => {
    expect(outputs([8, 300])).toEqual([300])
    expect(outputs([10, 10])).toEqual([10])
    expect(outputs([9, 9])).toEqual([20])
    expect(outputs([undefined, undefined])).toEqual([20])
  })

  it('of a store is that of the requests made during a turn', () => {
    const entries = [
      userMessage('a', 1),
      reply('b', 2),
      userMessage('c', 3),
      reply('d', 4),
      userMessage('e', 4),
      reply('f', 4),
    ]
    const found = (requestsByTime: object[]) =>
      trajectory(entries, { requestsByTime }).turns.map(({ outputTokens }) => outputTokens)
    expect(
      found([
        { at: 2000, outputTokens: 20 },
        { at: 4000, outputTokens: 40 },
        { at: 4000, outputTokens: 50 },
      ]),
    ).toEqual([20, 40, 50])
    expect(found([{ at: 4000, outputTokens: 40 }])).toEqual([1, 40, 1])
    expect(
      found([
        { at: null, outputTokens: 20 },
        { at: null, outputTokens: 40 },
        { at: null, outputTokens: 50 },
      ]),
    ).toEqual([20, 40, 50])
    expect(found([{ at: null, outputTokens: 20 }])).toEqual([1, 1, 1])
  })
})

describe('trace', () => {
  it('names the source line and position of each block, with a hash of the sent content', () => {
    const found = trajectory([userMessage('a', 1), reply('b', 2), userMessage('a', 3), reply('d', 4)], {
      lines: [3, 5, 8, 9],
    })
    const lineOf = createTraceLines(found, createHasher())
    const lines = [...replayRequests(nonePolicy, found, needsOf(found), SETTINGS)].map(
      (trace) => JSON.parse(lineOf('none', trace)) as { readonly blocks: readonly { readonly hash: string }[] },
    )
    expect(lines[1]).toMatchObject({ policy: 'none', request: 1, at: 4000 })
    // A token for the letter and 4 for the frame.
    expect(lines[1]?.blocks).toEqual([
      { message: 3, block: 0, kind: 'user', state: 'full', tokens: 5, hash: expect.stringMatching(/^[0-9a-f]{16}$/) },
      { message: 5, block: 0, kind: 'reply', state: 'full', tokens: 5, hash: expect.any(String) },
      { message: 8, block: 0, kind: 'user', state: 'full', tokens: 5, hash: expect.any(String) },
    ])
    const hashes = lines[1]?.blocks.map(({ hash }) => hash)
    expect(hashes?.[0]).toBe(hashes?.[2])
    expect(hashes?.[0]).not.toBe(hashes?.[1])
    expect(lines[0]?.blocks[0]?.hash).toBe(hashes?.[0])
  })
})
