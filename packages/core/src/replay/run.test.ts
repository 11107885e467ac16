import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createDraft } from '../context/draft.ts'
import type { Policy } from '../context/policy.ts'
import { nonePolicy } from '../context/policies/none.ts'
import { needsOf } from './needs.ts'
import { POLICY_NAMES, policyOf } from '../context/policies/registry.ts'
import { replayPolicy, replayRequests, replyReserve, type ReplaySettings } from './run.ts'
import { call, conversation, reply, result, userMessage, type Entry } from './session.fixture.ts'
import { trajectoryOf } from './trajectory.ts'

/** A token a character, prices that show in the sum which class a token was paid in. */
const SETTINGS: ReplaySettings = {
  window: 10_000,
  prefix: 1000,
  cacheLifetime: 300,
  prices: { input: 1000, output: 1_000_000, write: 2000, read: 1 },
  charactersPerToken: 1,
  reply: 100,
}
const USD = 1e-6

const replay = (entries: readonly Entry[], policy: Policy = nonePolicy, settings: Partial<ReplaySettings> = {}) => {
  const trajectory = trajectoryOf({ session: 's', entries: conversation(entries), charactersPerToken: 1 })
  return replayPolicy(policy, trajectory, needsOf(trajectory), { ...SETTINGS, ...settings })
}

/** At its third request and later, takes out of the view whatever has this text. */
const without = (text: string, digest?: string): Policy => ({
  name: 'without',
  keepsWindow: true,
  start: (view) => ({
    decide: ({ now }) => {
      if (view.requests < 2 || view.rewrites.length > 0) return undefined
      const draft = createDraft(view)
      for (const block of view.blocks())
        if (JSON.stringify(block.source.original).includes(text)) draft.remove(block, 'test')
      if (digest !== undefined) draft.insert({ why: 'test', text: digest })
      return draft.build('without', 'test', now)
    },
  }),
})

/** 30 messages and more that name nothing, two a round. */
const chatter = (from: number): Entry[] =>
  Array.from({ length: 11 }, (_, index) => [userMessage('go on', from + index), reply('so be it', from + index)]).flat()

describe('cost', () => {
  it('agrees with three requests priced by hand: all written, then the kept part read, then all written again after a pause', () => {
    const entries = [
      userMessage('12345', 0),
      reply('abc', 1),
      userMessage('67', 100),
      reply('de', 101),
      userMessage('8', 402),
      reply('f', 402),
    ]
    const found = replay(entries)
    // Each text has a frame of 4. 1: 1000 + 9 written. 2: 1009 read; the reply and 6 written. 3: 301 seconds later all 1033 written.
    const input = 1009 * 2000 + (1009 * 1 + 13 * 2000) + 1033 * 2000
    expect(found.requests).toBe(3)
    expect(found.costUsd).toBeCloseTo((input + (3 + 2 + 1) * 1_000_000) * USD, 9)
    expect(found.costWithRestoresUsd).toBe(found.costUsd)
    expect(found.cacheHitRatio).toBeCloseTo(1009 / (1009 + 1022 + 1033), 12)
    expect(found.peakTokens).toBe(1033)
    expect(found.costByClass).toEqual({
      read: expect.closeTo(1009 * USD),
      fresh: expect.closeTo((1009 + 13 + 11) * 2000 * USD),
      rewritten: 0,
      cold: expect.closeTo(1022 * 2000 * USD),
      output: expect.closeTo(6),
      restores: 0,
    })
    expect(found.byKind).toEqual({ user: 9 + 15 + 20, reply: 7 + 13 })
    expect(found.tokensByUse).toMatchObject({ prefix: 3000, user: 44, replies: 20 })
  })

  it('counts a pause of exactly the lifetime as warm', () => {
    expect(
      replay([userMessage('a', 0), reply('b', 0), userMessage('c', 300), reply('d', 300)]).cacheHitRatio,
    ).toBeGreaterThan(0)
    expect(replay([userMessage('a', 0), reply('b', 0), userMessage('c', 300), reply('d', 300.001)]).cacheHitRatio).toBe(
      0,
    )
  })

  it('counts no cache hit without a cache, also for simultaneous requests', () => {
    const found = replay([userMessage('a', 0), reply('b', 0), userMessage('c', 0), reply('d', 0)], nonePolicy, {
      cacheLifetime: 0,
      prices: { input: 1, output: 0, write: 1, read: 1 },
    })
    expect(found.cacheHitRatio).toBe(0)
    expect(found.costUsd).toBeCloseTo((1005 + 1015) * USD, 12)
  })

  it("counts requests over the window without the reply's reserve", () => {
    const entries = [userMessage('x'.repeat(500), 0), reply('b', 0), userMessage('c', 0), reply('d', 0)]
    expect(replay(entries, nonePolicy, { window: 1513 })).toMatchObject({ overflows: 1, peakTokens: 1514 })
    expect(replay(entries, nonePolicy, { window: 1514 }).overflows).toBe(0)
    expect(replyReserve({ window: 200_000, prefix: 20_000 })).toBe(8000)
    expect(replyReserve({ window: 20_500, prefix: 20_000 })).toBe(250)
  })
})

