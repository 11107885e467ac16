/** Memory, profile, notes and the start of a session, as the engine puts them together; and what its privacy settings keep away. */
import { describe, expect, it } from '@jest/globals'
import { createEngine } from './engine.ts'
import type { Engine, Privacy } from './engine.ts'
import { createEphemeralStore, createIncognitoEngine } from './ephemeral/index.ts'
import { createHasher } from './node/index.ts'
import type { Embedder } from './ports/embedder.ts'
import type { Store } from './ports/store.ts'
import { createInMemoryFileSystem, createInMemoryStore, createSequentialIds, createTestClock } from './testing/index.ts'

const WORKSPACE = '/code/app'
const AT = Date.UTC(2026, 0, 31)

const setUp = (privacy?: Privacy, store: Store = createInMemoryStore(), embedder?: Embedder) => {
  const clock = createTestClock(AT)
  const fileSystem = createInMemoryFileSystem({ [`${WORKSPACE}/src/db.ts`]: 'connect to redis on port 6380\n' })
  const engine = createEngine({
    store,
    fileSystem,
    hasher: createHasher(),
    clock,
    ids: createSequentialIds(),
    timeZone: 'UTC',
    ...(privacy === undefined ? {} : { privacy }),
    ...(embedder === undefined ? {} : { embedder }),
  })
  return { engine, clock, store, fileSystem }
}

const say = async (engine: Engine, id: string, text: string, at: number): Promise<void> => {
  const written = await engine.sessions.append(
    { id: `cairn:${id}`, agent: 'cairn', externalId: id, workspace: WORKSPACE, title: `About ${id}` },
    0,
    [{ entry: { kind: 'message', id: `${id}-1`, at, role: 'user', content: [{ type: 'text', text }] } }],
  )
  expect(written.ok).toBe(true)
}

/** A session from its start to its end: everything that could leave a trace. */
const wholeSession = async (engine: Engine): Promise<string> => {
  const { text } = await engine.context.sessionStart({
    workspace: WORKSPACE,
    request: 'why does redis refuse the connection?',
  })
  await say(engine, 'own', 'redis refuses the connection since yesterday', AT)
  await engine.memory.add({
    workspace: WORKSPACE,
    kind: 'solution',
    text: 'Redis refuses: start it with the port 6380',
    examples: ['src/db.ts:1'],
  })
  await engine.notes.set(WORKSPACE, 'plan', 'restart redis', 'cairn:own')
  await engine.profile.set('language', 'English')
  expect((await engine.recall.messages({ text: 'redis' })).map(({ sessionId }) => sessionId)).toEqual(['cairn:own'])
  expect(await engine.recall.sessions({ text: 'redis', workspace: WORKSPACE })).toHaveLength(1)
  expect((await engine.context.nextRequest('cairn:own')).messages).toHaveLength(1)
  expect((await engine.memory.search(WORKSPACE, 'redis')).map(({ entry }) => entry.text)).toEqual([
    'Redis refuses: start it with the port 6380',
  ])
  expect((await engine.notes.get(WORKSPACE, 'plan')).text).toBe('restart redis')
  expect((await engine.sessions.archive('cairn:own')).threads).toHaveLength(1)
  expect((await engine.graph.about('src/db.ts')).links).toHaveLength(1)
  const again = await engine.context.sessionStart({ workspace: WORKSPACE, request: 'redis' })
  return text + again.text
}

