/** Syncs that are killed, and syncs of many machines at once. */
import { describe, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
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
    `of ${MACHINES} machines at once adds up to the nano-dollar, with a session that all of them have counted once`,
    async () => {
      const open = [await openStore(await newAddress('PostgreSQL'))]
      try {
        const machines: DatabaseStore[] = []
        let sum: UsageTotals = emptyTotals
        for (let number = 0; number < MACHINES; number += 1) {
          const store = await openStore(await newAddress('SQLite'))
          open.push(store)
          machines.push(store)
          for (let session = 0; session <= number; session += 1)
            await plant(store, {
              session: id(number * 20 + session),
              messages: 40 + number * 9,
              call: number * 100_000 + session * 1_000,
            })
          sum = addTotals(sum, await total(store))
        }
        const shared = await openStore(await newAddress('SQLite'))
        open.push(shared)
        for (const store of [shared, ...machines])
          await plant(store, { session: id(999), messages: 61, call: 9_000_000 })
        const [team] = open
        if (team === undefined) throw new Error('there is no team')
        await Promise.all(machines.map((store, number) => sync(store, team, { id: `machine ${number}` })))
        expect(await total(team)).toEqual(addTotals(sum, await total(shared)))
        expect(await team.verify()).toEqual([])
      } finally {
        for (const store of open) await store.close()
      }
    },
    TIMEOUT_MS,
  )
})
