import { formatUsd, nanoFromUsd } from '@cairn/core'
import type { ContentBlock, LogEntry } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { LONG_SESSION, addLongSession } from '../../../e2e/sample-session.ts'
import { rewriteMarks } from './replay-chart.tsx'
import { mainModel, replayOf } from './replay-query.ts'
import { replaySession } from './replay-session.ts'
import type { ReplayOutcome, RemovedBlock, Rewrite } from './replay-session.ts'
import { removalsView, replayPoints, replayView } from './replay-view.ts'
import { createReplays } from './replays.ts'
import type { Progress } from './progress.ts'
import { DEFAULT_CHOICE } from './choice.ts'
import type { ReplayChoice } from './choice.ts'

const NOW = Date.parse('2026-05-05T12:00:00Z')

const removed = (entry: number, savedTokens: number, kind: RemovedBlock['kind'] = 'read'): RemovedBlock => ({
  entry,
  block: 0,
  messageId: `m${entry}`,
  kind,
  why: 'dead',
  what: 'removed',
  savedTokens,
})
const rewrite = (request: number, removals: readonly RemovedBlock[], changes: Partial<Rewrite> = {}): Rewrite => ({
  request,
  removals,
  trigger: 'rent',
  tokensBefore: 9_000,
  tokensAfter: 4_000,
  rewrittenTokens: 3_000,
  costUsd: 0.01,
  savedUsdPerRequest: 0.002,
  restore: 'So.',
  ...changes,
})

const replayLong = async (choice: ReplayChoice, count = 1_500): Promise<ReplayOutcome> => {
  const store = createInMemoryStore()
  await addLongSession(store, count, NOW)
  const session = await store.sessions.get(LONG_SESSION)
  if (session === undefined) throw new Error('it is there')
  const replays = createReplays({ now: () => 0 })
  const run = async (
    sessions: typeof store.sessions,
    order: Parameters<typeof replaySession>[0],
  ): Promise<ReplayOutcome> => replaySession(order, await sessions.read(order.session))
  return (
    await replayOf(
      { store, replays, run: (_, order) => run(store.sessions, order), now: () => NOW },
      session,
      choice,
      undefined,
    )
  ).outcome
}

