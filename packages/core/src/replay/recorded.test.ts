import { describe, expect, it } from '@jest/globals'
import { needsOf } from './needs.ts'
import { paidRequests, paidUsage } from './paid.ts'
import { RECORDED, defaultReplayPolicies, replayedPolicy } from './recorded.ts'
import { replayPolicy, replayRequests, type ReplaySettings } from './run.ts'
import { call, conversation, reply, result, userMessage, type Entry } from './session.fixture.ts'
import { createTraceLines } from './trace.ts'
import { trajectoryOf, type Trajectory } from './trajectory.ts'
import { createHasher } from '../node/hasher.ts'

/** One token per character; each text has another 4 for its frame, so `q0` has 6. */
const SETTINGS: ReplaySettings = {
  window: 10_000,
  prefix: 1000,
  cacheLifetime: 300,
  prices: { input: 1, output: 1_000_000, write: 2000, read: 1 },
  charactersPerToken: 1,
  reply: 100,
}
const USD = 1e-6

const trajectory = (entries: readonly Entry[]): Trajectory =>
  trajectoryOf({ session: 's', entries: conversation(entries), charactersPerToken: 1 })

const play = (given: Trajectory, name: string) => {
  const { policy, trajectory: own } = replayedPolicy(name, given)
  return replayPolicy(policy, own, needsOf(given), SETTINGS)
}

/** The texts of each request under the policy `recorded`. */
const textsOf = (given: Trajectory): readonly string[][] => {
  const { policy, trajectory: own } = replayedPolicy(RECORDED, given)
  return [...replayRequests(policy, own, needsOf(given), SETTINGS)].map(({ prepared }) =>
    prepared.blocks.map(({ content }) =>
      content.type === 'text'
        ? content.text
        : content.type === 'tool_result'
          ? content.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
          : content.type,
    ),
  )
}

const compaction = (seconds: number, more: object = {}): Entry => ({
  kind: 'compaction',
  at: seconds * 1000,
  trigger: 'auto',
  ...more,
})
const summary = (text: string, seconds: number): Entry => userMessage(text, seconds, { origin: 'summary' })

const round = (index: number): Entry[] => [userMessage(`q${index}`, index * 10), reply(`a${index}`, index * 10 + 1)]
/** A compaction with its summary after each of the rounds that are named. */
const session = (rounds: number, ...after: readonly number[]): Trajectory =>
  trajectory(
    Array.from({ length: rounds }, (_, index) => [
      ...round(index),
      ...(after.includes(index) ? [compaction(index * 10 + 2), summary(`S${index}`, index * 10 + 3)] : []),
    ]).flat(),
  )

