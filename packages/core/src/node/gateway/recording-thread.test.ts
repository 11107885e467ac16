/** The recording thread's two sides, over a channel within this process. */
import { afterEach, describe, expect, it } from '@jest/globals'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { StorageError } from '../../errors.ts'
import { createInMemoryStore } from '../../in-memory/index.ts'
import type { Store } from '../../ports/store.ts'
import { createSystemClock } from '../clock.ts'
import { createFileSystem } from '../file-system.ts'
import { createHasher } from '../hasher.ts'
import { createIds } from '../ids.ts'
import { createRecorder, type FinishedExchange } from './recorder.ts'
import { serveRecording, startRecordingThread, type RecordingThread, type ThreadWork } from './recording-thread.ts'

const AT = Date.UTC(2026, 4, 5, 9)

/** A whole reply of Anthropic's to a question. */
const exchangeOf = (question: string, answer: string, inputTokens: number): FinishedExchange => ({
  wire: 'anthropic',
  headers: { 'anthropic-version': '2023-06-01', 'x-cairn-session': 'harbour' },
  request: { text: JSON.stringify({ model: 'claude-haiku-4-5', messages: [{ role: 'user', content: question }] }) },
  requestBytes: 80,
  at: AT,
  reply: {
    attempt: {
      startedAt: AT - 900,
      hasBegun: true,
      blocks: [{ type: 'text', text: answer }],
      readableBlocks: [{ type: 'text', text: answer }],
      visibleCharacters: answer.length,
      latency: { firstTokenMs: 300, totalMs: 900 },
    },
    responseId: `msg_${inputTokens}`,
    model: 'claude-haiku-4-5',
    usage: {
      inputTokens,
      cacheReadTokens: 0,
      cacheWrite5mTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: 7,
    },
    error: undefined,
    status: 200,
  },
})

const workOver = (store: Store, close = (): Promise<void> => Promise.resolve()): ThreadWork => {
  const clock = createSystemClock()
  return {
    recorder: createRecorder({
      store,
      clock,
      hasher: createHasher(),
      ids: createIds(clock),
      fileSystem: createFileSystem(),
      prices: {},
      environment: { home: '/nobody', platform: 'linux', variables: { CAIRN_HOME: '/nobody/data' } },
      folder: '/code/app',
    }),
    policy: undefined,
    close,
  }
}

