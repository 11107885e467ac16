import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createLeaseFile } from './lease-file.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-lease-'))
  path = join(folder, 'watch', 'a.lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const heldBy = (owner: unknown): void => {
  createLeaseFile(path).take()
  writeFileSync(path, typeof owner === 'string' ? owner : JSON.stringify(owner))
}

describe('the file of a lease', () => {
  it('is created with its folder, renewed, and removed when released', () => {
    const lease = createLeaseFile(path)
    expect(lease.take()).toEqual({ isTaken: true })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() })
    expect(lease.renew()).toBe(true)
    lease.release()
    expect(readdirSync(dirname(path))).toEqual([])
  })

  it('belongs to another process as long as that runs', () => {
    const owner = { pid: process.ppid, host: hostname() }
    heldBy(owner)
    const lease = createLeaseFile(path)
    expect(lease.take()).toEqual({ isTaken: false, owner: { ...owner, started: undefined } })
    expect(lease.renew()).toBe(false)
    lease.release()
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(owner)
  })

  it('is taken over from an ended process', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0'])
    heldBy({ pid, host: hostname(), started: '1' })
    const lease = createLeaseFile(path)
    expect(lease.take()).toEqual({ isTaken: true })
    expect(lease.renew()).toBe(true)
    expect(readdirSync(dirname(path))).toEqual(['a.lock'])
  })

  it.each(['', '{"pid":', '{"pid":77,"host":"elsewhere.example"}'])(
    'with the content %j is taken over after a minute without renewal',
    (text) => {
      heldBy(text)
      const lease = createLeaseFile(path)
      expect(lease.take()).toMatchObject({ isTaken: false })
      const before = new Date(Date.now() - 61_000)
      utimesSync(path, before, before)
      expect(lease.take()).toEqual({ isTaken: true })
      expect(existsSync(path)).toBe(true)
    },
  )

  it('is handed to another process, and then not given back by the one before', () => {
    const lease = createLeaseFile(path)
    lease.take()
    lease.giveTo(process.ppid)
    expect(lease.renew()).toBe(false)
    lease.release()
    expect(lease.take()).toMatchObject({ isTaken: false, owner: { pid: process.ppid } })
  })
})
