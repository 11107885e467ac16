import { createReplays } from './replays.ts'
import type { WantedReplay } from './replays.ts'
import type { ReplayOutcome } from './replay-session.ts'

/** What is kept does not matter here, only which. */
const outcomeOf = (name: string): ReplayOutcome => ({ model: name }) as ReplayOutcome

/** Replays that end when the test says so. */
const createRuns = () => {
  const begun: {
    readonly name: string
    readonly signal: AbortSignal
    readonly tell: (done: number) => void
    readonly end: () => void
  }[] = []
  const wanted = (key: string, version = '1', name = `${key}${version}`): WantedReplay => ({
    key,
    version,
    run: (onProgress, signal) =>
      new Promise((resolve, reject) => {
        begun.push({
          name,
          signal,
          tell: (done) => onProgress({ done, total: 10, pass: 0, passes: ['recorded'] }),
          end: () => resolve(outcomeOf(name)),
        })
        signal.addEventListener('abort', () => reject(new Error('given up')))
      }),
  })
  return { begun, wanted }
}

/** Lets all that is due happen. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('replays', () => {
  it('are shared while they run, and kept when they are done', async () => {
    const { begun, wanted } = createRuns()
    const replays = createReplays({ now: () => 0 })
    const both = [replays.get(wanted('a'), undefined), replays.get(wanted('a'), undefined)]
    await settle()
    expect(replays.progress('a')).toBeUndefined()
    begun[0]?.tell(4)
    expect(replays.progress('a')).toMatchObject({ done: 4, total: 10 })
    begun[0]?.end()
    expect((await Promise.all(both)).map(({ outcome }) => outcome.model)).toEqual(['a1', 'a1'])
    await replays.get(wanted('a'), undefined)
    expect([begun.length, replays.progress('a'), replays.progress('b')]).toEqual([1, undefined, undefined])
  })

  it('are aborted when nobody waits for them any more, and only then', async () => {
    const { begun, wanted } = createRuns()
    const replays = createReplays({ now: () => 0 })
    const [first, second] = [new AbortController(), new AbortController()]
    const left = [replays.get(wanted('a'), first.signal), replays.get(wanted('a'), second.signal)].map((one) =>
      one.catch((error: unknown) => String(error)),
    )
    await settle()
    first.abort()
    await settle()
    expect(begun[0]?.signal.aborted).toBe(false)
    second.abort()
    await Promise.all(left)
    await settle()
    expect(begun[0]?.signal.aborted).toBe(true)
    const again = replays.get(wanted('a'), undefined)
    await settle()
    expect(begun).toHaveLength(2)
    begun[1]?.end()
    expect((await again).outcome.model).toBe('a1')
  })

  it('run two at a time; a queued one that nobody waits for never starts', async () => {
    const { begun, wanted } = createRuns()
    const replays = createReplays({ now: () => 0 })
    const leaving = new AbortController()
    const all = [
      replays.get(wanted('a'), undefined),
      replays.get(wanted('b'), undefined),
      replays.get(wanted('c'), leaving.signal).catch(() => undefined),
      replays.get(wanted('d'), undefined),
    ]
    await settle()
    expect(begun.map(({ name }) => name)).toEqual(['a1', 'b1'])
    leaving.abort()
    begun[0]?.end()
    await settle()
    expect(begun.map(({ name }) => name)).toEqual(['a1', 'b1', 'd1'])
    begun[1]?.end()
    begun[2]?.end()
    await Promise.all(all)
  })

  it('of a session that grew run again, but not after every entry', async () => {
    const { begun, wanted } = createRuns()
    let now = 0
    const replays = createReplays({ now: () => now })
    const get = async (version: string): Promise<string> => {
      const answer = replays.get(wanted('a', version), undefined)
      await settle()
      begun.at(-1)?.end()
      return (await answer).version
    }
    expect(await get('1')).toBe('1')
    now = 9_999
    expect(await get('2')).toBe('1')
    now = 10_000
    expect(await get('2')).toBe('2')
    expect(begun).toHaveLength(2)
  })

  it('are not kept when they failed, and the oldest are dropped first', async () => {
    const replays = createReplays({ now: () => 0, kept: 2 })
    const failing: WantedReplay = { key: 'a', version: '1', run: () => Promise.reject(new Error('broken')) }
    await expect(replays.get(failing, undefined)).rejects.toThrow('broken')
    let runs = 0
    const counted = (key: string): WantedReplay => ({
      key,
      version: '1',
      run: () => Promise.resolve(outcomeOf(`${key}${(runs += 1)}`)),
    })
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await replays.get(counted(key), undefined)
    // `b` was the one asked for longest ago when `c` came.
    expect(runs).toBe(4)
  })
})