describe('recording in a thread', () => {
  const channels: MessagePort[] = []
  const told: string[] = []
  /** Which threads were ended, by their number. */
  const ended: number[] = []
  afterEach(() => {
    for (const port of channels.splice(0)) port.close()
    told.splice(0)
    ended.splice(0)
  })

  /** Each thread that is started serves the next of these. */
  const startOver = (...threads: (() => Promise<ThreadWork>)[]): Promise<RecordingThread> =>
    startRecordingThread({
      start: () => {
        const { port1, port2 } = new MessageChannel()
        channels.push(port1, port2)
        const open = threads.shift()
        if (open !== undefined) void serveRecording(port2, open)
        return {
          port: port1,
          end: async () => {
            if (channels.includes(port1)) ended.push(channels.indexOf(port1) / 2)
            port1.close()
          },
        }
      },
      tell: (sentence) => void told.push(sentence),
    })

  it('writes what was said and what it cost, and tells both', async () => {
    const store = createInMemoryStore()
    let isClosed = false
    const close = (): Promise<void> => {
      isClosed = true
      return Promise.resolve()
    }
    const thread = await startOver(() => Promise.resolve(workOver(store, close)))
    const [first, second] = [
      thread.record(exchangeOf('When does the lock open?', 'At nine.', 120)),
      thread.record(exchangeOf('And who waits?', 'Every boat.', 4_500)),
    ]
    expect((await first.billed)?.costNano).toBe(120_000n + 35_000n)
    expect(await first.written).toMatchObject({ sessionId: 'gateway:harbour', kept: 'messages', messages: 2 })
    expect((await second.written).bill?.inputTokens).toBe(4_500)
    await thread.end()
    expect(isClosed).toBe(true)
    const { total } = await store.usage.report({ by: 'day' })
    expect([total.requests, total.inputTokens, total.outputTokens]).toEqual([2, 4_620, 14])
    expect(told).toEqual([])
  })

  it('tells a bill before it is written, and ends when it is', async () => {
    const store = createInMemoryStore()
    const lock = Promise.withResolvers<undefined>()
    const sessions = {
      ...store.sessions,
      get: (id: string) => store.sessions.get(id),
      read: (id: string) => store.sessions.read(id),
      append: async (...parts: Parameters<Store['sessions']['append']>) => {
        await lock.promise
        return store.sessions.append(...parts)
      },
    }
    const thread = await startOver(() => Promise.resolve(workOver({ ...store, sessions })))
    const { billed, written } = thread.record(exchangeOf('Is it high tide?', 'Soon.', 30))
    expect((await billed)?.inputTokens).toBe(30)
    let isEnded = false
    const ending = thread.end().then(() => (isEnded = true))
    expect((await store.usage.report({ by: 'day' })).total.requests).toBe(0)
    expect(isEnded).toBe(false)
    lock.resolve(undefined)
    await ending
    expect(await written).toMatchObject({ kept: 'messages' })
    expect((await store.usage.report({ by: 'day' })).total.requests).toBe(1)
  })

  it('says why a store can not be opened, with its code', async () => {
    const thread = startOver(() =>
      Promise.reject(new StorageError('storage-newer', 'The store is of a newer version.')),
    )
    await expect(thread).rejects.toMatchObject({ code: 'storage-newer', message: 'The store is of a newer version.' })
    expect(told).toEqual([])
  })

  it('says which exchanges a thread that broke off did not write, and starts again', async () => {
    const store = createInMemoryStore()
    const never = new Promise<never>(() => undefined)
    const stuck = { ...store, sessions: { ...store.sessions, get: () => never, read: () => never } }
    const thread = await startOver(
      () => Promise.resolve(workOver(stuck)),
      () => Promise.resolve(workOver(store)),
    )
    const lost = thread.record(exchangeOf('Hello?', 'Yes.', 11))
    expect((await lost.billed)?.inputTokens).toBe(11)
    for (const port of channels.splice(0)) port.close()
    await expect(lost.written).rejects.toThrow('its thread ended')
    expect(told).toEqual([expect.stringContaining('Recording broke off, and starts again')])
    expect(await thread.record(exchangeOf('Hello again?', 'Yes!', 12)).written).toMatchObject({ kept: 'messages' })
    await thread.end()
    expect((await store.usage.report({ by: 'day' })).total.requests).toBe(1)
  })

  it('ends a thread that was given up, and the next one by itself', async () => {
    const store = createInMemoryStore()
    const thread = await startOver(
      () => Promise.resolve(workOver(store)),
      () => Promise.resolve(workOver(store)),
    )
    channels[0]?.emit('messageerror', new Error('not understood'))
    expect(ended).toEqual([0])
    expect(await thread.record(exchangeOf('Hello?', 'Yes.', 11)).written).toMatchObject({ kept: 'messages' })
    expect(ended).toEqual([0])
    await thread.end()
  })

  it('closes its store also where recording can not be ended', async () => {
    let isClosed = false
    const work = workOver(createInMemoryStore(), async () => {
      isClosed = true
    })
    const thread = await startOver(() =>
      Promise.resolve({
        ...work,
        recorder: { ...work.recorder, end: () => Promise.reject(new Error('the disk is full')) },
      }),
    )
    await thread.end()
    expect(isClosed).toBe(true)
  })

  it('passes a request whole where the thread can not be asked about its policy', async () => {
    const thread = await startOver(() =>
      Promise.resolve({
        ...workOver(createInMemoryStore()),
        policy: { apply: () => Promise.reject(new Error('the disk is full')) },
      }),
    )
    const applied = await thread.policy.apply({ wire: 'anthropic', headers: {}, body: { text: '{}' } })
    expect(applied).toEqual({ body: undefined, begun: undefined })
    expect(told).toEqual([expect.stringContaining('the disk is full')])
    await thread.end()
  })
})
