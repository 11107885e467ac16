/** A memory over its own store, with a clock and ids known to tests. */
import { createHasher } from '../node/index.ts'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
  type InMemoryFileSystem,
  type TestClock,
} from '../testing/index.ts'
import type { Store } from '../ports/store.ts'
import { createMemory } from './create-memory.ts'
import type { Memory } from './memory.ts'

export const SHOP = '/work/shop'
export const DAY_MS = 86_400_000
/** Saturday, half past ten in Berlin. */
export const SATURDAY = Date.UTC(2026, 0, 31, 9, 30)

export interface MemoryFixture {
  readonly memory: Memory
  readonly store: Store
  readonly clock: TestClock
  readonly fileSystem: InMemoryFileSystem
}

export const openMemory = (store: Store = createInMemoryStore(), prefix = 'id'): MemoryFixture => {
  const clock = createTestClock(SATURDAY)
  const fileSystem = createInMemoryFileSystem()
  const memory = createMemory({
    storage: store.memory,
    clock,
    ids: createSequentialIds(prefix),
    hasher: createHasher(),
    fileSystem,
    timeZone: 'Europe/Berlin',
  })
  return { memory, store, clock, fileSystem }
}

/** The code and text of what a promise rejects with. */
export const rejection = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise
    return 'none'
  } catch (error) {
    return error instanceof Error && 'code' in error ? `${String(error.code)}: ${error.message}` : String(error)
  }
}
