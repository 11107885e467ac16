/** What a caller without types gives an engine: one sentence with a code, never a TypeError, and nothing is written. */
import { describe, expect, it } from '@jest/globals'
import { createEngine, type Engine } from './engine.ts'
import { CairnError } from './errors.ts'
import { createHasher } from './node/index.ts'
import { createInMemoryFileSystem, createInMemoryStore, createSequentialIds, createTestClock } from './testing/index.ts'

const ID = 'cairn:a'
const WORKSPACE = '/work/shop'

const opened = async (): Promise<Engine> => {
  const engine = createEngine({
    store: createInMemoryStore(),
    fileSystem: createInMemoryFileSystem(),
    hasher: createHasher(),
    clock: createTestClock(1_000),
    ids: createSequentialIds(),
  })
  await engine.sessions.append({ id: ID, agent: 'cairn', externalId: 'a', workspace: WORKSPACE }, 0, [
    { entry: { kind: 'message', id: 'm', at: 1, role: 'user', content: [{ type: 'text', text: 'walrus' }] } },
  ])
  return engine
}

/** `code: sentence` of what was refused. */
const refusal = async (work: () => unknown): Promise<string> => {
  try {
    await work()
    return 'none'
  } catch (error) {
    return CairnError.is(error) ? `${error.code}: ${error.message}` : `untyped: ${String(error)}`
  }
}

const SENTENCE = /^invalid-input: [^\n]{10,250}\.$/
/** What JavaScript lets a caller give. */
const wrong = (value: unknown): never => value as never

