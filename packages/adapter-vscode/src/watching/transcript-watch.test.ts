import { createTranscriptWatch } from './transcript-watch.ts'
import type { WatchPlan, WatchThread } from './transcript-watch.ts'
import type { WatchJob, WatchMessage } from './watch-job.ts'

const job = (address: string): WatchJob => ({
  kind: 'cairn-watch',
  address,
  prices: {},
  environment: { home: '/home/ann', platform: 'linux', variables: {} },
  dataFolder: '/home/ann/cairn',
  exclude: [],
})

interface Thread {
  readonly job: WatchJob
  say(message: WatchMessage): void
  exit(): void
  isAsked: boolean
}

/** A watch over threads that end when the test says so. */
const setUp = (first: WatchPlan) => {
  const threads: Thread[] = []
  const logged: string[] = []
  const state = { plan: first }
  const watch = createTranscriptWatch({
    plan: () => state.plan,
    log: (sentence) => logged.push(sentence),
    startThread: (started): WatchThread => {
      const listeners = new Map<string, (value: never) => void>()
      const thread: Thread = {
        job: started,
        say: (message) => listeners.get('message')?.(message as never),
        exit: () => listeners.get('exit')?.(undefined as never),
        isAsked: false,
      }
      threads.push(thread)
      return {
        on: (event: string, listener: (value: never) => void) => listeners.set(event, listener),
        postMessage: () => {
          thread.isAsked = true
        },
        terminate: () => Promise.resolve(0),
      }
    },
  })
  return { watch, threads, logged, state }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('following transcripts in a window', () => {
  it('shows what its thread tells, in words', async () => {
    const { watch, threads, logged } = setUp({ follows: true, job: job('file:/a') })
    let changes = 0
    watch.onChange(() => (changes += 1))
    watch.lookAgain()
    threads[0]?.say({ kind: 'status', status: { state: 'following', transcripts: 1_214 } })
    expect(watch.status()).toEqual({
      text: 'Following 1,214 transcripts',
      detail: 'This window takes in what your agents write, within a second.',
      isTrouble: false,
    })
    const owner = { pid: 77, host: 'elsewhere.example', started: undefined, program: 'cairn dashboard' }
    threads[0]?.say({ kind: 'status', status: { state: 'standby', owner } })
    expect(watch.status()).toMatchObject({
      text: 'Followed by cairn dashboard',
      detail: expect.stringContaining('(process 77 on elsewhere.example)'),
    })
    threads[0]?.say({ kind: 'status', status: { state: 'standby', owner, trouble: 'The disk is full.' } })
    expect(watch.status()).toMatchObject({ detail: 'The disk is full. It is tried again.', isTrouble: true })
    threads[0]?.say({ kind: 'log', sentence: 'The disk is full.' })
    expect([changes, logged]).toEqual([3, ['The disk is full.']])
    const closed = watch.close()
    await settled()
    expect(threads[0]?.isAsked).toBe(true)
    threads[0]?.exit()
    await closed
  })

  it('ends a thread before it starts another one, and starts none for the same', async () => {
    const { watch, threads, state } = setUp({ follows: true, job: job('file:/a') })
    watch.lookAgain()
    watch.lookAgain()
    await settled()
    expect(threads).toHaveLength(1)
    state.plan = { follows: true, job: job('file:/b') }
    watch.lookAgain()
    await settled()
    expect([threads.length, threads[0]?.isAsked]).toEqual([1, true])
    // What is decided while it ends counts.
    state.plan = { follows: true, job: job('file:/c') }
    watch.lookAgain()
    threads[0]?.exit()
    await settled()
    expect(threads.map(({ job: { address } }) => address)).toEqual(['file:/a', 'file:/c'])
    const closed = watch.close()
    threads[1]?.exit()
    await closed
  })

  it('says why it does not follow, and starts nothing once it is closed', async () => {
    const { watch, threads, state } = setUp({ follows: false, reason: 'The setting cairn.watch switches it off.' })
    watch.lookAgain()
    expect(watch.status()).toEqual({
      text: 'Not following transcripts',
      detail: 'The setting cairn.watch switches it off.',
      isTrouble: false,
    })
    state.plan = { follows: true, job: job('file:/a') }
    await watch.close()
    watch.lookAgain()
    await settled()
    expect(threads).toEqual([])
  })
})