describe('a replay on the page', () => {
  it('has a point for each request, or the largest of those that share one', () => {
    const requests = Array.from({ length: 5_001 }, (_, index) => ({
      at: NOW + index,
      sent: index,
      chosen: 5_001 - index,
    }))
    expect(replayPoints(requests.slice(0, 2))).toEqual([
      { first: 1, last: 1, at: NOW, sent: 0, chosen: 5_001 },
      { first: 2, last: 2, at: NOW + 1, sent: 1, chosen: 5_000 },
    ])
    const points = replayPoints(requests)
    expect(points.length).toBeLessThanOrEqual(2_000)
    expect(points[0]).toEqual({ first: 1, last: 3, at: NOW, sent: 2, chosen: 5_001 })
    expect(points.at(-1)).toMatchObject({ last: 5_001, sent: 5_000 })
    expect(Math.max(...points.map(({ chosen }) => chosen))).toBe(5_001)
    expect(replayPoints([])).toEqual([])
  })

  it('marks each rewrite at its point, several of one point together', () => {
    const points = replayPoints(
      Array.from({ length: 10 }, () => ({ at: null, sent: 1, chosen: 1 })),
      5,
    )
    const rewrites = [1, 2, 9].map((request) => ({
      request,
      at: null,
      trigger: '',
      blocks: request,
      tokensBefore: 0,
      tokensAfter: 0,
      costText: '',
      savedText: '',
    }))
    expect(rewriteMarks(points, rewrites)).toEqual([
      { index: 0, title: '2 rewrites: 3 blocks cut or taken out', requests: [1, 2] },
      { index: 4, title: 'Rewrite: 9 blocks cut or taken out', requests: [9] },
    ])
  })

  it('lists what was removed before a request by kind, largest first, and how many are not listed', () => {
    const outcome = {
      rewrites: [
        rewrite(3, [removed(1, 10), removed(2, 500, 'command')]),
        rewrite(3, [removed(5, 20)]),
        rewrite(8, [removed(6, 1)]),
      ],
    }
    const view = removalsView(outcome, 4, 2)
    expect(
      view?.groups.map(({ name, blocks, savedTokens, removals }) => [
        name,
        blocks,
        savedTokens,
        removals.map(({ entry }) => entry),
      ]),
    ).toEqual([
      ['Commands', 1, 500, [2]],
      ['Reads', 2, 30, [5]],
    ])
    expect(view).toMatchObject({ blocks: 3, more: 1, restore: 'So.' })
    expect(view?.groups[0]?.removals[0]).toMatchObject({
      why: 'dead: unlikely to be needed',
      target: 'm2:0',
      path: null,
    })
    expect(view?.rewrites[0]?.sums).toEqual([
      'It cost $0.0100: 3,000 tokens after the first change were written again instead of read from the cache.',
      'Each request after it costs $0.0020 less: even after 5 requests.',
    ])
    expect(removalsView(outcome, 5)).toBeUndefined()
  })

  it('says when a rewrite on a cold cache cost nothing, and when one saved nothing', () => {
    const view = removalsView({ rewrites: [rewrite(0, [removed(1, 1)], { costUsd: 0, savedUsdPerRequest: 0 })] }, 1)
    expect(view?.rewrites[0]?.sums).toEqual([
      '3,000 tokens after the first change had to be written again in any case, so the rewrite itself cost nothing.',
      'It made the requests after it no cheaper.',
    ])
  })

  it('shows unknown codes as they are', () => {
    const view = removalsView(
      { rewrites: [rewrite(0, [{ ...removed(1, 1), why: 'constructor' }], { trigger: 'toString' })] },
      1,
    )
    expect([view?.rewrites[0]?.trigger, view?.groups[0]?.removals[0]?.why]).toEqual(['toString', 'constructor'])
  })
})

