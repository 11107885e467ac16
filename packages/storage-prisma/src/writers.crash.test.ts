import { describe, expect, it } from '@jest/globals'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { appendTogether, storedMatches } from './testing/append-together.ts'
import { temporaryStores } from './testing/temporary-stores.ts'

const { folder, newAddress } = temporaryStores()

describe.each(newAddress)('eight processes that append to one store on %s', (_, newStore) => {
  const newFolder = (): string => mkdtempSync(join(folder, 'notes-'))

  it('lose nothing, and all totals are exact', async () => {
    const address = await newStore()
    const acknowledged = await appendTogether({ address, folder: newFolder(), writers: 8, seconds: 2, kill: 0 })
    expect(acknowledged.appends).toBeGreaterThan(8)
    expect(await storedMatches(address, acknowledged)).toBe(acknowledged.appends)
  })

  it('lose no acknowledged write when six of them are killed', async () => {
    const address = await newStore()
    const acknowledged = await appendTogether({ address, folder: newFolder(), writers: 8, seconds: 2, kill: 6 })
    expect(acknowledged.appends).toBeGreaterThan(8)
    expect(await storedMatches(address, acknowledged)).toBeGreaterThanOrEqual(acknowledged.appends)
  })
})
