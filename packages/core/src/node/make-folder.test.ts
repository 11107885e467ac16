import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from './make-folder.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cairn-make-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('makeFolder', () => {
  it('creates missing folders as private, and accepts existing ones', () => {
    const path = join(root, 'a', 'b', 'c')
    makeFolder(path, 0o700)
    makeFolder(path, 0o700)
    expect(statSync(join(root, 'a')).isDirectory()).toBe(true)
    if (process.platform !== 'win32') expect(statSync(join(root, 'a', 'b')).mode & 0o777).toBe(0o700)
  })

  it('refuses a path that leads through a file', () => {
    writeFileSync(join(root, 'file'), '')
    expect(() => makeFolder(join(root, 'file'))).toThrow('not a folder')
    expect(() => makeFolder(join(root, 'file', 'x'))).toThrow(/ENOTDIR|ENOENT/)
  })

  const onProc = existsSync('/proc/self') ? it : it.skip
  onProc('ends where no folder can be made: under /proc, where a recursive mkdir never does', () => {
    expect(() => makeFolder('/proc/cairn-no-such/x')).toThrow('ENOENT')
  })
})
