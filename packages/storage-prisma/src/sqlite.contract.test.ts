import { afterAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runStoreContract } from '@cairn/core/testing'
import { openStore } from './open-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-sqlite-'))
let count = 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('SQLite', () => {
  runStoreContract({ describe, it, expect }, () => openStore(`file:${join(folder, `${(count += 1)}.db`)}`))
})
