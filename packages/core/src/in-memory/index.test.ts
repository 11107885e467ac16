import { describe, expect, it } from '@jest/globals'
import { runStoreContract } from '../testing/contracts/store.ts'
import { createInMemoryStore } from './index.ts'

describe('in-memory store', () => {
  runStoreContract({ describe, it, expect }, async () => createInMemoryStore())
})
