import { describe, expect, it } from '@jest/globals'
import { createInMemoryStore } from '../in-memory/index.ts'
import type { LeaseOwner, OwnerFacts, Processes } from '../ports/processes.ts'
import type { Store } from '../ports/store.ts'
import { createTestClock } from '../testing/fakes/clock.ts'
import { createSequentialIds } from '../testing/fakes/ids.ts'
import { createTestTimer } from '../testing/fakes/timer.ts'
import { takeSessionLease, type SessionLease } from './session-lease.ts'

const ID = 'cairn:1'
const SCOPE = { tier: 'session', sessionId: ID } as const

/** Processes of two machines on one store; `alive` are the ones of machine "here". */
const createWorld = (store: Store = createInMemoryStore()) => {
  const clock = createTestClock()
  const timer = createTestTimer()
  const ids = createSequentialIds()
  const alive = new Map<number, OwnerFacts>([
    [4711, { isAlive: true, started: '100' }],
    [4712, { isAlive: true, started: '200' }],
  ])
  const seenFrom = (own: LeaseOwner): Processes => ({
    own,
    factsOf: ({ pid, host }) =>
      host === own.host ? (alive.get(pid) ?? { isAlive: false, started: undefined }) : undefined,
  })
  const take = (own: LeaseOwner): Promise<SessionLease> =>
    takeSessionLease({ state: store.state, clock, ids, timer, processes: seenFrom(own) }, ID)
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  /** Lets some ms pass in steps, renewals included. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 5_000) {
      clock.advance(5_000)
      timer.advance(5_000)
      await settle()
    }
  }
  return { store, clock, timer, alive, take, pass }
}

const first: LeaseOwner = { pid: 4711, host: 'here', started: '100' }
const second: LeaseOwner = { pid: 4712, host: 'here', started: '200' }
const far: LeaseOwner = { pid: 4711, host: 'there', started: '100' }

describe('the lease of a session', () => {
  it('is one process’s until it is released; the other is told whose', async () => {
    const { take, store, timer } = createWorld()
    const lease = await take(first)
    await expect(take(second)).rejects.toMatchObject({
      code: 'sequence-conflict',
      message:
        'A run of process 4711 is at work on the session cairn:1: wait until it has ended, or end it; nothing was sent.',
    })
    await lease.release()
    const next = await take(second)
    await expect(take(first)).rejects.toThrow('process 4712')
    // Late, or twice: the other's stays.
    await lease.release()
    await expect(take(first)).rejects.toThrow('process 4712')
    await next.release()
    expect([await store.state.get(SCOPE, 'session.lease'), timer.waiting]).toEqual([undefined, 0])
  })

  it('goes to one of several that take it at once', async () => {
    const { take } = createWorld()
    const takers = [first, second, far, first, second, far]
    const outcomes = await Promise.allSettled(takers.map(take))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('of a dead process, or of one whose id another process has now, is free at once', async () => {
    const { take, alive } = createWorld()
    await take(first)
    alive.delete(4711)
    await take(second)
    alive.set(4712, { isAlive: true, started: '201' })
    await take(first)
  })

  it('is kept however long the work takes, also before another machine', async () => {
    const { take, pass } = createWorld()
    const lease = await take(first)
    await pass(600_000)
    await expect(take(second)).rejects.toThrow('process 4711')
    await expect(take(far)).rejects.toThrow('A run of process 4711 on here is at work')
    await lease.release()
  })

  it('of another machine, or of a turn of the same process, is free after a minute without a word', async () => {
    for (const taker of [far, first]) {
      const { take, clock } = createWorld()
      await take(first)
      clock.advance(59_000)
      await expect(take(taker)).rejects.toMatchObject({ code: 'sequence-conflict' })
      clock.advance(2_000)
      await take(taker)
    }
  })

  it('is not renewed over another’s, and a store that fails for a moment takes it from nobody', async () => {
    const inner = createInMemoryStore()
    const fault = { isOn: false }
    const replace: Store['state']['replace'] = async (...parts) => {
      if (fault.isOn) throw new Error('disk full')
      return inner.state.replace(...parts)
    }
    const { take, pass, timer, store } = createWorld({ ...inner, state: { ...inner.state, replace } })
    await take(first)
    fault.isOn = true
    await pass(30_000)
    fault.isOn = false
    await pass(30_000)
    await expect(take(far)).rejects.toThrow('process 4711')
    await store.state.set(SCOPE, new Map([['session.lease', { pid: 9, host: 'else', at: 0 }]]))
    await pass(30_000)
    expect([await store.state.get(SCOPE, 'session.lease'), timer.waiting]).toEqual([{ pid: 9, host: 'else', at: 0 }, 0])
  })

  it('that nobody can read the owner of is taken', async () => {
    for (const damaged of ['x', 7, null, {}, { pid: -1, host: 'here' }]) {
      const { take, store } = createWorld()
      await store.state.set(SCOPE, new Map([['session.lease', damaged]]))
      await take(first)
    }
  })
})
