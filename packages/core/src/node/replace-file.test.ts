import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replaceFile } from './replace-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-replace-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('replaces a file as a whole, for its user alone', () => {
  const path = join(folder, 'a.json')
  for (const text of ['{"first":1}\n', 'ä second one', '']) {
    replaceFile(path, text)
    expect(readFileSync(path, 'utf8')).toBe(text)
  }
  expect(readdirSync(folder)).toEqual(['a.json'])
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('leaves nothing behind where it can not be written', () => {
  mkdirSync(join(folder, 'a.json', 'full'), { recursive: true })
  expect(() => replaceFile(join(folder, 'a.json'), 'x')).toThrow(/EISDIR|ENOTEMPTY|EPERM|EEXIST/)
  expect(readdirSync(folder)).toEqual(['a.json'])
  expect(() => replaceFile(join(folder, 'none', 'a.json'), 'x')).toThrow('ENOENT')
})
