import { describe, expect, it } from '@jest/globals'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { allRemembered, rememberTogether } from './testing/remember-together.ts'
import { temporaryStores } from './testing/temporary-stores.ts'

const { folder, newAddress } = temporaryStores()

describe.each(newAddress)('processes that add to one memory on %s', (_, newStore) => {
  it('lose nothing, even when some are killed', async () => {
    const address = await newStore()
    const notes = mkdtempSync(join(folder, 'notes-'))
    const quiet = await rememberTogether({ address, folder: notes, writers: 4, entries: 40, lanes: 1 })
    expect(await allRemembered(address, quiet.noted, 0)).toBe(160)
    const killed = await rememberTogether({
      address,
      folder: notes,
      writers: 4,
      entries: 100_000,
      lanes: 3,
      killAfterMs: (writer) => 200 + 100 * writer,
      name: 'k',
    })
    expect(killed.killed).toBe(4)
    expect(await allRemembered(address, [...quiet.noted, ...killed.noted], 12)).toBeGreaterThan(160)
  })
})
