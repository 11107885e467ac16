import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemTimer } from '@cairn/core/node'
import { createState } from '@cairn/core/state'
import type { StateEvent, StateKey } from '@cairn/core/state'
import pg from 'pg'
import { openStore } from './open-store.ts'
import { startPostgres } from './testing/temporary-postgres.ts'
import type { TemporaryPostgres } from './testing/temporary-postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-state-'))
const WORKSPACE = { tier: 'workspace', workspace: '/w' } as const
let server: TemporaryPostgres | undefined

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const keyOf = (name: string): StateKey<number> => ({
  name,
  tiers: ['workspace'],
  schema: {
    safeParse: (value) => (typeof value === 'number' ? { success: true, data: value } : { success: false }),
  },
  fallback: -1,
})

/** Two stores at an address, as two programs have them, and a state over each. */
const twoStores = async (address: string) => {
  const stores = await Promise.all([openStore(address), openStore(address)])
  const states = stores.map((store) =>
    createState({
      storage: store.state,
      timer: createSystemTimer(),
      now: () => Date.now(),
      keys: [],
      follow: (onChange) => store.onChange(onChange),
      writeDelayMs: 1,
    }),
  )
  const [writer, reader] = states
  if (writer === undefined || reader === undefined) throw new Error('there are two')
  await Promise.all([writer.open(WORKSPACE), reader.open(WORKSPACE)])
  const seen = new Map<string, unknown>()
  const waiting = new Set<() => void>()
  reader.listen((event: StateEvent) => {
    if (event.type !== 'changed') return
    seen.set(event.key, event.value)
    for (const check of [...waiting]) check()
  })
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!isSo()) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
    })
  const close = async (): Promise<void> => {
    await Promise.all(states.map((state) => state.close()))
    await Promise.all(stores.map((store) => store.close()))
  }
  return { writer, reader, seen, until, close }
}

const addresses: readonly (readonly [string, () => Promise<string>])[] = [
  ['SQLite', async () => `file:${join(folder, 'state.db')}`],
  [
    'PostgreSQL',
    async () => {
      if (server === undefined) throw new Error('there is no server')
      return server.database()
    },
  ],
]

describe.each(addresses)('state of two programs on %s', (name, newAddress) => {
  it('is in step: no change is missed, removals included', async () => {
    const { writer, reader, seen, until, close } = await twoStores(await newAddress())
    for (let index = 0; index < 60; index += 1) {
      writer.set(keyOf(`k${index}`), WORKSPACE, index)
      await writer.flush()
    }
    await until(() => seen.size === 60)
    expect([...seen]).toEqual(Array.from({ length: 60 }, (_, index) => [`k${index}`, index]))
    writer.unset(keyOf('k7'), WORKSPACE)
    await until(() => seen.get('k7') === undefined)
    expect([reader.get(keyOf('k7'), WORKSPACE), reader.get(keyOf('k8'), WORKSPACE)]).toEqual([-1, 8])
    await close()
  }, 60_000)

  it('catches up after the notices were cut off', async () => {
    if (name === 'SQLite') return
    const address = await newAddress()
    const { writer, reader, seen, until, close } = await twoStores(address)
    writer.set(keyOf('first'), WORKSPACE, 1)
    await until(() => seen.has('first'))
    const admin = new pg.Client({ connectionString: address })
    await admin.connect()
    const { rowCount } = await admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cairn-listener' AND datname = current_database()",
    )
    expect(rowCount).toBe(2)
    await admin.end()
    // Nobody may be listening now.
    writer.set(keyOf('second'), WORKSPACE, 2)
    await writer.flush()
    await until(() => seen.has('second'))
    expect(reader.get(keyOf('second'), WORKSPACE)).toBe(2)
    await close()
  }, 60_000)
})