describe('misses', () => {
  const path = 'src/first_file.ts'
  const anchor = 'const answer = 42\nconst question = undefined'
  const read = [
    userMessage('look', 0),
    call('c1', 'Read', { file_path: path }, 1),
    result('c1', `${path}\n     1→${anchor.replace('\n', '\n     2→')}`, 2),
    reply('seen', 3),
  ]
  const used = (input: object): Entry[] => [
    ...read,
    ...chatter(4),
    userMessage('now', 20),
    call('c2', 'Edit', input as never, 20),
    result('c2', 'done', 21),
    reply('end', 22),
  ]

  it('finds none where everything is sent', () => {
    const found = replay(used({ file_path: path, old_string: anchor, new_string: 'x' }))
    expect(found).toMatchObject({
      references: 1,
      referencesVisible: 1,
      anchors: 1,
      anchorsVisible: 1,
      missedReferences: 0,
      missedContent: 0,
      removals: 0,
      rewrites: 0,
    })
  })

  it('charges a missed name with a failed attempt, the second read of its block, and its carrying cost until the next rewrite', () => {
    const found = replay(used({ file_path: path }), without(path))
    expect(found).toMatchObject({
      references: 1,
      referencesVisible: 0,
      missedReferences: 1,
      missedContent: 1,
      removals: 2,
      rewrites: 1,
    })
    // Calls and results have a frame of 12 tokens, texts one of 4.
    const source = `${path}\n     1→${anchor.replace('\n', '\n     2→')}`.length + 12
    // Both requests have the prefix and what is visible; the last one also carries the block.
    const everything = conversation(used({ file_path: path })).flatMap((entry) =>
      entry.kind === 'message' ? entry.content : [],
    )
    const sizes = everything.map((block) =>
      block.type === 'text'
        ? block.text.length + 4
        : block.type === 'tool_call'
          ? block.name.length + JSON.stringify(block.input).length + 12
          : source,
    )
    const total = 1000 + sizes.slice(0, -3).reduce((sum, size) => sum + size, 0) - (sizes[1] ?? 0) - source
    expect(found.costByClass.restores).toBeCloseTo((total * 1 + source * 2000 + 150 * 1_000_000 + source * 1) * USD, 9)
    expect(found.costWithRestoresUsd).toBeCloseTo(found.costUsd + found.costByClass.restores, 9)
  })

  it('counts a name in a digest as visible, but as missed content', () => {
    const found = replay(used({ file_path: path }), without(path, `names: ${path}`))
    expect(found).toMatchObject({ referencesVisible: 1, missedReferences: 0, missedContent: 1 })
    expect(found.costByClass.restores).toBe(0)
  })

  it('finds a name within a longer one', () => {
    expect(replay(used({ file_path: path }), without(path, `names: /code/${path}x`)).missedReferences).toBe(0)
  })

  it("requires four fifths of an anchor's lines, and does not count a digest", () => {
    expect(replay(used({ old_string: anchor }), without('const answer'))).toMatchObject({
      anchors: 1,
      anchorsVisible: 0,
      missedReferences: 1,
      missedContent: 1,
    })
    expect(replay(used({ old_string: anchor }), without('const answer', anchor)).anchorsVisible).toBe(0)
    expect(replay(used({ old_string: 'answer = 42' }))).toMatchObject({ anchors: 1, anchorsVisible: 1 })
    expect(replay(used({ old_string: 'never seen' })).anchors).toBe(0)
  })

  it('finds an anchor that is part of a line in any line that contains it', () => {
    const entries = [
      userMessage('look', 0),
      call('c1', 'Bash', { command: 'a' }, 1),
      result('c1', 'first: some words here', 2),
      reply('second: some words there', 3),
      userMessage('x', 4),
      reply('y', 5),
      userMessage('z', 6),
      call('c2', 'Edit', { old_string: 'some words' }, 7),
    ]
    expect(replay(entries, without('second'))).toMatchObject({ anchors: 1, anchorsVisible: 1 })
    expect(replay(entries, without('some words'))).toMatchObject({ anchors: 1, anchorsVisible: 0 })
  })

  it('matches a path shortened with an ellipsis', () => {
    const entries = [
      userMessage('in ./src/code_here', 0),
      ...chatter(1),
      userMessage('test', 20),
      call('c2', 'Bash', { command: 'go test ./src/code_here/...' }, 21),
    ]
    expect(replay(entries)).toMatchObject({ references: 1, referencesVisible: 1 })
  })

  it('ignores names in text that is being written, and names seen just before', () => {
    expect(replay(used({ content: path, description: path })).references).toBe(0)
    expect(replay([...read, call('c2', 'Edit', { file_path: path }, 20)]).references).toBe(0)
    expect(replay(used({ pattern: 'look' })).references).toBe(0)
  })
})