describe('an engine with memory', () => {
  it('gives a session its profile, memory and relevant past sessions, the same for all its requests', async () => {
    const { engine, clock } = setUp()
    await engine.profile.set('language', 'British English')
    await engine.memory.add({
      workspace: WORKSPACE,
      kind: 'discovery',
      text: 'The tests need Redis on port 6380',
      examples: ['src/db.ts:1'],
    })
    await say(engine, 'old', 'redis refuses the connection', AT - 5000)
    clock.advance(60_000)
    const input = {
      workspace: WORKSPACE,
      request: 'redis refuses the connection',
      at: AT + 60_000,
      sessionId: 'cairn:new',
    }
    const first = await engine.context.sessionStart(input)
    expect(first.text.match(/^<\w+>$/gm)).toEqual(['<user_profile>', '<long_term_memory>', '<past_sessions>'])
    expect(first.text).toContain(
      '- (discovery, 80 % sure, recorded 2026-01-31) The tests need Redis on port 6380 [see src/db.ts:1]',
    )
    expect(first.related.sessions.map(({ sessionId }) => sessionId)).toEqual(['cairn:old'])
    clock.advance(60_000)
    await engine.memory.add({ workspace: WORKSPACE, kind: 'discovery', text: 'Learnt in this very session' })
    await say(engine, 'new', 'redis refuses the connection', AT + 120_000)
    clock.advance(86_400_000)
    expect((await engine.context.sessionStart(input)).text).toBe(first.text)
    expect((await engine.context.sessionStart({ workspace: WORKSPACE })).text).toContain('Learnt in this very session')
  })

  it('records cited lines as they were when the entry was made', async () => {
    const { engine, clock, fileSystem } = setUp()
    const { entry } = await engine.memory.add({
      workspace: WORKSPACE,
      kind: 'discovery',
      text: 'Redis is on 6380',
      examples: ['src/db.ts:1'],
    })
    fileSystem.write(`${WORKSPACE}/src/db.ts`, 'connect to postgres\n')
    clock.advance(1000)
    expect(await engine.memory.check(WORKSPACE, WORKSPACE)).toMatchObject({
      checked: [{ verdict: 'changed' }],
      changed: [entry.id],
    })
  })

  it('rewinds a session, and reports what that does', async () => {
    const { engine } = setUp()
    await say(engine, 'a', 'one', AT)
    await engine.sessions.append({ id: 'cairn:a', agent: 'cairn', externalId: 'a' }, 1, [
      { entry: { kind: 'message', id: 'a-2', at: AT, role: 'user', content: [{ type: 'text', text: 'two' }] } },
    ])
    expect(await engine.sessions.rewind('cairn:a', { message: 'a-1' })).toMatchObject({
      toSeq: 0,
      left: [{ id: 'a-2' }],
    })
    expect(await engine.context.modelHistory('cairn:a')).toHaveLength(1)
    expect(await engine.sessions.rewind('cairn:a', { message: 'a-1' })).toMatchObject({ entry: undefined })
    await engine.sessions.rewind('cairn:a', { undo: true })
    expect(await engine.context.modelHistory('cairn:a')).toHaveLength(2)
    expect((await engine.sessions.find('a')).entries).toBe(4)
    await expect(engine.sessions.rewind('cairn:none', { undo: true })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('re-ranks only where an embedder is given', async () => {
    const asked: string[] = []
    const embedder: Embedder = {
      dimensions: 1,
      embed: async (texts) => (
        asked.push(...texts),
        texts.map((text) => Float32Array.of(text.includes('far') ? 0 : 1))
      ),
    }
    const store = createInMemoryStore()
    await say(setUp(undefined, store).engine, 'a', 'redis redis redis far', AT)
    await say(setUp(undefined, store).engine, 'b', 'redis here, among many other words that are said', AT)
    const order = async (engine: Engine): Promise<readonly string[]> =>
      (await engine.recall.messages({ text: 'redis' })).map(({ sessionId }) => sessionId)
    expect(new Set(await order(setUp(undefined, store).engine))).toEqual(new Set(['cairn:a', 'cairn:b']))
    expect(asked).toEqual([])
    expect((await order(setUp(undefined, store, embedder).engine))[0]).toBe('cairn:b')
    expect(asked[0]).toBe('redis')
  })
})

describe('without long-term memory', () => {
  it('a session is stored, starts with nothing of earlier ones, and its memory reports that it is off', async () => {
    const store = createInMemoryStore()
    const { engine: before } = setUp(undefined, store)
    await before.memory.add({ workspace: WORKSPACE, kind: 'discovery', text: 'SECRET-FACT of src/db.ts' })
    await before.profile.set('name', 'SECRET-NAME')
    await say(before, 'old', 'redis refuses', AT - 5000)
    const { engine } = setUp({ longTermMemory: false }, store)
    expect(engine.privacy).toEqual({ incognito: false, longTermMemory: false })
    expect(await engine.context.sessionStart({ workspace: WORKSPACE, request: 'redis refuses' })).toMatchObject({
      text: '',
      tokens: 0,
    })
    expect((await engine.memory.section(WORKSPACE)).text + (await engine.profile.section()).text).toBe('')
    for (const call of [
      engine.memory.add({ workspace: WORKSPACE, kind: 'discovery', text: 'x' }),
      engine.memory.list(WORKSPACE),
      engine.memory.importText(WORKSPACE, ''),
      engine.profile.show(),
      engine.profile.set('a', 'b'),
    ]) {
      await expect(call).rejects.toMatchObject({
        code: 'unsupported',
        message: expect.stringContaining('switched off'),
      })
    }
    await expect(engine.graph.about('src/db.ts')).rejects.toMatchObject({ code: 'not-found' })
    expect([
      (await engine.sessions.asOf('cairn:old', AT)).memory,
      (await before.sessions.asOf('cairn:old', AT)).memory.length,
    ]).toEqual([[], 1])
    await say(engine, 'kept', 'this is kept', AT)
    await engine.notes.set(WORKSPACE, 'plan', 'this, too')
    expect((await before.recall.messages({ text: 'kept' })).map(({ sessionId }) => sessionId)).toEqual(['cairn:kept'])
    expect((await before.memory.list(WORKSPACE)).map(({ text }) => text)).toEqual(['SECRET-FACT of src/db.ts'])
  })
})

describe('incognito', () => {
  it('a whole session works, and nothing is read from or left for others', async () => {
    const clock = createTestClock(AT)
    const fileSystem = createInMemoryFileSystem({ [`${WORKSPACE}/src/db.ts`]: 'x\n' })
    const make = (): Engine =>
      createIncognitoEngine({ fileSystem, hasher: createHasher(), clock, ids: createSequentialIds(), timeZone: 'UTC' })
    const engine = make()
    expect(engine.privacy).toEqual({ incognito: true, longTermMemory: true })
    expect(await wholeSession(engine)).toBe('')
    expect((await engine.memory.section(WORKSPACE)).text + (await engine.profile.section()).text).toBe('')
    await engine.close()
    const next = make()
    expect([
      await next.memory.list(WORKSPACE),
      await next.recall.messages({ text: 'redis' }),
      (await next.profile.show()).items,
    ]).toEqual([[], [], []])
  })

  it('works without long-term memory, too', async () => {
    const { engine } = setUp({ incognito: true, longTermMemory: false }, createEphemeralStore())
    await expect(engine.memory.list(WORKSPACE)).rejects.toMatchObject({ code: 'unsupported' })
  })

  it('refuses a persistent store before touching it', () => {
    const untouchable = new Proxy(createInMemoryStore(), {
      get: (target, name) => {
        if (name === 'isEphemeral') return target.isEphemeral
        throw new Error(`touched: ${String(name)}`)
      },
    })
    expect(() => setUp({ incognito: true }, untouchable)).toThrow(/ephemeral/)
  })
})