describe('an engine refuses', () => {
  it.each<[string, (engine: Engine) => unknown]>([
    [
      'an entry that no list could show',
      (engine) =>
        engine.sessions.append({ id: ID, agent: 'cairn', externalId: 'a' }, 1, [
          { entry: { kind: 'title', at: 1e300, title: 't' } },
        ]),
    ],
    ['no session', (engine) => engine.sessions.find(wrong(undefined))],
    ['an empty session', (engine) => engine.sessions.find('')],
    ['recall({})', (engine) => engine.recall.messages(wrong({}))],
    ['recall()', (engine) => engine.recall.messages(wrong(undefined))],
    ['recall of a number', (engine) => engine.recall.messages(wrong({ text: 5 }))],
    ['recall with limit -1', (engine) => engine.recall.messages({ text: 'x', limit: -1 })],
    ['recall with limit NaN', (engine) => engine.recall.messages({ text: 'x', limit: Number.NaN })],
    ['recallSessions({})', (engine) => engine.recall.sessions(wrong({}))],
    ['recallSessions with limit 1.5', (engine) => engine.recall.sessions({ text: 'x', limit: 1.5 })],
    ['sessionStart()', (engine) => engine.context.sessionStart(wrong(undefined))],
    ['sessionStart({})', (engine) => engine.context.sessionStart(wrong({}))],
    [
      'sessionStart with a request that is no text',
      (engine) => engine.context.sessionStart(wrong({ workspace: WORKSPACE, request: 5 })),
    ],
    [
      'sessionStart at a time in words',
      (engine) => engine.context.sessionStart(wrong({ workspace: WORKSPACE, at: 'x' })),
    ],
    ['sessionStart at 1e300', (engine) => engine.context.sessionStart({ workspace: WORKSPACE, at: 1e300 })],
    ['a session without id', (engine) => engine.sessions.archive(wrong(undefined))],
    ['a log as of a text', (engine) => engine.sessions.log(ID, wrong('x'))],
    ['asOf without a time', (engine) => engine.sessions.asOf(ID, wrong(undefined))],
    ['asOf of a text', (engine) => engine.sessions.asOf(ID, wrong('yesterday'))],
    ['asOf of a date', (engine) => engine.sessions.asOf(ID, wrong(new Date(0)))],
    ['a rewind to nothing', (engine) => engine.sessions.rewind(ID, wrong({}))],
    ['a window that is no number', (engine) => engine.context.nextRequest(ID, { window: Number.NaN })],
    ['usage({})', (engine) => engine.usage.report(wrong({}))],
    ['usage by something unknown', (engine) => engine.usage.report(wrong({ by: 'moon' }))],
    ['usage since a text', (engine) => engine.usage.report(wrong({ by: 'day', since: 'x' }))],
    ['an import from nowhere', (engine) => engine.imports.run(wrong({}))],
    [
      'an import from a text',
      (engine) =>
        engine.imports.run(
          wrong({ from: '/logs', environment: { home: '/home/u', platform: 'linux', variables: {} } }),
        ),
    ],
    ['a graph about nothing', (engine) => engine.graph.about(wrong(undefined))],
    ['memory.add()', (engine) => engine.memory.add(wrong(undefined))],
    [
      'a memory entry without a kind',
      (engine) => engine.memory.add(wrong({ workspace: WORKSPACE, text: 'x', kind: undefined })),
    ],
    [
      'examples that are no list',
      (engine) => engine.memory.add(wrong({ workspace: WORKSPACE, text: 'x', kind: 'discovery', examples: 'a.ts:1' })),
    ],
    [
      'examples that are no texts',
      (engine) => engine.memory.add(wrong({ workspace: WORKSPACE, text: 'x', kind: 'discovery', examples: [5] })),
    ],
    [
      'a confidence in quotes',
      (engine) => engine.memory.add(wrong({ workspace: WORKSPACE, text: 'x', kind: 'discovery', confidence: '0.5' })),
    ],
    [
      'a session that is no text',
      (engine) => engine.memory.add(wrong({ workspace: WORKSPACE, text: 'x', kind: 'discovery', sessionId: 5 })),
    ],
    ['memory.get()', (engine) => engine.memory.get(wrong(undefined))],
    ['memory.update() without changes', (engine) => engine.memory.update('x', wrong(undefined))],
    ['memory.list()', (engine) => engine.memory.list(wrong(undefined))],
    ['memory.list of an unknown kind', (engine) => engine.memory.list(WORKSPACE, wrong({ kind: 'bogus' }))],
    ['memory.list as of a text', (engine) => engine.memory.list(WORKSPACE, wrong({ asOf: 'x' }))],
    ['memory.search without a text', (engine) => engine.memory.search(WORKSPACE, wrong(undefined))],
    ['memory.importText without a text', (engine) => engine.memory.importText(WORKSPACE, wrong(undefined))],
    ['memory.exportText of no workspace', (engine) => engine.memory.exportText(wrong(undefined))],
    ['memory.section at a text', (engine) => engine.memory.section(WORKSPACE, wrong({ at: 'x' }))],
    ['notes of no workspace', (engine) => engine.notes.list(wrong(undefined))],
    ['a note without key', (engine) => engine.notes.get(WORKSPACE, wrong(undefined))],
    ['an item of the profile without text', (engine) => engine.profile.set('language', wrong(undefined))],
  ])('%s', async (_, work) => {
    const engine = await opened()
    expect(await refusal(() => work(engine))).toMatch(SENTENCE)
    expect(await engine.sessions.log(ID)).toHaveLength(1)
    expect(await engine.memory.list(WORKSPACE)).toEqual([])
  })

  it('to be created from invalid parts', async () => {
    expect(await refusal(() => createEngine(wrong(undefined)))).toMatch(SENTENCE)
    expect(await refusal(() => createEngine(wrong({})))).toBe(
      "invalid-input: The engine's store must be an object, not undefined.",
    )
  })
})

describe('an unknown session', () => {
  it.each<[string, (engine: Engine) => unknown]>([
    ['log', (engine) => engine.sessions.log('nope')],
    ['archive', (engine) => engine.sessions.archive('nope')],
    ['modelHistory', (engine) => engine.context.modelHistory('nope')],
    ['displayStream', (engine) => engine.sessions.displayStream('nope')],
    ['context', (engine) => engine.context.nextRequest('nope')],
    ['replaySource', (engine) => engine.sessions.replaySource('nope', 4)],
    ['asOf', (engine) => engine.sessions.asOf('nope', 1)],
    ['rewind', (engine) => engine.sessions.rewind('nope', { undo: true })],
  ])('is reported as not found by %s, not as empty', async (_, work) => {
    expect(await refusal(async () => work(await opened()))).toBe('not-found: There is no session with the id "nope".')
  })

  it('is not reported as empty at a time', async () => {
    expect(await (await opened()).sessions.log(ID, 0)).toEqual([])
  })
})

describe('the start of a session', () => {
  it('does not list the session among its own past sessions when its id is given', async () => {
    const engine = await opened()
    const listed = async (sessionId?: string) =>
      (
        await engine.context.sessionStart({
          workspace: WORKSPACE,
          request: 'walrus',
          ...(sessionId === undefined ? {} : { sessionId }),
        })
      ).related.sessions.map((session) => session.sessionId)
    expect([await listed(), await listed(ID)]).toEqual([[ID], []])
  })
})
