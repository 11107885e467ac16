/** Another program writes between reading a session and deciding about it. */
import { describe, expect, it } from '@jest/globals'
import { createEngine } from '@cairn/core'
import type { Engine, NewLogEntry } from '@cairn/core'
import { createHasher, createIds } from '@cairn/core/node'
import { createInMemoryFileSystem, createInMemoryStore, createTestClock } from '@cairn/core/testing'
import type { Context } from '../command.ts'
import { createContext } from '../runtime/context.ts'
import { exitCodeOf } from '../runtime/failure.ts'
import { createTerminal } from '../terminal/terminal.ts'
import { runEdit } from './context-edit.ts'
import { runRewind } from './session-rewind.ts'
import { runName } from './session-switch.ts'
import { runTrim } from './session-trim.ts'

const FACTS = { id: 'test:1', agent: 'test', externalId: '1', workspace: '/code/app' }
const messageOf = (id: string): NewLogEntry => ({
  kind: 'message',
  at: 0,
  id,
  role: 'user',
  content: [{ type: 'text', text: 'word '.repeat(500) }],
})

/** An engine over a store in which another program appends after each of the first `times` readings of the log. */
const contendedEngine = async (times: number): Promise<Engine> => {
  const clock = createTestClock()
  const store = createInMemoryStore()
  const engine = createEngine({
    store,
    fileSystem: createInMemoryFileSystem({}),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
  })
  await engine.sessions.append(
    FACTS,
    0,
    ['a', 'b', 'c', 'd'].map((id) => ({ entry: messageOf(id) })),
  )
  let left = times
  const disturb = async (): Promise<void> => {
    if (left-- <= 0) return
    await store.sessions.append(FACTS, (await store.sessions.read(FACTS.id)).length, [
      { entry: messageOf(`other-${left}`) },
    ])
  }
  return {
    ...engine,
    sessions: {
      ...engine.sessions,
      append: async (...args) => {
        await disturb()
        return engine.sessions.append(...args)
      },
    },
  }
}

const contextOver = (engine: Engine): Context => {
  const output = { write: () => true, on: () => undefined, isTTY: false } as unknown as NodeJS.WriteStream
  const context = createContext(createTerminal({ input: process.stdin, output, error: output, variables: {} }, false), {
    variables: {},
    platform: 'linux',
    home: '/nowhere',
    folder: '/nowhere',
  })
  return { ...context, readEngine: () => Promise.resolve(engine) }
}

const failureOf = async (run: Promise<void>): Promise<unknown> =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a session that another program writes to', () => {
  it.each([
    ['rewind', (context: Context) => runRewind('1', { to: 'a' }, context)],
    ['trim', (context: Context) => runTrim('1', { policy: 'clio', preset: 'safe', target: { share: 0.3 } }, context)],
  ])('stops a %s with exit code 3, without a change', async (_, run) => {
    const engine = await contendedEngine(1)
    const failure = await failureOf(run(contextOver(engine)))
    expect(failure).toMatchObject({ code: 'sequence-conflict' })
    expect(exitCodeOf(failure)).toBe(3)
    expect((await engine.sessions.log(FACTS.id)).map(({ kind }) => kind)).toEqual([
      'message',
      'message',
      'message',
      'message',
      'message',
    ])
    expect(await failureOf(run(contextOver(engine)))).toBeUndefined()
  })

  it.each(['pin', 'drop'] as const)('appends a %s after what the other wrote', async (action) => {
    const engine = await contendedEngine(1)
    await runEdit(action, 'a', { session: '1' }, contextOver(engine))
    expect((await engine.sessions.log(FACTS.id)).at(-1)).toMatchObject({ kind: 'pin', messageId: 'a', seq: 5 })
  })

  it('appends a title after what the other wrote', async () => {
    const engine = await contendedEngine(1)
    await runName('1', ['A', 'talk'], {}, contextOver(engine))
    expect((await engine.sessions.log(FACTS.id)).at(-1)).toMatchObject({ kind: 'title', title: 'A talk', seq: 5 })
  })
})
