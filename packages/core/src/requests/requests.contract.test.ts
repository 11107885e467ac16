import { describe, expect, it } from '@jest/globals'
import { createInMemoryStore, runRequestsContract } from '../testing/index.ts'

runRequestsContract({ describe, it, expect }, async () => createInMemoryStore())
