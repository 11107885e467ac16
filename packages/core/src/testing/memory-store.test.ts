import { describe, expect, it } from '@jest/globals'
import { runStoreContract } from './contracts/store.ts'
import { createMemoryStore } from './memory-store.ts'

describe('in-memory store', () => {
  runStoreContract({ describe, it, expect }, async () => createMemoryStore())
})