describe('the policy recorded', () => {
  it('equals append-only for an agent that never changed its context', () => {
    const given = session(4)
    expect(given.recordedChanges).toBe(0)
    expect({ ...play(given, RECORDED), policy: 'none' }).toEqual(play(given, 'none'))
    expect(defaultReplayPolicies(given)).not.toContain(RECORDED)
  })

  it('replays a compaction where the log has it: earlier messages are replaced by the summary', () => {
    const given = session(3, 1)
    expect(textsOf(given)).toEqual([['q0'], ['q0', 'a0', 'q1'], ['S1', 'q2']])
    const replayed = play(given, RECORDED)
    // 1: 1000 + 6 written. 2: 1006 read, 2 * 6 written. 3: the prefix read, 2 * 6 written. Replies have no frame as output.
    expect(replayed.costUsd).toBeCloseTo((1006 * 2000 + 1006 + 12 * 2000 + 1000 + 12 * 2000 + 3 * 2 * 1e6) * USD, 9)
    expect(replayed).toMatchObject({ requests: 3, peakTokens: 1000 + 3 * 6, rewrites: 1, removals: 3, overflows: 0 })
    expect(play(given, 'none')).toMatchObject({ peakTokens: 1000 + 5 * 6, rewrites: 0, removals: 0 })
    expect(defaultReplayPolicies(given).at(-1)).toBe(RECORDED)
  })

  it('replays three compactions', () => {
    const given = session(6, 0, 2, 4)
    expect(given.recordedChanges).toBe(3)
    expect(textsOf(given)).toEqual([
      ['q0'],
      ['S0', 'q1'],
      ['S0', 'q1', 'a1', 'q2'],
      ['S2', 'q3'],
      ['S2', 'q3', 'a3', 'q4'],
      ['S4', 'q5'],
    ])
    expect(play(given, RECORDED)).toMatchObject({ requests: 6, rewrites: 3, peakTokens: 1000 + 4 * 6 })
  })

  it('does not count a compaction that no request followed', () => {
    expect(session(3, 2).recordedChanges).toBe(0)
  })

  it('does not affect other policies', () => {
    const plain = session(6)
    const compacted = session(6, 0, 2, 4)
    for (const name of ['none', 'cline', 'cache-aware']) expect(play(compacted, name)).toEqual(play(plain, name))
  })

  it('keeps what the agent kept, and clears the results it cleared', () => {
    const kept = trajectory([
      userMessage('one', 0, { id: 'first' }),
      reply('two', 1, { id: 'second' }),
      userMessage('three', 10, { id: 'third' }),
      reply('four', 11),
      compaction(12, { keptFrom: 'third' }),
      summary('S', 13),
      userMessage('five', 20),
      reply('six', 21),
      compaction(22, { kept: ['third'] }),
      userMessage('seven', 30),
      reply('eight', 31),
    ])
    expect(textsOf(kept).slice(2)).toEqual([
      ['three', 'four', 'S', 'five'],
      ['three', 'seven'],
    ])
    const cleared = trajectory([
      userMessage('go', 0),
      call('c1', 'Bash', { command: 'ls' }, 1),
      result('c1', 'a long output', 2),
      reply('so', 3),
      compaction(4, { partial: true, cleared: ['c1'] }),
      userMessage('on', 5),
      reply('yes', 6),
    ])
    expect(textsOf(cleared).at(-1)).toEqual(['go', 'tool_call', '[Old tool result content cleared]', 'so', 'on'])
    expect(play(cleared, RECORDED)).toMatchObject({ rewrites: 1, removals: 1 })
  })

  it('replays truncations, edits and rewinds of the log by the entries they name', () => {
    const given = trajectory([
      userMessage('zero', 0, { id: 'm0' }),
      reply('one', 1),
      userMessage('two', 2),
      reply('three', 3),
      { kind: 'truncation', at: 4000, fromSeq: 1, toSeq: 2, reason: 'window' },
      { kind: 'edit', at: 5000, messageId: 'm0', block: 0, reason: 'edit', text: 'cut' },
      userMessage('six', 6),
      reply('seven', 7),
      { kind: 'rewind', at: 8000, toSeq: 4 },
      userMessage('nine', 9),
      reply('ten', 10),
    ])
    expect(textsOf(given).slice(2)).toEqual([
      ['cut', 'three', 'six'],
      ['zero', 'three', 'nine'],
    ])
    expect(play(given, 'none').peakTokens).toBe(1000 + 'zeroonetwothreenine'.length + 5 * 4)
  })

  it('counts a name in a summary as visible, but not as content', () => {
    const filler = Array.from({ length: 11 }, (_, index) => [
      userMessage('go on', 10 + index),
      reply('so be it', 10 + index),
    ])
    const given = trajectory([
      userMessage('look at src/deep/file.ts', 0),
      reply('I do', 1),
      compaction(2),
      summary('They want src/deep/file.ts', 3),
      ...filler.flat(),
      call('c', 'Read', { file_path: 'src/deep/file.ts' }, 40),
    ])
    expect(play(given, RECORDED)).toMatchObject({ references: 1, missedReferences: 0, missedContent: 1 })
    expect(play(given, 'none')).toMatchObject({ references: 1, missedReferences: 0, missedContent: 0 })
  })

  it('lists the lines of its summaries in a trace', () => {
    const given = session(2, 0)
    const { policy, trajectory: own } = replayedPolicy(RECORDED, given)
    const lineOf = createTraceLines(given, createHasher())
    const lines = [...replayRequests(policy, own, needsOf(given), SETTINGS)].map((step): unknown =>
      JSON.parse(lineOf(RECORDED, step)),
    )
    expect(lines[1]).toMatchObject({
      policy: 'recorded',
      request: 1,
      blocks: [
        { message: 3, block: 0, kind: 'summary', state: 'digest', tokens: 6, text: 'S0' },
        { message: 4, kind: 'user', state: 'full', tokens: 6 },
      ],
    })
  })
})

describe('what was paid', () => {
  const usage = {
    callId: 'c1',
    at: 0,
    model: 'claude-sonnet-4-5',
    inputTokens: 10,
    cacheReadTokens: 1000,
    cacheWrite5mTokens: 100,
    cacheWrite1hTokens: 0,
    outputTokens: 20,
    costNano: null,
    costState: 'unpriced',
  } as const

  it('counts each request once, at its own price, without subagents', async () => {
    const paid = await paidRequests(
      [
        { ...usage, outputTokens: 1 },
        usage,
        undefined,
        { ...usage, callId: 'c2', subagent: 'x' },
        { ...usage, callId: 'c3', model: 'nobody-knows-it', cacheReadTokens: 5000 },
        { ...usage, callId: 'c4', costNano: 7_000n, costState: 'recorded' },
      ],
      { now: 0 },
    )
    expect(paid.map(({ costNano }) => costNano)).toEqual([1_005_000n, null, 7_000n])
    expect(paidUsage(paid, { input: 3, output: 15, write: 3.75, read: 0.3 })).toEqual({
      requests: 3,
      costUsd: 0.001012,
      unpricedRequests: 1,
      costAtPricesUsd: expect.closeTo((3 * (10 * 3 + 100 * 3.75 + 20 * 15) + 7000 * 0.3) / 1e6, 12),
      peakTokens: 5110,
      cacheHitRatio: 7000 / 7330,
      model: 'claude-sonnet-4-5',
    })
  })

  it('has the input that a later report of a request tells, and no cost without one', async () => {
    const early = { ...usage, inputTokens: 0, cacheReadTokens: 0, cacheWrite5mTokens: 0 }
    const paid = await paidRequests([early, usage, early, { ...early, callId: 'c5' }], { now: 0 })
    expect(paid.map(({ inputTokens, costNano }) => [inputTokens, costNano])).toEqual([
      [10, 1_005_000n],
      [0, null],
    ])
  })

  it('is unknown where no input was recorded', () => {
    expect(paidUsage([], SETTINGS.prices)).toBeUndefined()
  })
})
