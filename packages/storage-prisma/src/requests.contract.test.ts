import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { runRequestsContract } from '@cairn/core/testing'
import { openStore } from './index.ts'

describe('SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-requests-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let count = 0
  runRequestsContract({ describe, it, expect }, () => openStore(`file:${join(folder, `${(count += 1)}.db`)}`))
})
