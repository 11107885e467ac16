/** Syncs that are killed, and syncs of many machines at once. */
import { describe, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { addTotals, emptyTotals } from '@cairn/core'
import type { UsageTotals } from '@cairn/core'
import { openStore } from '../open-store.ts'
import type { DatabaseStore } from '../open-store.ts'
import { id, plant, sync } from '../testing/planted-store.ts'
import { temporaryStores } from '../testing/temporary-stores.ts'

const KILLS = 10
const MACHINES = 8
const KILLS_OF_EACH = 2
const RACES = 5
const TIMEOUT_MS = 600_000
const PROCESS = fileURLToPath(new URL('../testing/sync-process.ts', import.meta.url))

const stores = temporaryStores()

const newAddress = async (database: string): Promise<string> => {
  const [, make] = stores.newAddress.find(([name]) => name === database) ?? []
  if (make === undefined) throw new Error(`there is no ${database}`)
  return make()
}

/** Its report; undefined where it was killed. */
const syncProcess = async (...args: readonly string[]): Promise<unknown> => {
  const child = spawn(process.execPath, ['--conditions=@cairn/source', PROCESS, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  const [output, [code, signal]] = await Promise.all([
    text(child.stdout),
    new Promise<readonly [number | null, string | null]>((resolve) => {
      child.once('close', (code, signal) => resolve([code, signal]))
    }),
  ])
  if (signal === 'SIGKILL') return undefined
  if (code !== 0) throw new Error(`the sync ended with ${code}`)
  return JSON.parse(output) as unknown
}

/** Starts a process, and resolves when it is ready with what lets it run, which resolves at its end. */
const waitingProcess = async (...args: readonly string[]): Promise<() => Promise<void>> => {
  const child = spawn(process.execPath, ['--conditions=@cairn/source', PROCESS, ...args, 'wait'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await Promise.race([once(child.stdout, 'data'), ended])
  return async () => {
    child.stdout.resume()
    child.stdin.end()
    const code = await ended
    if (code !== 0) throw new Error(`the process ended with ${code}`)
  }
}

const total = async (store: DatabaseStore): Promise<UsageTotals> => (await store.usage.report({ by: 'model' })).total

describe('a sync', () => {
  it(
    `that is killed ${KILLS} times sends everything once`,
    async () => {
      const [address, teamAddress] = [await newAddress('SQLite'), await newAddress('PostgreSQL')]
      const local = await openStore(address)
      for (let number = 0; number < 120; number += 1)
        await plant(local, { session: id(number), messages: 1 + ((number * 31) % 17), call: number * 100 })
      await plant(local, { session: id(500), messages: 2_400, call: 100_000 })
      await plant(local, { session: id(501), messages: 900, call: 200_000, workspace: '/work/open', title: 'open' })
      await local.close()
      let killed = 0
      for (let run = 0; run < KILLS; run += 1)
        if ((await syncProcess(address, teamAddress, 'a', String(1 + Math.floor(Math.random() * 14)))) === undefined)
          killed += 1
      expect(killed).toBeGreaterThan(KILLS / 2)
      await syncProcess(address, teamAddress, 'a')
      expect(await syncProcess(address, teamAddress, 'a')).toMatchObject({ sessions: 0, requests: 0, commits: 0 })
      const [own, team] = [await openStore(address), await openStore(teamAddress)]
      try {
        expect(await total(team)).toEqual(await total(own))
        expect((await team.sessions.list({ limit: 1 })).total).toBe(122)
        const open = `claude-code:${id(501)}`
        expect(await team.sessions.read(open)).toEqual(await own.sessions.read(open))
        expect(await team.verify()).toEqual([])
      } finally {
        await team.close()
        await own.close()
      }
    },
    TIMEOUT_MS,
  )

  it(
    `of ${MACHINES} machines, each a process that is killed at random, adds up to the nano-dollar`,
    async () => {
      const teamAddress = await newAddress('PostgreSQL')
      await (await openStore(teamAddress)).close()
      const addresses: string[] = []
      let sum: UsageTotals = emptyTotals
      for (let number = 0; number < MACHINES; number += 1) {
        addresses.push(await newAddress('SQLite'))
        const store = await openStore(addresses[number] ?? '')
        for (let session = 0; session <= number; session += 1)
          await plant(store, {
            session: id(number * 20 + session),
            messages: 40 + number * 9,
            call: number * 100_000 + session * 1_000,
          })
        sum = addTotals(sum, await total(store))
        // A session that all of them have counts once.
        await plant(store, { session: id(999), messages: 61, call: 9_000_000 })
        await store.close()
      }
      const shared = await openStore(await newAddress('SQLite'))
      await plant(shared, { session: id(999), messages: 61, call: 9_000_000 })
      sum = addTotals(sum, await total(shared))
      await shared.close()
      let killed = 0
      const untilDone = async (address: string, number: number): Promise<void> => {
        for (let run = 0; run < KILLS_OF_EACH; run += 1) {
          const calls = String(1 + Math.floor(Math.random() * 12))
          if ((await syncProcess(address, teamAddress, `machine ${number}`, calls)) === undefined) killed += 1
        }
        await syncProcess(address, teamAddress, `machine ${number}`)
      }
      await Promise.all(addresses.map(untilDone))
      expect(killed).toBeGreaterThan(MACHINES / 2)
      const team = await openStore(teamAddress)
      try {
        expect(await total(team)).toEqual(sum)
        const { rows } = await team.usage.report({ by: 'machine' })
        expect(rows.reduce((all, row) => all + row.costNano, 0n)).toBe(sum.costNano)
        expect(rows).toHaveLength(MACHINES)
        expect(await team.verify()).toEqual([])
      } finally {
        await team.close()
      }
    },
    TIMEOUT_MS,
  )

  it(
    'that races a withdrawal of the same session loses, whoever comes first',
    async () => {
      const teamAddress = await newAddress('PostgreSQL')
      const [ada, bo] = [await newAddress('SQLite'), await newAddress('SQLite')]
      const sessions = Array.from({ length: RACES }, (_, number) => id(number))
      const [first, second] = [await openStore(ada), await openStore(bo)]
      for (const [number, session] of sessions.entries()) {
        // Of the second machine only a beginning, which the first one's copy continues.
        await plant(second, { session, messages: 6, call: number * 10_000 })
        await plant(first, { session, messages: 30 + number * 170, call: number * 10_000, workspace: '/work/open' })
      }
      await plant(first, { session: id(900), messages: 9, call: 900_000 })
      const kept = await total(first)
      const team = await openStore(teamAddress)
      try {
        await sync(second, team, { id: 'bo' })
        for (const session of sessions) {
          const key = `claude-code:${session}`
          const [sending, withdrawing] = await Promise.all([
            waitingProcess(ada, teamAddress, 'ada', ''),
            waitingProcess(bo, teamAddress, 'bo', `withdraw=${key}`),
          ])
          await Promise.all([sending(), withdrawing()])
          expect(await team.sessions.get(key)).toBeUndefined()
          // What one of them sends later does not bring it back.
          await first.sync.source.sendAgain({ forget: false })
        }
        await sync(first, team, { id: 'ada' })
        await sync(second, team, { id: 'bo' })
        expect((await team.sessions.list({})).sessions.map((session) => session.id)).toEqual([`claude-code:${id(900)}`])
        expect((await total(team)).requests).toBe(4)
        expect((await total(team)).costNano).toBeLessThan(kept.costNano)
        expect(await team.verify()).toEqual([])
      } finally {
        for (const store of [team, first, second]) await store.close()
      }
    },
    TIMEOUT_MS,
  )
})
