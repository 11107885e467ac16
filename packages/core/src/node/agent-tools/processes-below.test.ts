import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { parentsOf } from './processes-below.ts'

const hasPs = spawnSync('ps', ['-Ao', 'pid=']).status === 0
const withPs = hasPs ? it : it.skip

it('has this process and its parent', () => {
  expect(parentsOf().get(process.pid)).toMatchObject({ parent: process.ppid, isOver: false })
})

withPs('a Linux without /proc ended the tool with an error: processes are listed by ps there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-proc-'))
  try {
    for (const proc of [folder, join(folder, 'missing')])
      expect(parentsOf(proc).get(process.pid)).toMatchObject({ parent: process.ppid, isOver: false })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
