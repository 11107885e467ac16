/**
 * What a contract suite needs of a test runner. The suites are handed `describe`, `it` and `expect`, so
 * that any runner with Jest's shape can run them and this package depends on none.
 */
import type { Store } from '../../ports/store.ts'

export interface Expectation {
  readonly not: Omit<Expectation, 'not'>
  toBe(expected: unknown): unknown
  toEqual(expected: unknown): unknown
  toMatchObject(expected: object): unknown
  toBeGreaterThan(expected: number): unknown
}

export interface TestApi {
  describe(name: string, body: () => void): unknown
  readonly it: {
    (name: string, body: () => Promise<void>, timeoutMs?: number): unknown
    /** Shows a test that is left out; where a runner has none, it is not shown. */
    skip?(name: string, body: () => Promise<void>): unknown
  }
  expect(actual: unknown): Expectation
}

/** Opens a new, empty store. The suites close it. */
export type OpenStore = () => Promise<Store>

/** For tests that write a lot: a store on a slow disk needs its time. */
export const SLOW_TEST_MS = 120_000

/** A function like `it` that gives each test a store of its own, closed at the end whatever happens. */
export const testsOn =
  (api: TestApi, open: OpenStore) =>
  (name: string, body: (store: Store) => Promise<void>, timeoutMs = 30_000): void => {
    api.it(
      name,
      async () => {
        const store = await open()
        try {
          await body(store)
        } finally {
          await store.close()
        }
      },
      timeoutMs,
    )
  }

/** What a promise rejects with, an Error where that is nothing; undefined when it resolves. */
export const rejectionOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
    return undefined
  } catch (error) {
    return error ?? new Error('rejected with nothing')
  }
}

/** Everything that an async iterable yields, in order; rejects as it does. */
export const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
