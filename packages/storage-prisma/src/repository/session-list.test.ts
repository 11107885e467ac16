/** Lists of sessions while others add some. */
import { describe, expect, it } from '@jest/globals'
import { setImmediate } from 'node:timers/promises'
import { openStore } from '../open-store.ts'
import { temporaryStores } from '../testing/temporary-stores.ts'

const SESSIONS = 60
const { newAddress } = temporaryStores()

describe.each(newAddress)('A list of sessions on %s', (_, newStore) => {
  it('never has more sessions than it says there are', async () => {
    const address = await newStore()
    const [reader, writer] = [await openStore(address), await openStore(address)]
    let isOver = false
    const lists = async (): Promise<readonly string[]> => {
      const wrong: string[] = []
      while (!isOver) {
        const { sessions, total } = await reader.sessions.list({ limit: SESSIONS })
        await setImmediate()
        if (sessions.length > total) wrong.push(`${sessions.length} of ${total}`)
      }
      return wrong
    }
    const readers = Promise.all([lists(), lists(), lists()])
    for (let index = 0; index < SESSIONS; index += 1) {
      const entry = { kind: 'title', at: 1, title: `t${index}` } as const
      await writer.sessions.append({ id: `cairn:${index}`, agent: 'cairn', externalId: `${index}` }, 0, [{ entry }])
      await setImmediate()
    }
    isOver = true
    expect((await readers).flat()).toEqual([])
    await reader.close()
    await writer.close()
  })
})