describe('a stored session', () => {
  it('is replayed with the prices and the window of its main model, subagents left out', async () => {
    const outcome = await replayLong({ ...DEFAULT_CHOICE, policy: 'cline', window: '64k' })
    const view = replayView(LONG_SESSION, { ...DEFAULT_CHOICE, policy: 'cline', window: '64k' }, outcome)
    expect(outcome.settings).toMatchObject({
      window: 64_000,
      prefix: 20_000,
      cacheLifetime: 300,
      prices: { input: 3, output: 15, write: 3.75, read: 0.3 },
    })
    expect(view.settings[1]).toContain('Prices of claude-sonnet-4-5')
    expect(view.rewrites.length).toBeGreaterThan(0)
    expect(view.rewrites.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(outcome.chosen.removals)
    expect(Math.max(...view.points.map(({ chosen }) => chosen))).toBe(outcome.chosen.peakTokens)
    expect(Math.max(...view.points.map(({ sent }) => sent))).toBe(outcome.recorded.peakTokens)
    // A shell would take its name for something else.
    expect(view.command).toBeNull()
    // Entry and block lead to what left: results of the tools that read.
    const store = createInMemoryStore()
    await addLongSession(store, 1_500, NOW)
    const entries = await store.sessions.read(LONG_SESSION)
    const read = outcome.rewrites.flatMap(({ removals }) => removals).find(({ kind }) => kind === 'read')
    const entry = entries[read?.entry ?? -1]
    expect(entry?.kind === 'message' && entry.content[read?.block ?? -1]?.type).toBe('tool_result')
    expect(entries.filter((one) => one.kind === 'message' && one.subagent !== undefined).length).toBeGreaterThan(0)
    expect(
      outcome.rewrites
        .flatMap(({ removals }) => removals)
        .some(({ entry: index }) => {
          const one = entries[index]
          return one?.kind === 'message' && one.subagent !== undefined
        }),
    ).toBe(false)
  })

  it('saves nothing under what its agent did, whatever was paid', async () => {
    const outcome = await replayLong({ ...DEFAULT_CHOICE, policy: 'none' }, 90)
    const view = replayView('plain', { ...DEFAULT_CHOICE, policy: 'none' }, outcome)
    expect([view.rewrites, view.figures.misses.text]).toEqual([[], '0'])
    expect(view.figures.sent.text).toBe(view.figures.cost.text)
    expect(view.figures.saved.text).toBe('$0.00')
    expect(view.figures.saved.notes.at(-1)).toMatch(/^\$0\.00 \(0\.0%\) less than what its agent did costs in the same/)
    expect(view.command).toBe('cairn replay plain --policy recorded,none --window 200000 --prices claude-sonnet-4-5')
  })

  it.each([0.01, 100])('is told to save as much where %d times as much was paid', async (factor) => {
    const choice = { ...DEFAULT_CHOICE, policy: 'cline', window: '64k' } as const
    const outcome = await replayLong(choice)
    const { paid, recorded, chosen } = outcome
    if (paid === undefined) throw new Error('its usage is recorded')
    const costUsd = recorded.costWithRestoresUsd * factor
    const view = replayView('s', choice, { ...outcome, paid: { ...paid, costUsd } })
    const saved = recorded.costWithRestoresUsd - chosen.costWithRestoresUsd
    expect(saved).not.toBe(0)
    expect(view.figures.saved.text).toBe(formatUsd(nanoFromUsd(saved)))
    expect(view.figures.sent.text).toBe(formatUsd(nanoFromUsd(recorded.costWithRestoresUsd)))
    // Beside that stands what was paid, by its name, and why it is another number.
    expect(view.paid[0]).toContain(`Paid, as recorded: ${formatUsd(nanoFromUsd(costUsd))} for `)
    expect(view.paid[1]).toMatch(/^What was paid differs from what the same costs here, because .*estimates tokens/)
  })

  it('tells how far it is by the session’s own requests, once for each replay', async () => {
    const entries = Array.from({ length: 6 }, (_, seq): LogEntry => ({
      kind: 'message',
      seq,
      at: seq * 1_000,
      role: seq % 2 === 0 ? 'user' : 'assistant',
      id: `m${seq}`,
      content: [{ type: 'text', text: `message ${seq}` }],
    }))
    const told: Progress[] = []
    const order = {
      session: 's',
      preset: 'safe',
      window: 200_000,
      model: null,
      largestInput: 0,
      requests: [],
      now: NOW,
    } as const
    await replaySession({ ...order, policy: 'clio' }, entries, (progress) => told.push(progress))
    expect(told.map(({ pass, done, total }) => [pass, done, total])).toEqual([
      [0, 1, 3],
      [0, 2, 3],
      [0, 3, 3],
      [1, 1, 3],
      [1, 2, 3],
      [1, 3, 3],
    ])
    expect(told[0]?.passes).toEqual(['recorded', 'clio'])
    told.length = 0
    // An agent that never changed its context only appended.
    await replaySession({ ...order, policy: 'none' }, entries, (progress) => told.push(progress))
    expect(told.map(({ pass, done, passes }) => [pass, done, passes.length])).toEqual([
      [0, 1, 1],
      [0, 2, 1],
      [0, 3, 1],
    ])
  })

  it('with compactions is replayed with them, each marked', async () => {
    const text = (words: string): readonly ContentBlock[] => [{ type: 'text', text: words }]
    const entries: readonly LogEntry[] = [
      { kind: 'message', seq: 0, at: 0, role: 'user', id: 'a', content: text('a long question '.repeat(200)) },
      { kind: 'message', seq: 1, at: 1, role: 'assistant', id: 'b', content: text('an answer') },
      { kind: 'compaction', seq: 2, at: 2, trigger: 'auto' },
      { kind: 'message', seq: 3, at: 3, role: 'user', id: 'c', content: text('In short'), origin: 'summary' },
      { kind: 'message', seq: 4, at: 4, role: 'user', id: 'd', content: text('and now?') },
      { kind: 'message', seq: 5, at: 5, role: 'assistant', id: 'e', content: text('done') },
    ]
    const order = {
      session: 's',
      policy: 'recorded',
      preset: 'safe',
      window: 200_000,
      model: null,
      largestInput: 0,
      requests: [],
      now: NOW,
    } as const
    const choice = { policy: 'recorded', preset: 'safe', window: '200k' } as const
    const recorded = await replaySession(order, entries)
    const view = replayView('s', choice, recorded)
    expect(view.rewrites).toMatchObject([
      { request: 2, blocks: 1, trigger: 'The session’s agent compacted its context.' },
    ])
    expect(view.paid).toEqual(['Paid: not known, because no usage of the main conversation is recorded.'])
    // The reply before the compaction had not been sent in any request yet.
    expect(removalsView(recorded, 2)?.groups.map(({ name, blocks }) => [name, blocks])).toEqual([['User messages', 1]])
    expect(recorded.requests.map(({ sent, chosen }) => sent === chosen)).toEqual([true, true])
    const appended = await replaySession({ ...order, policy: 'none' }, entries)
    expect(appended.requests[1]?.chosen).toBeGreaterThan(appended.requests[1]?.sent ?? 0)
    expect(replayView('s', { ...choice, policy: 'none' }, appended).figures.saved.text).toMatch(/^-\$/)
    expect(view.command).toBe('cairn replay s --policy recorded --window 200000')
  })

  it('without a model is replayed with default prices, and says so', async () => {
    const content: readonly ContentBlock[] = [{ type: 'text', text: 'Hello' }]
    const order = {
      session: 's',
      policy: 'clio',
      preset: 'safe',
      window: null,
      largestInput: 0,
      requests: [],
      now: NOW,
    } as const
    const entries = [
      { kind: 'message', seq: 0, at: null, role: 'user', id: 'a', content },
      { kind: 'message', seq: 1, at: null, role: 'assistant', id: 'b', content },
    ] as const
    const view = replayView(
      's',
      { policy: 'clio', preset: 'safe', window: 'model' },
      await replaySession({ ...order, model: null }, entries),
    )
    expect(view.requests).toBe(1)
    expect(view.settings.slice(0, 2)).toEqual([
      'Window of 128,000 tokens: assumed, because the model’s is not known.',
      'Default prices, because the session names no model: $3 in, $15 out, $3.75 cache write, $0.3 cache read per million tokens.',
    ])
    const unpriced = replayView(
      's',
      { policy: 'clio', preset: 'safe', window: 'model' },
      await replaySession({ ...order, model: 'nobody-s-model' }, entries),
    )
    expect(unpriced.settings[1]).toContain('Default prices, because none are known for nobody-s-model')
    expect(unpriced.command).toBe('cairn replay s --policy recorded,clio --window 128000')
  })

  it('without a reply has no requests', async () => {
    const outcome = await replaySession(
      {
        session: 's',
        policy: 'cache-aware',
        preset: 'lean',
        window: 200_000,
        model: null,
        largestInput: 0,
        requests: [],
        now: NOW,
      },
      [],
    )
    expect(replayView('s', DEFAULT_CHOICE, outcome)).toMatchObject({ requests: 0, points: [], rewrites: [] })
  })

  it('has as its main model the one with most requests', () => {
    const request = (model: string, inputTokens: number) =>
      ({
        at: NOW,
        model,
        provider: null,
        mode: null,
        workspace: null,
        missingOutputCostNano: 0n,
        subagent: null,
        inputTokens,
        cacheReadTokens: 1,
        cacheWrite5mTokens: 0,
        cacheWrite1hTokens: 0,
        outputTokens: 1,
        costNano: null,
        costState: 'unpriced',
        partial: false,
      }) as const
    expect(mainModel([request('a', 5), request('b', 900), request('a', 7)])).toEqual({ model: 'a', largestInput: 8 })
    expect(mainModel([request('a', 5), request('b', 9)]).model).toBe('b')
    expect(mainModel([])).toEqual({ model: null, largestInput: 0 })
  })
})
