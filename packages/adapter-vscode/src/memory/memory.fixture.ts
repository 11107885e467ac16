/** An engine with a clock, ids and files that tests know. */
import { createEngine } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { createHasher } from '@cairn/core/node'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
} from '@cairn/core/testing'
import type { InMemoryFileSystem, TestClock } from '@cairn/core/testing'

export const SHOP = '/work/shop'
export const HOUR = 3_600_000
export const NOW = Date.UTC(2026, 5, 1, 12)

export interface MemoryFixture {
  readonly engine: Engine
  readonly clock: TestClock
  readonly fileSystem: InMemoryFileSystem
}

export const openFixture = (): MemoryFixture => {
  const clock = createTestClock(NOW)
  const fileSystem = createInMemoryFileSystem()
  const engine = createEngine({
    store: createInMemoryStore(),
    fileSystem,
    hasher: createHasher(),
    clock,
    ids: createSequentialIds('memory'),
    timeZone: 'UTC',
  })
  return { engine, clock, fileSystem }
}
