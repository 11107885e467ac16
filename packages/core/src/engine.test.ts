import { describe, expect, it } from '@jest/globals'
import { createEngine } from './engine.ts'
import type { Engine } from './engine.ts'
import { createHasher } from './node/index.ts'
import { createInMemoryFileSystem, createInMemoryStore, createSequentialIds, createTestClock } from './testing/index.ts'

const GENERIC = [
  '{"session":"talk-1","role":"user","text":"Why is the build slow?","at":"2026-01-31T08:00:00Z"}',
  '{"session":"talk-1","role":"assistant","text":"The cache is off.","at":"2026-01-31T08:00:05Z"}',
  '',
].join('\n')

const environment = { home: '/home/u', platform: 'linux', variables: {} } as const

const engineWith = (files: Readonly<Record<string, string>> = {}): Engine =>
  createEngine({
    store: createInMemoryStore(),
    fileSystem: createInMemoryFileSystem(files),
    hasher: createHasher(),
    clock: createTestClock(0),
    ids: createSequentialIds(),
  })

const message = (id: string, text: string, at: number) =>
  ({ entry: { kind: 'message', id, at, role: 'user', content: [{ type: 'text', text }] } }) as const

const facts = (id: string) => ({ id: `cairn:${id}`, agent: 'cairn', externalId: id })

describe('engine', () => {
  it('imports, recalls and shows a transcript', async () => {
    const engine = engineWith({ '/logs/talk.jsonl': GENERIC })
    const events: string[] = []
    const report = await engine.imports.run({ from: ['/logs'], agent: 'generic', environment }, ({ type }) =>
      events.push(type),
    )
    expect(report).toMatchObject({ files: 1, sessions: 1, messages: 2 })
    expect(events).toContain('store-changed')
    const { id } = await engine.sessions.find('talk')
    expect((await engine.recall.messages({ text: 'cache' })).map(({ sessionId }) => sessionId)).toEqual([id])
    expect((await engine.sessions.displayStream(id)).items).toHaveLength(2)
    expect(await engine.context.modelHistory(id, Date.UTC(2026, 0, 31, 8, 0, 2))).toHaveLength(1)
    expect(await engine.sessions.log(id, Date.UTC(2026, 0, 31, 7))).toEqual([])
  })

  it('stops an import whose signal was aborted', async () => {
    const controller = new AbortController()
    controller.abort()
    const engine = engineWith({ '/logs/talk.jsonl': GENERIC })
    await expect(
      engine.imports.run({ from: ['/logs'], agent: 'generic', environment }, undefined, controller.signal),
    ).rejects.toBe(controller.signal.reason)
  })

  it('redacts and counts secrets of an append', async () => {
    const engine = engineWith()
    const secret = `ghp_${'a1B2'.repeat(9)}`
    expect((await engine.sessions.append(facts('a'), 0, [message('m', `use ${secret} "quoted"`, 1)])).ok).toBe(true)
    const log = JSON.stringify(await engine.sessions.log('cairn:a'))
    expect(log).not.toContain(secret)
    expect(log).toContain('[redacted:github-token] \\"quoted\\"')
    expect((await engine.sessions.find('a')).redactions).toBe(1)
  })

  it('removes the signature of reasoning that held a secret, and no other', async () => {
    const engine = engineWith()
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const content = [
      { type: 'thinking' as const, text: 'fine', signature: 'one' },
      { type: 'thinking' as const, text: `use ${secret}`, signature: 'two' },
      { type: 'text' as const, text: 'done' },
    ]
    const entry = { kind: 'message' as const, id: 'm', at: 1, role: 'assistant' as const, content }
    await engine.sessions.append(facts('a'), 0, [{ entry }])
    expect(await engine.sessions.log('cairn:a')).toMatchObject([
      { content: [content[0], { type: 'thinking', text: 'use [redacted:github-token]' }, content[2]] },
    ])
    expect(JSON.stringify(await engine.sessions.log('cairn:a'))).not.toContain('two')
  })

  it('resolves an exact id before prefixes, and lists ambiguous matches', async () => {
    const engine = engineWith()
    for (const id of ['ab', 'abc', 'abd']) await engine.sessions.append(facts(id), 0, [message('m', 'x', 1)])
    expect((await engine.sessions.find('ab')).externalId).toBe('ab')
    expect((await engine.sessions.find('abc')).externalId).toBe('abc')
    await expect(engine.sessions.find('a')).rejects.toMatchObject({
      code: 'ambiguous',
      message: expect.stringContaining('cairn:abd'),
    })
    await expect(engine.sessions.find('zz')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('explains the next request of a session with the prices of its newest model, without writing anything', async () => {
    const engine = engineWith()
    const request = {
      callId: 'c',
      at: 1,
      model: 'claude-sonnet-4-5',
      inputTokens: 900,
      cacheReadTokens: 0,
      cacheWrite5mTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: 1,
      costNano: null,
      costState: 'unpriced',
    } as const
    await engine.sessions.append(facts('a'), 0, [message('m', 'x', 1), { ...message('n', 'y', 2), request }])
    const before = await engine.sessions.log('cairn:a')
    const context = await engine.context.nextRequest('cairn:a')
    expect(context).toMatchObject({
      model: 'claude-sonnet-4-5',
      window: 200_000,
      policy: 'cache-aware',
      lastInput: 900,
      level: 'ok',
    })
    expect(context.messages.map(({ id }) => id)).toEqual(['m', 'n'])
    expect(context.cost?.coldUsd).toBeGreaterThan(0)
    expect((await engine.context.nextRequest('cairn:a', { at: 1, model: 'nobody-knows' })).messages).toHaveLength(1)
    expect(await engine.context.nextRequest('cairn:a', { model: 'nobody-knows' })).toMatchObject({
      windowFrom: 'assumed',
      cost: undefined,
    })
    expect(await engine.sessions.log('cairn:a')).toEqual(before)
  })

  it('checks a budget against the total', async () => {
    const engine = engineWith()
    const request = {
      callId: 'c',
      at: 1,
      model: 'm',
      inputTokens: 1,
      cacheReadTokens: 0,
      cacheWrite5mTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: 1,
      costNano: 2_000_000_000n,
      costState: 'recorded',
    } as const
    await engine.sessions.append(facts('a'), 0, [{ ...message('m', 'x', 1), request }])
    expect((await engine.usage.report({ by: 'day' }, 2)).budget).toMatchObject({ exceeded: false })
    expect((await engine.usage.report({ by: 'day' }, 1.99)).budget).toMatchObject({ exceeded: true })
    expect(await engine.usage.report({ by: 'day' })).not.toHaveProperty('budget')
  })
})
