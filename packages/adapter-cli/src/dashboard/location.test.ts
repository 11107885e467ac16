import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDashboard } from './location.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-dashboard-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('findDashboard', () => {
  it('finds the dashboard of the repository', () => {
    const bin = join(folder, 'apps', 'dashboard', 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'serve.mjs'), '')
    const from = join(folder, 'packages', 'adapter-cli', 'dist')
    expect(findDashboard(from)).toEqual({
      script: join(bin, 'serve.mjs'),
      folder: join(folder, 'apps', 'dashboard'),
      root: folder,
    })
  })

  it('says in one sentence that there is none', () => {
    expect(() => findDashboard(folder)).toThrow(/not part of this installation/)
  })
})
