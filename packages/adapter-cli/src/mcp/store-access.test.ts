import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StorageError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { createStoreAccess } from './store-access.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-access-'))
  file = join(folder, 's.db')
  writeFileSync(file, 'x')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Opening {
  readonly engine: Engine
  closed: boolean
}

const openings = (): { readonly all: Opening[]; readonly open: () => Promise<Engine> } => {
  const all: Opening[] = []
  return {
    all,
    open: async () => {
      const opening: Opening = {
        engine: { store: {}, close: async () => void (opening.closed = true) } as unknown as Engine,
        closed: false,
      }
      all.push(opening)
      return opening.engine
    },
  }
}

const nothing = (): Promise<void> => Promise.resolve()

describe('access to the store', () => {
  it('opens it once, at the first call', async () => {
    const { all, open } = openings()
    const access = createStoreAccess({ open, file: () => Promise.resolve(file) })
    expect(all).toHaveLength(0)
    await Promise.all([access.use(nothing), access.use(nothing)])
    expect(all).toHaveLength(1)
    await access.close()
    expect(all[0]?.closed).toBe(true)
  })

  it('closes it after a fault of the store, not after other errors', async () => {
    const { all, open } = openings()
    const access = createStoreAccess({ open, file: () => Promise.resolve(undefined) })
    await expect(access.use(() => Promise.reject(new Error('a fault of the call')))).rejects.toThrow(
      'a fault of the call',
    )
    await expect(access.use(() => Promise.reject(new StorageError('storage-busy', 'busy')))).rejects.toThrow('busy')
    expect(all).toHaveLength(1)
    await expect(access.use(() => Promise.reject(new StorageError('storage-corrupt', 'damaged')))).rejects.toThrow(
      'damaged',
    )
    await access.use(nothing)
    expect(all.map(({ closed }) => closed)).toEqual([true, false])
  })

  it('reports a deleted store instead of making an empty one, and works again when it is back', async () => {
    const { all, open } = openings()
    const access = createStoreAccess({ open, file: () => Promise.resolve(file) })
    await access.use(nothing)
    renameSync(file, `${file}.away`)
    await expect(access.use(nothing)).rejects.toMatchObject({
      code: 'storage-unavailable',
      message: expect.stringContaining('is gone'),
    })
    expect(all).toHaveLength(1)
    renameSync(`${file}.away`, file)
    await access.use(nothing)
    expect(all).toHaveLength(2)
  })
})
