import { afterAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSearchIndexContract } from '@cairn/core/testing'
import { openStore } from '../open-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-gathered-'))
let count = 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('SQLite, an index of many small segments', () => {
  const indexSizes = { tailMessages: 2, tailBytes: 1_000_000, merge: 3, largestBytes: 4_000 }
  runSearchIndexContract({ describe, it, expect }, () =>
    openStore(`file:${join(folder, `${(count += 1)}.db`)}`, { indexSizes }),
  )
})