describe('any session', () => {
  const word = fc.constantFrom(
    'src/app.ts',
    'some_name',
    'plain',
    'const x = 1',
    'camelCase',
    'line one\nline two\nline three',
    '',
  )
  const step = fc.oneof(
    fc.record({ kind: fc.constant('user' as const), text: word, gap: fc.integer({ min: 0, max: 400 }) }),
    fc.record({
      kind: fc.constant('tool' as const),
      text: word,
      old: word,
      output: fc.array(word, { maxLength: 6 }),
      gap: fc.integer({ min: 0, max: 400 }),
    }),
  )
  const log = fc.array(step, { minLength: 1, maxLength: 40 }).map((steps) => {
    let at = 0
    return steps.flatMap((each, index): Entry[] => {
      at += each.gap
      if (each.kind === 'user') return [userMessage(each.text, at), reply(`reply to ${each.text}`, at)]
      return [
        call(`c${index}`, 'Edit', { file_path: each.text, old_string: each.old }, at),
        result(`c${index}`, each.output.join('\n'), at),
      ]
    })
  })

  it('under none has no misses, no rewrites, and costs the sum of its token classes', () => {
    fc.assert(
      fc.property(log, (entries) => {
        const found = replay(entries)
        expect(found).toMatchObject({ missedReferences: 0, missedContent: 0, removals: 0, rewrites: 0 })
        expect(found.costByClass.rewritten).toBe(0)
        const { read, fresh, rewritten, cold, output, restores } = found.costByClass
        expect(read + fresh + rewritten + cold + output + restores).toBeCloseTo(found.costWithRestoresUsd, 6)
        expect(found.referencesVisible + found.anchorsVisible).toBe(found.references + found.anchors)
      }),
    )
  })

  it.each(POLICY_NAMES)('under %s is deterministic, whatever was replayed before', (name) => {
    fc.assert(
      fc.property(log, (entries) => {
        const trajectory = trajectoryOf({ session: 's', entries: conversation(entries), charactersPerToken: 1 })
        const needs = needsOf(trajectory)
        const settings = { ...SETTINGS, window: 1400 }
        const first = replayPolicy(policyOf(name), trajectory, needs, settings)
        replayPolicy(policyOf('cache-aware', 'lean'), trajectory, needs, settings)
        expect(replayPolicy(policyOf(name), trajectory, needs, settings)).toEqual(first)
        expect(replayPolicy(policyOf(name), trajectory, needsOf(trajectory), settings)).toEqual(first)
      }),
      { numRuns: 30 },
    )
  })

  it('is replayed one request at a time', () => {
    const trajectory = trajectoryOf({
      session: 's',
      entries: conversation([userMessage('a', 5), reply('b', 6), userMessage('c', 7), reply('d', 8)]),
      charactersPerToken: 1,
    })
    const traces = [...replayRequests(nonePolicy, trajectory, needsOf(trajectory), SETTINGS)]
    expect(traces.map(({ request, at, inputTokens, readTokens }) => [request, at, inputTokens, readTokens])).toEqual([
      [0, 6000, 1005, 0],
      [1, 8000, 1015, 1005],
    ])
  })
})
